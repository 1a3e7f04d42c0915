"""One ccTalk coin or token acceptor as a state machine without I/O."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal

from drivers.cctalk_coin.codec import (
    HOST,
    CcTalkCodec,
    CcTalkFrame,
    Check,
    CoinEvent,
    Header,
)
from drivers.cctalk_coin.counts import CoinCounts
from drivers.cctalk_coin.exchanges import HEADERS, IDENTITY, SIZES, Asked
from drivers.cctalk_coin.faults import Faults, is_fraud
from drivers.cctalk_coin.profile import Settings
from drivers.device import Command, DriverError, PortEvent, Request, SetAccepting
from drivers.events import CoinAccepted, Event, OutputConfirmed, SensorFault
from drivers.health import DOWN_AFTER_S

LONGEST_REPLY = 64
NOISY_S = 10.0
SILENCES_TOLD = 4
SILENCES_GONE = 3
IDENTITY_TRIES = 3


class CoinAcceptor:
    """Identify, look for signs of a reset, take the counter's baseline, assert mask and inhibit, then poll credit.

    A counter that went down or jumped by more than the buffer is believed only after mask and inhibit were read and
    found as they were written: a reset with new coins looks like a wrap.
    """

    def __init__(self, name: str, settings: Settings, memory: Mapping[str, Any] | None) -> None:
        self._name = name
        self._settings = settings
        self._counts = CoinCounts(name, memory)
        self._restarted = self._counts.has_baseline  # this process has not read the remembered counter yet
        self._accepting = False
        self._by_mask = settings.inhibit_by == "mask"
        self._asks_inhibit = True
        # What the acceptor may hold: empty when nothing is known, two values while a write is unanswered.
        mask = self._counts.mask
        self._masks: set[bytes] = set() if mask is None else {mask.to_bytes(2, "little")}
        self._inhibits: set[bytes] = set()
        self._checks = [Check.SUM8, Check.CRC16] if settings.check == "auto" else [Check(settings.check)]
        self.codec = CcTalkCodec(self._checks[0], only_dst=HOST, max_data=LONGEST_REPLY)
        self._last_credit_s: float | None = None
        self._silences = 0
        self._told_silence = False
        self._faults = Faults(name)
        self._noise, self._noisy_until_s, self._read_once = 0, 0.0, b""
        self._unanswered: Counter[Asked] = Counter()
        self._asked: Asked | None = None
        self._attempted: bytes = b""
        self._trouble = ""
        self._handlers: Mapping[Asked, Callable[[CcTalkFrame, float], list[Event]]] = {
            Asked.PRESENT: self._on_present,
            Asked.SERIAL: self._on_serial,
            Asked.CATEGORY: self._on_category,
            Asked.PRODUCT: self._on_product,
            Asked.MASK: self._on_mask,
            Asked.INHIBIT: self._on_inhibit,
            Asked.WRITE_MASK: self._on_written,
            Asked.WRITE_INHIBIT: self._on_written,
            Asked.CREDIT: self._on_credit,
        }
        self._start_over(0.0)

    def _start_over(self, now_s: float) -> None:
        """The port was opened: anything may hang on it."""
        self._identity_left = list(IDENTITY)
        self._identified = False
        self._look(Asked.MASK, Asked.INHIBIT)
        self._trusted = False
        self._confirm = True
        self._polls = 0
        self._due_s = now_s

    # What the bus reads.

    @property
    def name(self) -> str:
        return self._name

    @property
    def address(self) -> str:
        return str(self._settings.address)

    @property
    def serial(self) -> str:
        return self._counts.serial

    @property
    def identified(self) -> bool:
        return self._identified

    @property
    def trouble(self) -> str:
        return self._trouble

    def memory(self) -> dict[str, Any]:
        return self._counts.to_dict()

    def due_s(self) -> float | None:
        return self._due_s

    # The conversation.

    def next_request(self, now_s: float) -> Request | None:
        asked = self._asked = self._choose()
        self._due_s = now_s + self._settings.poll_s
        self._attempted = b""
        if asked is Asked.WRITE_MASK:
            self._attempted = self._wanted_mask
            self._masks.add(self._attempted)
        elif asked is Asked.WRITE_INHIBIT:
            self._attempted = self._wanted_inhibit
            self._inhibits.add(self._attempted)
        frame = CcTalkFrame(self._settings.address, HEADERS[asked], self._attempted, HOST)
        accepts, settings = self._accepts(asked), self._settings
        return Request(self.codec.encode(frame), accepts, settings.timeout_s, settings.gap_s, asked.value)

    def _choose(self) -> Asked:
        if self._identity_left:
            return self._identity_left[0]
        if self._to_look:
            return self._to_look[0]
        if not self._counts.has_baseline:
            return Asked.CREDIT
        if self._masks != {self._wanted_mask}:
            return Asked.WRITE_MASK
        if not self._by_mask and self._inhibits != {self._wanted_inhibit}:
            return Asked.WRITE_INHIBIT
        return Asked.CREDIT

    @property
    def _wanted_mask(self) -> bytes:
        return b"\0\0" if self._by_mask and not self._accepting else self._settings.mask

    @property
    def _wanted_inhibit(self) -> bytes:
        return bytes((self._accepting,))

    def _look(self, *what: Asked) -> None:
        """Read back mask and inhibit before anything else."""
        self._to_look = [asked for asked in what if asked is not Asked.INHIBIT or self._uses_inhibit]

    @property
    def _uses_inhibit(self) -> bool:
        return self._asks_inhibit and not self._by_mask

    def _accepts(self, asked: Asked) -> Callable[[CcTalkFrame], bool]:
        size = SIZES.get(asked)

        def accepts(frame: CcTalkFrame) -> bool:
            if frame.dst != HOST or frame.src not in (None, self._settings.address):
                return False
            if frame.header in (Header.NAK, Header.BUSY):
                return not frame.data
            return frame.header == Header.REPLY and size in (None, len(frame.data))

        return accepts

    def on_frame(self, frame: CcTalkFrame, now_s: float) -> Sequence[Event]:
        asked, self._asked = self._asked, None
        if asked is None:
            return ()
        back = self._answered()
        if frame.header == Header.BUSY:
            return back
        if frame.header == Header.NAK:
            return [*back, *self._refused(asked)]
        events = [*back, *self._handlers[asked](frame, now_s)]
        if self._identity_left or self._to_look or self._choose() is not Asked.CREDIT:
            self._due_s = now_s
        return events

    def _answered(self) -> list[Event]:
        told, self._silences, self._told_silence = self._told_silence, 0, False
        return [SensorFault(device=self._name, code="no_answer", attention=False, cleared=True)] if told else []

    def on_sent(self, now_s: float) -> Sequence[Event]:
        return ()

    def on_timeout(self, now_s: float) -> Sequence[Event]:
        asked, self._asked = self._asked, None
        self._silences += 1
        if asked is Asked.PRESENT:
            self._checks.append(self._checks.pop(0))
            self.codec.check = self._checks[0]
            return self._tell_silence()
        self._trusted = False
        self._look(Asked.MASK, Asked.INHIBIT)
        if asked in self._identity_left or self._silences >= SILENCES_GONE:
            self._identity_left, self._identified = list(IDENTITY), False
        if asked in IDENTITY:
            self._unanswered[asked] += 1
        return ()

    def _tell_silence(self) -> Sequence[Event]:
        if self._told_silence or self._silences < SILENCES_TOLD:
            return ()
        self._told_silence = True
        tried = " and ".join(sorted(check.value for check in self._checks))
        detail = f"address {self._settings.address} silent, tried {tried}; an encrypted line is not supported"
        return [SensorFault(device=self._name, code="no_answer", detail=detail, attention=False)]

    def on_port(self, event: PortEvent, now_s: float) -> Sequence[Event]:
        self._asked = None
        self._start_over(now_s)
        return ()

    def command(self, command: Command, now_s: float) -> Sequence[Event]:
        if not isinstance(command, SetAccepting):
            raise DriverError(f"{self._name} only takes or refuses coins, no {type(command).__name__}")
        if command.accepting != self._accepting:
            if command.accepting:
                self._faults.opened_again()
            self._accepting = command.accepting
            self._confirm = True
            self._due_s = now_s
        return ()

    # What the replies mean.

    def _refused(self, asked: Asked) -> list[Event]:
        """NAK: an acceptor without this command. Serial and product may be missing, 228 is replaced by the mask."""
        if asked in (Asked.SERIAL, Asked.PRODUCT):
            wanted = self._settings.serial if asked is Asked.SERIAL else self._settings.product
            if wanted:
                self._trouble = f"it does not tell its {asked.value}, {wanted} is configured"
                return []
            return self._pass(asked)
        if asked is Asked.INHIBIT:
            self._asks_inhibit = False
            self._to_look = [look for look in self._to_look if look is not Asked.INHIBIT]
            return []
        if asked is Asked.WRITE_INHIBIT:
            self._by_mask = True
            self._look(Asked.MASK)
            return []
        self._trouble = f"it refuses {asked.value}"
        return []

    def _pass(self, asked: Asked) -> list[Event]:
        """This part of the identity fits."""
        self._trouble = ""
        self._identity_left.remove(asked)
        if asked is Asked.SERIAL and not self._counts.serial:
            self._counts.identify(self._settings.serial or self._name)
        self._identified = not self._identity_left
        return []

    def _on_present(self, frame: CcTalkFrame, now_s: float) -> list[Event]:
        """It is there; what it left unanswered three times, with an answer to this in between, it does not have."""
        self._pass(Asked.PRESENT)
        for asked in (Asked.SERIAL, Asked.CATEGORY, Asked.PRODUCT):
            if self._unanswered[asked] >= IDENTITY_TRIES and self._identity_left[0] is asked:
                self._refused(asked)
        return []

    def _on_serial(self, frame: CcTalkFrame, now_s: float) -> list[Event]:
        order: Literal["little", "big"] = "little" if self._settings.serial_order == "low_first" else "big"
        serial = str(int.from_bytes(frame.data, order))
        if self._settings.serial and serial != self._settings.serial:
            self._trouble = f"serial {serial} where {self._settings.serial} is configured"
            return []
        if serial != self._counts.serial:
            self._restarted = False
            self._masks, self._inhibits = set(), set()
        self._counts.identify(serial)
        return self._pass(Asked.SERIAL)

    def _on_category(self, frame: CcTalkFrame, now_s: float) -> list[Event]:
        category = frame.data.decode("ascii", "replace")
        if "coin" not in category.lower():
            self._trouble = f"{category!r} where a coin acceptor is configured"
            return []
        return self._pass(Asked.CATEGORY)

    def _on_product(self, frame: CcTalkFrame, now_s: float) -> list[Event]:
        product = frame.data.decode("ascii", "replace").strip()
        if self._settings.product and product != self._settings.product:
            self._trouble = f"product {product!r} where {self._settings.product!r} is configured"
            return []
        return self._pass(Asked.PRODUCT)

    def _on_mask(self, frame: CcTalkFrame, now_s: float) -> list[Event]:
        known, self._masks = self._masks, {frame.data}
        if not self._by_mask:
            self._counts.remember_mask(int.from_bytes(frame.data, "little"))
        return self._looked(Asked.MASK, bool(known) and frame.data not in known, f"coin mask is {frame.data.hex()}")

    def _on_inhibit(self, frame: CcTalkFrame, now_s: float) -> list[Event]:
        shown = bytes((frame.data[0] & 1,))
        known, self._inhibits = self._inhibits, {shown}
        return self._looked(Asked.INHIBIT, bool(known) and shown not in known, f"master inhibit is {shown[0]}")

    def _looked(self, asked: Asked, differs: bool, what: str) -> list[Event]:
        self._to_look = [look for look in self._to_look if look is not asked]
        if differs:  # one reset: what is read next is no second one
            self._masks, self._inhibits = (self._masks, set()) if asked is Asked.MASK else (set(), self._inhibits)
            return [self._reset(f"{what}, not as written")]
        self._trusted = not self._to_look
        return self._confirmed()

    def _confirmed(self) -> list[Event]:
        """Told once after each change, when the acceptor was read and holds what is desired."""
        done = self._choose() is Asked.CREDIT and self._counts.has_baseline
        if not self._confirm or not done:
            return []
        self._confirm = False
        return [OutputConfirmed(device=self._name, outputs={"accepting": self._accepting})]

    def _reset(self, why: str) -> Event:
        self._restarted, self._confirm = False, True
        return self._counts.reset(why)

    def _on_written(self, frame: CcTalkFrame, now_s: float) -> list[Event]:
        if len(self._attempted) == 2:
            self._masks = {self._attempted}
            self._look(Asked.MASK)
        else:
            self._inhibits = {self._attempted}
            self._look(Asked.INHIBIT)
        return self._confirmed()

    def _on_credit(self, frame: CcTalkFrame, now_s: float) -> list[Event]:
        data, raw = frame.data, frame.raw
        if self._doubtful(data, now_s):
            self._due_s = now_s
            return []
        away_s = 0.0 if self._last_credit_s is None else now_s - self._last_credit_s
        apart = "daemon was stopped" if self._restarted else "link was down" if away_s > DOWN_AFTER_S else ""
        if not self._counts.has_baseline:
            self._read_at(now_s)
            return self._counts.baseline(data, raw)
        last = self._counts.last or 0
        fell = data[0] == 0 and last != 0
        if fell or self._counts.contradicts(data):
            self._masks, self._inhibits = set(), set()
            self._look(Asked.MASK, Asked.INHIBIT)
            how = "fell from" if fell else "has fewer events behind it than from"
            return [self._reset(f"event counter {how} {last} to {data[0]}")]
        if self._counts.jumped(data[0]) and not self._trusted:
            self._look(Asked.MASK, Asked.INHIBIT)
            return []
        self._read_at(now_s)
        events, codes = self._counts.read(data, raw, apart)
        if any(isinstance(event, CoinAccepted) for event in events):
            events += self._faults.over()
        return events + [fault for code in codes if (fault := self._fault(code)) is not None]

    def _doubtful(self, data: bytes, now_s: float) -> bool:
        """An eight-bit sum lets some damage pass: while noise is about, news must be read twice alike."""
        counters = self.codec.counters
        noise = counters.junk_bytes + counters.bad_check + counters.short
        if noise != self._noise:
            self._noise, self._noisy_until_s = noise, now_s + NOISY_S
        news = data[0] != self._counts.last
        quiet = self.codec.check is Check.CRC16 or now_s >= self._noisy_until_s
        doubtful = news and not quiet and data != self._read_once
        self._read_once = data if doubtful else b""
        return doubtful

    def _read_at(self, now_s: float) -> None:
        self._restarted, self._trusted = False, False
        self._last_credit_s = now_s
        self._polls += 1
        if self._polls >= self._settings.check_every:
            self._polls = 0
            self._look(Asked.MASK, Asked.INHIBIT)

    def _fault(self, event: CoinEvent) -> SensorFault | None:
        """Fraud also closes the slot until bets are opened again."""
        if is_fraud(event) and self._accepting:
            self._accepting, self._confirm = False, True
        return self._faults.told(event)
