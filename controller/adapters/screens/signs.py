"""LED signs of tables and carousels: the amount while it is true, the message when it is not, the prize until paid."""

import asyncio
import logging
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from controller.adapters.screens.scene_prizes import OPEN, all_prizes
from controller.adapters.screens.scene_table import fresh
from controller.config.devices import Device, Sign
from controller.core.money import floor_minor
from controller.engine.host_outbox import meter
from controller.engine.host_state import HostState, Phase
from controller.engine.table_state import JackpotKind, TableSettings, TableState
from display import scene as show
from display.texts import amount_text, screen_texts
from drivers import registry
from drivers.device import Command, SettingsError, ShowAlert, ShowText

log = logging.getLogger(__name__)

ALTERNATE_S = 3.0
"""An amount that is not known to be true alternates with the reason (NZ 1.28)."""
ALERT_SIZE = 125
"""Characters of a message that takes a sign over."""
TOO_SMALL = "-"
WORDS = {
    "es": {"prize": "PREMIO", "in_play": "POZO", "stale": "SIN ENLACE"},
    "en": {"prize": "WIN", "in_play": "JACKPOT", "stale": "NO LINK"},
}
"""Short capitals of their own: a sign has few characters, and no accents."""


@dataclass(frozen=True, slots=True)
class SignPrize:
    """A prize that waits for its payment, as a sign names it; amount in minor units."""

    place: str
    category: str
    amount_minor: int


@dataclass(frozen=True, slots=True)
class SignView:
    """What signs are told of a meter. amount_minor None: there is none (a fixed jackpot); prizes: oldest first."""

    amount_minor: int | None
    fresh: bool = True
    prizes: tuple[SignPrize, ...] = ()


def table_sign_view(settings: TableSettings, name: str, state: TableState) -> SignView:
    """A table's meter, and its own prizes."""
    progressive = settings.jackpot.kind is JackpotKind.PROGRESSIVE
    amount = floor_minor(max(state.link.meter_micros, 0), settings.minor_micros) if progressive else None
    waiting = tuple(
        SignPrize(name, prize.category, prize.amount_minor) for prize in all_prizes(state) if prize.status in OPEN
    )
    return SignView(amount, not progressive or fresh(state.link), waiting)


def carousel_sign_view(place: Callable[[str], str], state: HostState) -> SignView:
    """A carousel's meter, and the prizes that any of its tables holds out of it; `place` names a table by its id."""
    told = meter(state)
    waiting = tuple(
        SignPrize(place(each.table), each.category, each.amount_minor) for each in told.pending if not each.waiting
    )
    return SignView(max(told.amount_minor, 0), state.phase is Phase.SERVING, waiting)


@dataclass(frozen=True, slots=True)
class SignWriting:
    """How the site writes on signs."""

    currency: show.Currency
    language: str

    def amount(self, template: str, minor: int, size: int) -> str:
        """The template with the amount, in the longest form that fits: a sign empties a text that is too long."""
        amount = show.Amount.of(minor)
        full = amount_text(amount, self.currency, self.language)
        whole = amount_text(amount, self.currency, self.language, fraction=False)
        bare = [each.removeprefix(self.currency.symbol).strip() for each in (full, whole)]
        forms = [template.replace("{amount}", each) for each in (full, bare[0], whole, bare[1])]
        return next((each for each in (*forms, *bare) if len(each) <= size), TOO_SMALL)

    def stale(self, size: int) -> str:
        """Why the amount may be old."""
        return WORDS[self.language]["stale"][:size]

    def alert(self, view: SignView) -> str | None:
        """The prizes that wait, newest first as far as they fit, and what is in play now; None when there are none."""
        words = WORDS[self.language]
        parts = [
            f"{words['prize']} {prize.place.upper()} {self._hand(prize.category)} {self._money(prize.amount_minor)}"
            for prize in reversed(view.prizes)
        ]
        if not parts:
            return None
        if view.amount_minor is not None:
            parts.append(f"{words['in_play']} {self._money(view.amount_minor)}")
        return _as_fits(parts)

    def _hand(self, category: str) -> str:
        texts = screen_texts(self.language)
        key = f"category.{category}"
        return (texts.text(key) if texts.has(key) else category).upper()

    def _money(self, minor: int) -> str:
        return amount_text(show.Amount.of(minor), self.currency, self.language)


def _as_fits(parts: Sequence[str]) -> str:
    said = parts[0][:ALERT_SIZE]
    for part in parts[1:]:
        if len(said) + 3 + len(part) <= ALERT_SIZE:
            said = f"{said} - {part}"
    return said


class Signs:
    """The signs of one table or carousel; `send` tells a device what it must show."""

    def __init__(
        self,
        signs: Iterable[Sign],
        devices: Iterable[Device],
        writing: SignWriting,
        send: Callable[[str, Command], None],
    ) -> None:
        sizes = {device.name: _size(device) for device in devices if device.driver == "alpha_sign"}
        self._signs = [(sign, sizes[sign.device]) for sign in signs]
        self._writing = writing
        self._send = send
        self._view: SignView | None = None
        self._alert: str | None = None
        self._message = False

    def show(self, view: SignView) -> None:
        """A committed state. The alert is written when the prizes change, not at every bet: it blanks a sign."""
        if self._view is None or view.prizes != self._view.prizes:
            self._alert = self._writing.alert(view)
        if view.fresh:
            self._message = False
        self._view = view
        self._write()

    async def run(self) -> None:
        """Alternate amount and reason for as long as the amount may be old."""
        while True:
            await asyncio.sleep(ALTERNATE_S)
            self.alternate()

    def alternate(self) -> None:
        """The other of the two, where the amount is not known to be true."""
        if self._view is not None and not self._view.fresh:
            self._message = not self._message
            self._write()

    def _write(self) -> None:
        if self._view is None:
            return
        for sign, size in self._signs:
            self._send(sign.device, ShowText(sign.label, self._text(self._view, sign, size)))
        for device in dict.fromkeys(sign.device for sign, _ in self._signs):
            self._send(device, ShowAlert(self._alert))

    def _text(self, view: SignView, sign: Sign, size: int) -> str:
        if self._message:
            return self._writing.stale(size)
        if "{amount}" not in sign.template:
            return sign.template[:size]
        return "" if view.amount_minor is None else self._writing.amount(sign.template, view.amount_minor, size)


def _size(device: Device) -> int:
    size: int = registry.driver(device.driver).Settings.from_dict(dict(device.settings), device.name).string_size
    return size


def sign_fault(sign: Sign, device: Device) -> str | None:
    """Why a device cannot show a sign's label; None when it can."""
    if device.driver != "alpha_sign":
        return f"{device.driver} shows no text"
    try:
        settings = registry.driver(device.driver).Settings.from_dict(dict(device.settings), device.name)
    except SettingsError:
        return None  # said at the device itself
    if sign.label not in settings.labels:
        return f"the layout {settings.layout!r} has no {{{sign.label}}}"
    return None
