"""Sessions of a game written as scripts: `ante 3 5000`, `play 3`, `read As Kd`, and events as they are."""

from typing import Any

from controller.core.cards import Card, parse_cards
from controller.core.events import AntePlaced, CardRead, GameEvent, Key, KeyPressed
from controller.core.games.game import Game
from controller.core.refusal import Refused


def cards(text: str) -> tuple[Card, ...]:
    """Cards of a text such as `As Kd Th`."""
    parsed = parse_cards(text)
    assert parsed is not None
    return parsed


def events(*script: str | GameEvent) -> list[GameEvent]:
    """The events of a script; a key may be followed by a seat and an amount."""
    done: list[GameEvent] = []
    for line in script:
        if not isinstance(line, str):
            done.append(line)
            continue
        word, *rest = line.split()
        match word:
            case "ante":
                done.append(AntePlaced(*(int(number) for number in rest)))
            case "read":
                done += [CardRead(card) for card in cards(" ".join(rest))]
            case _:
                done.append(KeyPressed(Key(word), *(int(number) for number in rest)))
    return done


def played(game: Game, *script: str | GameEvent) -> Any:
    """The state of a hand after a script in which nothing is refused."""
    state = game.first_hand()
    for event in events(*script):
        stepped = game.step(state, event)
        assert not isinstance(stepped, Refused), f"{event}: {stepped}"
        state = stepped
    return state


def refusal(game: Game, state: Any, event: str | GameEvent) -> Refused:
    """Why one event is refused."""
    answer = game.step(state, events(event)[-1])
    assert isinstance(answer, Refused)
    return answer
