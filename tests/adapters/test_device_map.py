"""What each device event means at a table, one row a mapping."""

import pytest

from controller.adapters.hardware.device_map import DeviceMap, KeypadEntry
from controller.config.devices import Keypad
from controller.config.table import Table
from controller.core.cards import Card
from controller.core.events import (
    AlarmCleared,
    AlarmRaised,
    AntePlaced,
    AnteWithdrawn,
    CardRead,
    CreditsUnread,
    CreditWagered,
    CreditWithdrawn,
    Envelope,
    Key,
    KeyPressed,
    SeatsClosed,
    Source,
)
from drivers import events
from drivers.events import LinkState

TABLE = Table.model_validate(
    {
        "id": "t1",
        "name": "Mesa 1",
        "game": "oasis",
        "seats": 7,
        "devices": [
            {"name": "io", "driver": "modbus_rtu_io", "port": "/dev/a", "unit": 1},
            {"name": "slot", "driver": "cctalk_coin", "port": "/dev/b"},
            {"name": "pad", "driver": "hid_keypad", "port": "/dev/c"},
            {"name": "shoe", "driver": "line_reader", "port": "/dev/d"},
        ],
        "inputs": [
            {"device": "io", "input": 0, "means": "credit", "seat": 1, "mode": "level"},
            {"device": "io", "input": 1, "means": "credit", "seat": 2, "credits": 2},
            {"device": "io", "input": 2, "means": "ante", "seat": 3, "mode": "level", "amount": 2500},
            {"device": "io", "input": 3, "means": "key", "key": "close_bets"},
            {"device": "io", "input": 4, "means": "key", "key": "prize", "seat": 5},
            {"device": "slot", "input": 3, "means": "credit", "seat": 6},
        ],
        "readers": [{"device": "shoe"}],
        "keypads": [{"device": "pad", "keys": {"enter": "bet"}, "digits": "amount"}],
    }
)


def counted(**facts: object) -> dict[str, object]:
    return {"device": "io", "serial": "s1", "epoch": 2, "counter": 9, "raw": b"\x01", **facts}


def read(device: str, card: str) -> events.LineRead:
    return events.LineRead(**counted(device=device, kind="card_dealt", fields={"card": card}))


def line(device: str, kind: str, **fields: str) -> events.LineRead:
    return events.LineRead(**counted(device=device, kind=kind, fields=fields))


def first(envelopes: tuple[Envelope, ...]) -> object:
    return envelopes[0].event if envelopes else None


@pytest.mark.parametrize(
    ("event", "expected"),
    [
        (events.InputCounted(**counted(input=0)), CreditWagered(1, 1)),
        (events.InputCounted(**counted(input=1)), CreditWagered(2, 2)),
        (events.InputCounted(**counted(input=2)), AntePlaced(3, 2500)),
        (events.InputCounted(**counted(input=3)), KeyPressed(Key.CLOSE_BETS)),
        (events.InputCounted(**counted(input=4)), KeyPressed(Key.PRIZE, 5)),
        (events.InputCounted(**counted(input=7)), None),
        (events.InputReleased(**counted(input=0)), CreditWithdrawn(1, 1)),
        (events.InputReleased(**counted(input=1)), None),
        (events.InputReleased(**counted(input=2)), AnteWithdrawn(3)),
        (events.CoinAccepted(**counted(device="slot", coin=3, path=1)), CreditWagered(6, 1)),
        (events.CoinAccepted(**counted(device="slot", coin=4, path=1)), None),
        (
            events.LineRead(**counted(device="shoe", kind="card_dealt", fields={"card": "Qd"})),
            CardRead(Card("Qd"), "dealing"),
        ),
        (events.LineRead(**counted(device="shoe", kind="card_dealt", fields={"card": "??"})), None),
        (events.LineRead(**counted(device="shoe", kind="shuffle_done")), KeyPressed(Key.SHUFFLE_DONE)),
        (events.LineRead(**counted(device="other", kind="card_dealt", fields={"card": "Qd"})), None),
        (
            events.LinkChanged(device="io", state=LinkState.DOWN, why="unplugged"),
            SeatsClosed("io", (1, 2), "unplugged"),
        ),
        (events.LinkChanged(device="io", state=LinkState.UP, why="answers"), SeatsClosed("io", (), "answers")),
        (events.LinkChanged(device="io", state=LinkState.DEGRADED, why="late"), None),
        (
            events.SensorFault(device="io", code="stuck", input=1, detail="on for 30 s"),
            AlarmRaised("stuck", "io/in1", "on for 30 s", seat=2),
        ),
        (events.SensorFault(device="io", code="stuck", input=1, cleared=True), AlarmCleared("stuck", "io/in1")),
        (
            events.SensorFault(device="slot", code="coin_fraud", detail="event code 20"),
            AlarmRaised("coin_fraud", "slot", "event code 20", seat=6),
        ),
        (
            events.SensorFault(device="shoe", code="unknown_line", attention=False),
            AlarmRaised("unknown_line", "shoe", attention=False),
        ),
        (
            events.DeviceReset(device="io", serial="s1", epoch=3, why="power"),
            AlarmRaised("device_reset", "io", "power", attention=False),
        ),
        (line("shoe", "card_count", count="51"), AlarmRaised("wrong_card_count", "shoe", "51 cards")),
        (line("shoe", "card_count", count="052"), None),
        (line("shoe", "card_count"), AlarmRaised("wrong_card_count", "shoe", "? cards")),
        (line("shoe", "jam", where="EXIT"), AlarmRaised("shuffler_jam", "shoe", "EXIT")),
        (line("shoe", "deck_ready"), KeyPressed(Key.SHUFFLE_DONE)),
        (line("shoe", "lid_open"), KeyPressed(Key.LID_OPEN)),
    ],
)
def test_meanings(event: events.Event, expected: object) -> None:
    assert first(DeviceMap(TABLE).envelopes(event)) == expected


@pytest.mark.requirement("R66")
@pytest.mark.parametrize(
    ("state", "why", "expected"),
    [
        (LinkState.DOWN, "unplugged", [AlarmRaised("device_down", "io", "unplugged")]),
        (LinkState.DOWN, "stopped", []),
        (LinkState.DEGRADED, "late", []),
        (LinkState.UP, "answers", [AlarmCleared("device_down", "io", "answers")]),
    ],
)
def test_the_loss_of_a_device_is_an_alarm_until_it_is_back(
    state: LinkState, why: str, expected: list[AlarmRaised | AlarmCleared]
) -> None:
    envelopes = DeviceMap(TABLE).alarms(events.LinkChanged(device="io", state=state, why=why))
    assert [each.event for each in envelopes] == expected


def test_a_finished_shuffle_ends_the_jam() -> None:
    envelopes = DeviceMap(TABLE).envelopes(line("shoe", "shuffle_done"))
    assert [each.event for each in envelopes] == [
        KeyPressed(Key.SHUFFLE_DONE),
        AlarmCleared("shuffler_jam", "shoe", "shuffle_done"),
    ]


def test_a_counted_event_has_an_id_for_ever_and_its_source() -> None:
    (one,) = DeviceMap(TABLE).envelopes(events.InputCounted(**counted(input=0)))
    (again,) = DeviceMap(TABLE).envelopes(events.InputCounted(**counted(input=0)))
    assert one == again
    assert (one.id, one.source) == ("io/s1/in0/2/9", Source("io", "s1", "in0", 2, 9, "01"))


@pytest.mark.promise("P10")
@pytest.mark.parametrize(
    ("input_", "lost", "expected"),
    [
        (1, (1, 3), [CreditsUnread(2, 2, 6, "reset")]),
        (None, (0, None), [CreditsUnread(1, 0, None, "reset"), CreditsUnread(2, 0, None, "reset")]),
        (3, (1, 1), []),
        (0, (0, 0), []),
    ],
)
def test_lost_counts_are_told_in_credits_for_each_seat(
    input_: int | None, lost: tuple[int, int | None], expected: list[object]
) -> None:
    event = events.CountDiscontinuity(
        **counted(input=input_, expected=5, got=0, lost_min=lost[0], lost_max=lost[1], why="reset")
    )
    envelopes = DeviceMap(TABLE).envelopes(event)
    assert [each.event for each in envelopes] == expected
    assert len({each.id for each in envelopes}) == len(envelopes)


@pytest.mark.parametrize(
    ("digits", "keys", "expected"),
    [
        ("amount", "150 enter", KeyPressed(Key.BET, amount_minor=15_000)),
        ("amount", "enter", KeyPressed(Key.BET)),
        ("amount", "15 clear 7 enter", KeyPressed(Key.BET, amount_minor=700)),
        ("seat", "4 enter", KeyPressed(Key.BET, seat=4)),
        ("seat", "4 unknown", None),
    ],
)
def test_a_keypad_entry(digits: str, keys: str, expected: KeyPressed | None) -> None:
    keypad = KeypadEntry(Keypad(device="pad", keys={"enter": "bet"}, digits=digits), 100)  # type: ignore[arg-type]  # a row
    pressed = None
    for word in keys.split():
        for key in word if word.isdigit() else [word]:
            pressed = keypad.press(key)
    assert pressed == expected
