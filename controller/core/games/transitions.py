"""A game as a table: phase and event to the function that answers; what is not in the table is refused by name."""

from collections.abc import Callable, Mapping
from enum import Enum
from typing import Any, Protocol, TypeVar

from controller.core.events import AntePlaced, AnteWithdrawn, GameEvent, Key, KeyPressed
from controller.core.refusal import Refusal, Refused, refuse

Trigger = Key | type[GameEvent]
"""A dealer's key, or the class of another event."""

P = TypeVar("P", bound=Enum, covariant=True)


class InPhase(Protocol[P]):
    """A state that knows its phase."""

    @property
    def phase(self) -> P: ...


C = TypeVar("C")
S = TypeVar("S", bound=InPhase[Any])
Transitions = Mapping[tuple[Enum, Trigger], Callable[[C, S, Any], S | Refused]]


def step(transitions: Transitions[C, S], game: str, settings: C, state: S, event: GameEvent) -> S | Refused:
    """The state after one event, or why it is refused: late antes, a key of another game, a key out of its phase."""
    trigger = event.key if isinstance(event, KeyPressed) else type(event)
    transition = transitions.get((state.phase, trigger))
    if transition is not None:
        return transition(settings, state, event)
    name = trigger.value if isinstance(trigger, Key) else trigger.__name__
    if not any(known == trigger for _, known in transitions):
        return refuse(Refusal.UNKNOWN_KEY, key=name, game=game)
    if isinstance(event, AntePlaced | AnteWithdrawn):
        return refuse(Refusal.BETS_CLOSED, seat=event.seat)
    return refuse(Refusal.WRONG_PHASE, key=name, phase=str(state.phase.value))
