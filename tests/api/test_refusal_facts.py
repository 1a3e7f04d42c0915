"""Every word of the house that a refusal may carry (a state, a key, a cause) has people's words in both catalogues."""

import ast
from collections.abc import Iterable, Iterator, Mapping
from enum import Enum
from pathlib import Path
from typing import NamedTuple

import pytest

import controller
from controller.api.facts import GROUPS, facts_said
from controller.api.texts import LANGUAGES, catalogue
from controller.core.causes import PoolCause, PoolChange
from controller.core.events import Key
from controller.core.games import circle_hand, circle_state, holdem_bonus_hand, oasis_hand
from controller.core.hands import Category
from controller.core.prize_events import CheckItem, HoldReason
from controller.core.restored import RestoredOutcome
from controller.engine import host_state
from controller.engine.accounts_state import ApprovalStatus
from controller.engine.table_bets import UNCONFIRMED
from controller.engine.table_pools import KINDS
from controller.engine.table_state import PrizeStatus

SOURCE = Path(controller.__file__).parent
GAMES = (oasis_hand, holdem_bonus_hand, circle_hand)
FREE = frozenset({"FORM_INVALID", "SETTINGS_INVALID"})
"""Refusals whose `why` is the form's own, told by `form_error`, or a finding of the file, in its catalogue."""
ELSEWHERE = frozenset({"place", "other", "person", "setting", "code", "lamp", "game"})
"""Facts that hold places, people and settings, which are said by rules of their own, and what was typed."""


def values(*enums: type[Enum]) -> set[str]:
    return {str(each.value) for enum in enums for each in enum}


def whys(file: str) -> set[str]:
    """Words that a module gives as a reason: returned, named `why`, or the second of `_stop`."""
    tree, found = ast.parse((SOURCE / file).read_text(encoding="utf-8")), list[ast.expr | None]()
    for node in ast.walk(tree):
        if isinstance(node, ast.Return):
            found.append(node.value)
        elif isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "why":
            found += [node.value.body, node.value.orelse] if isinstance(node.value, ast.IfExp) else [node.value]
        elif isinstance(node, ast.Dict):
            pairs = zip(node.keys, node.values, strict=True)
            found += [each for key, each in pairs if isinstance(key, ast.Constant) and key.value == "why"]
    found += [call.args[1] for call in calls(tree, "_stop")]
    return {each.value for each in found if isinstance(each, ast.Constant) and isinstance(each.value, str)}


def sources() -> Iterator[tuple[str, ast.Module]]:
    for file in sorted(SOURCE.rglob("*.py")):
        yield str(file.relative_to(SOURCE)), ast.parse(file.read_text(encoding="utf-8"))


def calls(tree: ast.AST, *names: str) -> Iterator[ast.Call]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            named = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            if named in names:
                yield node


def events_of_games() -> set[str]:
    """What `transitions.step` calls an event: its key, or its class."""
    triggers = {trigger for game in GAMES for _, trigger in game.TRANSITIONS}
    return {str(each.value) if isinstance(each, Key) else each.__name__ for each in triggers}


STOPS = whys("engine/member_ledger.py") | whys("engine/member.py")
PHASES = values(circle_state.Phase, oasis_hand.Phase, holdem_bonus_hand.Phase)
WHENCE: Mapping[str, Iterable[str]] = {
    "cause.value": values(PoolCause),
    "hold.reason": values(HoldReason),
    "wrong.value": values(PoolChange),
    "missing.value": values(CheckItem),
    "event.outcome.value": values(RestoredOutcome),
    "event.pool": KINDS,
    "target": KINDS,
    "event.kind": KINDS,
    "kind": values(Category),
    "event.key.value": values(Key),
    "name": events_of_games(),
    "pen.state.phase.value": values(host_state.Phase),
    "state.phase.value": values(host_state.Phase) | PHASES,
    "host.state.phase.value": values(host_state.Phase),
    "settings.game.phase(state.hand.game)": PHASES,
    "str(state.phase.value)": PHASES,
    "approval.status.value": values(ApprovalStatus),
    "prize.status.value": values(PrizeStatus),
    "prize['status']": values(PrizeStatus),
    "facts['status']": values(PrizeStatus),
    "table.ended": ("time", "players"),
    "state.why_fenced": whys("engine/host_promotion.py"),
    "UNCONFIRMED": (UNCONFIRMED,),
    "next(iter(state.stops), 'no_jackpot')": ("no_jackpot", "people"),
    "source": (),
    "state.stopped": STOPS,
    "state.stopped or 'not_a_member'": (*STOPS, "not_a_member"),
}
"""What an expression may be, as it stands in the source; a device's name (`source`) is no word of the house."""


class Word(NamedTuple):
    """One value of a fact, and where it is said."""

    file: str
    refusal: str
    fact: str
    value: str


def words() -> Iterator[Word]:
    for file, tree in sources():
        for call in calls(tree, "refuse"):
            refusal = ast.unparse(call.args[0]).removeprefix("Refusal.") if call.args else ""
            for each in call.keywords:
                if each.arg is None or each.arg in ELSEWHERE or refusal in FREE:
                    continue
                if isinstance(each.value, ast.Constant) and isinstance(each.value.value, str):
                    yield Word(file, refusal, each.arg, each.value.value)
                elif each.arg in GROUPS:
                    expression = ast.unparse(each.value)
                    assert expression in WHENCE, f"{file}: what may {each.arg}={expression} of {refusal} be?"
                    yield from (Word(file, refusal, each.arg, value) for value in WHENCE[expression])


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_word_of_the_house_in_a_refusal_is_people_s(language: str) -> None:
    texts = catalogue(language).texts
    raw = {each for each in words() if not any(f"{group}.{each.value}" in texts for group in GROUPS.get(each.fact, ()))}
    assert not raw, "\n".join(map(str, sorted(raw)))


def test_a_table_that_is_leaving_says_so_in_words() -> None:
    facts = {"why": "leaving"}
    assert facts_said("jackpot_bets_stopped", facts, "es") == "causa: la mesa está dejando el carrusel"
    assert facts_said("nothing_restored", {"item": "award/t1/i/4/3"}, "es") == "dinero: Premio del carrusel"
