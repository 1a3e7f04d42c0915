"""`carrusel odds GAME`: exact probabilities and returns of a preset, and the path of its meter by simulation."""

import json as json_text
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

if TYPE_CHECKING:
    from controller.config.table import Table
    from controller.odds.report import Odds
    from controller.odds.simulation import Path as MeterPath


def odds(
    game: Annotated[str, typer.Argument(help="oasis, holdem-bonus or holdem-circle.")],
    preset: Annotated[str | None, typer.Option(help="A preset's name, or a preset file of your own.")] = None,
    meter: Annotated[
        int | None, typer.Option(min=0, help="Meter in minor units; its start value unless given.")
    ] = None,
    simulate: Annotated[int | None, typer.Option(min=1, help="Play so many hands of one box.")] = None,
    credits: Annotated[int, typer.Option(min=1, max=5, help="Credits of each simulated bet.")] = 1,
    seed: Annotated[int, typer.Option(min=0, help="The same seed plays the same hands.")] = 1,
    plot: Annotated[Path | None, typer.Option(help="Write the simulated path as an SVG picture.")] = None,
    language: Annotated[Literal["es", "en"], typer.Option(help="Language of the picture.")] = "es",
    enumerate_hands: Annotated[bool, typer.Option("--enumerate", help="Look at every five-card hand too.")] = False,
    json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Exact counts by combinatorics, return per bet at a meter and in the long run, break-even, mean hands to a hit."""
    from controller.config.faults import ConfigError
    from controller.odds.report import as_json, odds_of, preset_table

    try:
        table = preset_table(game, preset)
    except ConfigError as problem:
        _stop(*map(str, problem.faults))
    if plot is not None and simulate is None:
        _stop("--plot draws a simulated path: give --simulate N")
    if credits > table.jackpot.max_credits:
        _stop(f"--credits {credits}: at most {table.jackpot.max_credits} in this preset")
    if simulate is not None and not any(row.percent for row in table.jackpot.prizes.values()):
        _stop("--simulate needs a progressive prize list: this preset has no meter")
    answer = odds_of(table, meter)
    described = as_json(answer)
    if enumerate_hands:
        described["enumerated"] = _enumerated()
    path = _simulated(table, simulate, meter, credits, seed) if simulate is not None else None
    if path is not None:
        described["simulation"] = _path_json(path)
    if path is not None and plot is not None:
        from controller.odds.plot import draw_path

        plot.write_text(draw_path(path, table.jackpot, language=language), encoding="utf-8")
        described["plot"] = str(plot)
    if json:
        print(json_text.dumps(described, indent=2, ensure_ascii=False))
    else:
        _print(answer, described)


def _stop(*reasons: str) -> None:
    for reason in reasons:
        print(reason, file=sys.stderr)
    raise typer.Exit(2)


def _progress(what: str) -> Any:
    from rich.console import Console
    from rich.progress import Progress

    return Progress(console=Console(stderr=True), transient=True, disable=not sys.stderr.isatty()), what


def _enumerated() -> dict[str, int]:
    from controller.odds.enumeration import enumerate_categories

    bar, what = _progress("hands")
    with bar:
        task = bar.add_task(what, total=None)
        counts = enumerate_categories(lambda done, total: bar.update(task, completed=done, total=total))
    return {category.value: number for category, number in counts.items()}


def _simulated(table: "Table", hands: int, meter: int | None, credits: int, seed: int) -> "MeterPath":
    from controller.odds.simulation import simulate

    bar, what = _progress("simulated hands")
    with bar:
        task = bar.add_task(what, total=hands)
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


def _print(answer: "Odds", described: dict[str, Any]) -> None:
    from rich.console import Console
    from rich.table import Table as Grid

    console = Console(highlight=False)
    console.print(
        f"[bold]{described['game']}[/bold]  {described['preset']}: {answer.hands:,} hands of {answer.cards} cards"
    )
    counts = Grid(box=None, pad_edge=False)
    for name in ("category", "hands", "chance", "one in"):
        counts.add_column(name, justify="left" if name == "category" else "right")
    for category, number in answer.counts.items():
        mean = answer.mean_hands(category)
        one_in = "-" if mean is None else f"{float(mean):,.2f}"
        counts.add_row(category.value, f"{number:,}", f"{number / answer.hands:.8%}", one_in)
    console.print(counts)
    if described["dealer_qualifies"] is not None:
        console.print(f"the bank qualifies in {described['dealer_qualifies']['value']:.2%} of deals")
    if answer.rows:
        _print_returns(console, answer)
    if "simulation" in described:
        _print_simulation(console, described["simulation"])
    if "plot" in described:
        console.print(f"picture: {described['plot']}")


def _print_returns(console: Any, answer: "Odds") -> None:
    from rich.table import Table as Grid

    console.print(f"a box wins a prize in {float(answer.hit):.4%} of hands, once in {float(1 / answer.hit):,.1f}")
    returns = Grid(box=None, pad_edge=False)
    for name in ("credits", f"return at {answer.meter_minor:,}", "long run", "break-even meter"):
        returns.add_column(name, justify="right")
    for one, at_meter, even in zip(answer.long_run, answer.at_meter, answer.break_even, strict=True):
        meter = "-" if even is None else f"{int(even // 1):,}"
        returns.add_row(str(one.credits), f"{float(at_meter):.2%}", f"{float(one.total):.2%}", meter)
    console.print(returns)
    if answer.expected_trigger is not None:
        console.print(f"expected trigger value {int(answer.expected_trigger):,} (amounts in minor units)")


def _print_simulation(console: Any, path: dict[str, Any]) -> None:
    meter = path["meter"]
    console.print(f"\nsimulated {path['hands']:,} hands of {path['credits']} credit(s), seed {path['seed']}")
    console.print(f"meter {meter['start']:,} → {meter['end']:,}, highest {meter['highest']:,}")
    trigger = (
        "never" if path["mean_trigger"] is None else f"{path['resets']:,} times, on average at {path['mean_trigger']:,}"
    )
    console.print(f"whole meter won {trigger}; house funding {path['house_funding']:,}")
    console.print(f"returned {path['returned']['value']:.2%} of the stakes")
