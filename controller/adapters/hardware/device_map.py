"""What a device's events mean at a table: seats, keys and cards by configuration; drivers know none of them."""

from collections.abc import Mapping

from controller.config.devices import Input, Keypad, Reader
from controller.config.table import Table
from controller.core.cards import parse_card
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
from drivers import events as device_events
from drivers.events import CountedEvent, LinkState

Channel = tuple[str, int | str]

DEVICE_DOWN = "device_down"
DEVICE_RESET = "device_reset"
WRONG_CARD_COUNT = "wrong_card_count"
SHUFFLER_JAM = "shuffler_jam"
CARDS_IN_DECK = 52
STOPPED = "stopped"
"""Why a bus says that its devices are down when the daemon itself lets go of them."""


class KeypadEntry:
    """Digits typed before a key: an amount or a seat; kept here only until the key comes, never logged."""

    def __init__(self, keypad: Keypad, minor_per_unit: int) -> None:
        self._keypad = keypad
        self._minor_per_unit = minor_per_unit
        self._digits = ""

    def press(self, key: str) -> KeyPressed | None:
        """The dealer's key when it is complete; None for a digit, a cleared entry or a key without meaning."""
        if key.isdigit():
            self._digits = (self._digits + key)[-9:]
            return None
        digits, self._digits = self._digits, ""
        meaning = self._keypad.keys.get(key)
        if meaning is None:
            return None
        number = int(digits) if digits else None
        if self._keypad.digits == "seat":
            return KeyPressed(Key(meaning), seat=number)
        return KeyPressed(Key(meaning), amount_minor=None if number is None else number * self._minor_per_unit)


class DeviceMap:
    """Translates the events of one table's devices; pure, so that every mapping is a row in a test."""

    def __init__(self, table: Table, minor_per_unit: int = 100) -> None:
        self._inputs: Mapping[Channel, Input] = {(each.device, each.input): each for each in table.inputs}
        self._readers: Mapping[str, Reader] = {each.device: each for each in table.readers}
        self._keypads = {each.device: KeypadEntry(each, minor_per_unit) for each in table.keypads}

    def envelopes(self, event: device_events.Event) -> tuple[Envelope, ...]:
        """The table's events for one device event; none when it means nothing at this table."""
        match event:
            case device_events.InputCounted(device=device, input=number):
                return self._counted(event, self._inputs.get((device, number)))
            case device_events.InputReleased(device=device, input=number):
                return self._released(event, self._inputs.get((device, number)))
            case device_events.CoinAccepted(device=device, coin=coin):
                return self._counted(event, self._inputs.get((device, coin)))
            case device_events.KeyPressed(device=device, key=key) if device in self._keypads:
                pressed = self._keypads[device].press(key)
                return () if pressed is None else (_envelope(event, pressed),)
            case device_events.KeyPressed(device=device, key=key):
                return self._counted(event, self._inputs.get((device, key)))
            case device_events.LineRead():
                return self._line(event)
            case device_events.CountDiscontinuity():
                return self._unread(event)
            case device_events.LinkChanged():
                return (*self._link(event), *self.alarms(event))
            case device_events.SensorFault() | device_events.DeviceReset():
                return self.alarms(event)
            case _:
                return ()

    def alarms(self, event: device_events.Event) -> tuple[Envelope, ...]:
        """What a device says of its own health, as alarms; they belong to no count."""
        seats = self._seats_on(event.device, getattr(event, "input", None))
        seat = seats[0] if len(seats) == 1 else None
        return tuple(Envelope("", alarm, actor=event.device) for alarm in device_alarms(event, seat))

    def seats_of(self, device: str) -> tuple[int, ...]:
        """Seats whose jackpot bets depend on a device."""
        seats = {each.seat for each in self._inputs.values() if each.device == device and each.means == "credit"}
        return tuple(sorted(seat for seat in seats if seat is not None))

    def _seats_on(self, device: str, number: int | None) -> tuple[int, ...]:
        """Seats that one input of a device serves, or the whole device."""
        inputs = [each for each in self._inputs.values() if each.device == device and number in (None, each.input)]
        return tuple(sorted({each.seat for each in inputs if each.seat is not None}))

    def _counted(self, event: CountedEvent, meaning: Input | None) -> tuple[Envelope, ...]:
        match meaning:
            case Input(means="credit", seat=int(seat), credits=credits):
                return (_envelope(event, CreditWagered(seat, credits)),)
            case Input(means="ante", seat=int(seat), amount=amount):
                return (_envelope(event, AntePlaced(seat, amount)),)
            case Input(means="key", key=str(key), seat=seat):
                return (_envelope(event, KeyPressed(Key(key), seat)),)
            case _:
                return ()

    def _released(self, event: CountedEvent, meaning: Input | None) -> tuple[Envelope, ...]:
        match meaning:
            case Input(means="credit", mode="level", seat=int(seat), credits=credits):
                return (_envelope(event, CreditWithdrawn(seat, credits)),)
            case Input(means="ante", mode="level", seat=int(seat)):
                return (_envelope(event, AnteWithdrawn(seat)),)
            case _:
                return ()

    def _line(self, event: device_events.LineRead) -> tuple[Envelope, ...]:
        reader = self._readers.get(event.device)
        match event.kind:
            case "shuffle_done" | "deck_ready":
                over = Envelope("", AlarmCleared(SHUFFLER_JAM, event.device, event.kind), actor=event.device)
                return (_envelope(event, KeyPressed(Key.SHUFFLE_DONE)), over)
            case "lid_open":
                return (_envelope(event, KeyPressed(Key.LID_OPEN)),)
            case "jam":
                where = event.fields.get("where", "")
                return (_envelope(event, AlarmRaised(SHUFFLER_JAM, event.device, where)),)
            case "card_count" if event.fields.get("count", "").lstrip("0") != str(CARDS_IN_DECK):
                counted = event.fields.get("count", "?")
                return (_envelope(event, AlarmRaised(WRONG_CARD_COUNT, event.device, f"{counted} cards")),)
        if reader is None:
            return ()
        card = parse_card(event.fields.get("card", ""))
        return () if card is None else (_envelope(event, CardRead(card, reader.place)),)

    def _unread(self, event: device_events.CountDiscontinuity) -> tuple[Envelope, ...]:
        meanings = [
            each
            for each in self._inputs.values()
            if each.device == event.device and each.means == "credit" and event.input in (None, each.input)
        ]
        return tuple(
            _envelope(
                event,
                CreditsUnread(
                    each.seat,
                    event.lost_min * each.credits,
                    None if event.lost_max is None else event.lost_max * each.credits,
                    event.why,
                ),
                suffix=f"/seat-{each.seat}",
            )
            for each in meanings
            if each.seat is not None and event.lost_max != 0
        )

    def _link(self, event: device_events.LinkChanged) -> tuple[Envelope, ...]:
        if event.state is LinkState.DEGRADED:
            return ()
        seats = () if event.state is LinkState.UP else self.seats_of(event.device)
        return (Envelope("", SeatsClosed(event.device, seats, event.why), actor=event.device),)


def device_alarms(event: device_events.Event, seat: int | None = None) -> tuple[AlarmRaised | AlarmCleared, ...]:
    """The alarm that a device's event raises or ends; its source is the device, with the input where it names one."""
    match event:
        case device_events.SensorFault(device=device, code=code, detail=detail, input=number):
            source = device if number is None else f"{device}/in{number}"
            if event.cleared:
                return (AlarmCleared(code, source, detail),)
            return (AlarmRaised(code, source, detail, seat, event.attention),)
        case device_events.DeviceReset(device=device, why=why):
            return (AlarmRaised(DEVICE_RESET, device, why, seat, attention=False),)
        case device_events.LinkChanged(device=device, state=LinkState.UP, why=why):
            return (AlarmCleared(DEVICE_DOWN, device, why),)
        case device_events.LinkChanged(device=device, state=LinkState.DOWN, why=why) if why != STOPPED:
            return (AlarmRaised(DEVICE_DOWN, device, why, seat),)
    return ()


def _envelope(event: CountedEvent, meaning: object, suffix: str = "") -> Envelope:
    source = Source(event.device, event.serial, event.channel, event.epoch, event.counter, event.raw.hex())
    return Envelope(f"{event.device}/{event.event_id}{suffix}", meaning, actor=event.device, source=source)
