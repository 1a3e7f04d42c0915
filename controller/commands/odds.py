"""`carrusel odds GAME`: exact probabilities and returns of a preset, and the path of its meter by simulation."""

import json as json_text
from collections.abc import Mapping
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from controller.commands.console_words import asked_for, fail, not_writable, panel_word
from controller.commands.console_words import language as speech
from controller.commands.progress import progress
from controller.config.base import LARGEST_MINOR
from controller.config.figure_words import credits_said
from controller.config.texts import Language, Said, counted, decimal, in_language, number, percent, said, units

SIMULATED = (
    "simulated {count} hand of {credits}, seed {seed}",
    "simulated {count} hands of {credits}, seed {seed}",
)
WON = ("whole meter won {count} time, at {mean}", "whole meter won {count} times, on average at {mean}")

if TYPE_CHECKING:
    from rich.table import Table as Grid

    from controller.config.table import Table
    from controller.odds.report import Odds
    from controller.odds.simulation import Path as MeterPath


def odds(
    game: Annotated[str, typer.Argument(help="oasis, holdem-bonus or holdem-circle.")],
    preset: Annotated[str | None, typer.Option(help="A preset's name, or a preset file of your own.")] = None,
    meter: Annotated[
        int | None, typer.Option(min=0, max=LARGEST_MINOR, help="Meter in minor units; its start value unless given.")
    ] = None,
    simulate: Annotated[int | None, typer.Option(min=1, help="Play so many hands of one box.")] = None,
    credits: Annotated[int, typer.Option(min=1, max=5, help="Credits of each simulated bet.")] = 1,
    seed: Annotated[int, typer.Option(min=0, help="The same seed plays the same hands.")] = 1,
    plot: Annotated[Path | None, typer.Option(help="Write the simulated path as an SVG picture.")] = None,
    language: Annotated[
        Language | None,
        typer.Option(help="es or en, of the texts and of the picture, whatever the environment speaks."),
    ] = None,
    enumerate_hands: Annotated[bool, typer.Option("--enumerate", help="Look at every five-card hand too.")] = False,
    json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Exact counts by combinatorics, return per bet at a meter and in the long run, break-even, mean hands to a hit."""
    from controller.config.faults import ConfigError
    from controller.odds.report import as_json, odds_of, preset_table

    asked_for(language)
    language = speech()
    try:
        table, decimals = preset_table(game, preset)
    except ConfigError as problem:
        fail(*(fault if fault.file else fault.reason for fault in problem.faults))
    if plot is not None and simulate is None:
        fail(said("--plot draws a simulated path: give --simulate N"))
    if plot is not None and (refused := not_writable(plot)):
        fail(refused)
    if credits > table.jackpot.max_credits:
        most = table.jackpot.max_credits
        fail(said("--credits {credits}: at most {most} in this preset", credits=credits, most=most))
    if simulate is not None and not any(row.percent for row in table.jackpot.prizes.values()):
        fail(said("--simulate needs a progressive prize list: this preset has no meter"))
    answer = odds_of(table, meter, decimals)
    described = as_json(answer)
    if enumerate_hands:
        described["enumerated"] = _enumerated(language)
    path = _simulated(table, simulate, meter, credits, seed, language) if simulate is not None else None
    if path is not None:
        described["simulation"] = _path_json(path)
    if path is not None and plot is not None:
        from controller.odds.plot import draw_path

        plot.write_text(draw_path(path, table.jackpot, language=language, decimals=decimals), encoding="utf-8")
        described["plot"] = str(plot)
    if json:
        print(json_text.dumps(described, indent=2, ensure_ascii=False))
    else:
        _Printer(language).print(answer, path, plot, described.get("enumerated", {}))


def _enumerated(language: Language) -> dict[str, int]:
    from controller.odds.enumeration import enumerate_categories

    with progress() as bar:
        task = bar.add_task(in_language(said("hands"), language), total=None)
        counts = enumerate_categories(lambda done, total: bar.update(task, completed=done, total=total))
    return {category.value: number for category, number in counts.items()}


def _simulated(
    table: "Table", hands: int, meter: int | None, credits: int, seed: int, language: Language
) -> "MeterPath":
    from controller.odds.simulation import simulate

    with progress() as bar:
        task = bar.add_task(in_language(said("simulated hands"), language), total=hands)
        return simulate(
            table.jackpot,
            hands,
            meter_minor=meter,
            credits=credits,
            seed=seed,
            progress=lambda done, total: bar.update(task, completed=done, total=total),
        )


def _path_json(path: "MeterPath") -> dict[str, Any]:
    from controller.odds.report import share

    return {
        "hands": path.hands,
        "credits": path.credits,
        "seed": path.seed,
        "staked": path.staked_minor,
        "meter": {"start": path.start_minor, "end": path.meter_minor, "highest": path.highest_minor},
        "reserve": path.reserve_minor,
        "overflow": path.overflow_minor,
        "house_funding": path.funded_minor,
        "hits": {category.value: number for category, number in path.hits.items()},
        "paid": {category.value: number for category, number in path.paid_minor.items()},
        "resets": path.resets,
        "mean_trigger": path.mean_trigger_minor,
        "returned": share(path.returned),
    }


class _Printer:
    """The answer for people, in one language."""

    def __init__(self, language: Language) -> None:
        from rich.console import Console

        self._language: Language = language
        self._console = Console(highlight=False, markup=False, soft_wrap=True)

    def print(self, answer: "Odds", path: "MeterPath | None", plot: Path | None, enumerated: Mapping[str, int]) -> None:
        head = {"game": answer.table.game, "preset": answer.table.name, "cards": answer.cards}
        self._say(said("{game}  {preset}: {hands} hands of {cards} cards", hands=number(answer.hands), **head))
        self._counts(answer)
        if enumerated:
            self._enumerated(enumerated)
        if answer.table.game == "oasis":
            from controller.odds.report import dealer_qualifies

            self._say(said("the bank qualifies in {part} of deals", part=percent(dealer_qualifies(answer))))
        if answer.rows:
            self._returns(answer)
        if path is not None:
            self._path(path, answer.decimals)
        if answer.rows:
            self._say(said("amounts in units of the currency; --meter and --json count them in minor units"))
        if plot is not None:
            self._say(said("picture: {file}", file=plot))

    def _say(self, text: Said) -> None:
        self._console.print(in_language(text, self._language))

    def _grid(self, *heads: Said) -> "Grid":
        from rich.table import Table as Grid

        grid = Grid(box=None, pad_edge=False)
        for position, head in enumerate(heads):
            grid.add_column(in_language(head, self._language), justify="right" if position else "left")
        return grid

    def _row(self, grid: "Grid", *cells: str) -> None:
        grid.add_row(*(in_language(cell, self._language) for cell in cells))

    def _counts(self, answer: "Odds") -> None:
        counts = self._grid(said("category"), said("hands"), said("chance"), said("one in (hands)"))
        for category, hands in answer.counts.items():
            mean = answer.mean_hands(category)
            once = "-" if mean is None else decimal(mean, 2)
            name = panel_word("category", category.value)
            self._row(counts, name, number(hands), percent(Fraction(hands, answer.hands), 6), once)
        self._console.print(counts)

    def _enumerated(self, enumerated: Mapping[str, int]) -> None:
        counts = self._grid(said("five-card hands looked at one by one"), said("hands"))
        for category, hands in enumerated.items():
            self._row(counts, panel_word("category", category), number(hands))
        self._console.print(counts)

    def _returns(self, answer: "Odds") -> None:
        hit = {"part": percent(answer.hit, 4), "hands": decimal(1 / answer.hit, 1)}
        self._say(said("a box wins a prize in {part} of hands, in one of {hands}", **hit))
        meter = units(answer.meter_minor, answer.decimals)
        self._say(said("return, as a part of the bet, with the meter at {meter} and in the long run:", meter=meter))
        returns = self._grid(said("credits"), said("at this meter"), said("long run"), said("break-even meter"))
        for one, now, even in zip(answer.long_run, answer.at_meter, answer.break_even, strict=True):
            breaks = "-" if even is None else units(even, answer.decimals)
            self._row(returns, str(one.credits), percent(now), percent(one.total), breaks)
        self._console.print(returns)
        if answer.expected_trigger is not None:
            trigger = units(answer.expected_trigger, answer.decimals)
            self._say(said("expected meter when the whole of it is won {trigger}", trigger=trigger))

    def _path(self, path: "MeterPath", decimals: int) -> None:
        played = {"credits": credits_said(path.credits), "seed": path.seed}
        self._say(counted(path.hands, *SIMULATED, **played))
        met = {"start": path.start_minor, "end": path.meter_minor, "highest": path.highest_minor}
        ends = {name: units(minor, decimals) for name, minor in met.items()}
        self._say(said("meter {start} → {end}, highest {highest}", **ends))
        if path.mean_trigger_minor is None:
            self._say(said("whole meter never won"))
        else:
            self._say(counted(path.resets, *WON, mean=units(path.mean_trigger_minor, decimals)))
        funding = units(path.funded_minor, decimals)
        self._say(
            said("house funding {funding}; returned {part} of the stakes", funding=funding, part=percent(path.returned))
        )
