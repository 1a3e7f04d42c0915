"""What a token acceptor complains of: told once until it is over; fraud is a person's affair."""

from drivers.cctalk_coin.codec import CoinEvent, FaultClass, classify
from drivers.events import Event, SensorFault


def _code(kind: FaultClass) -> str:
    return f"coin_{kind.value}"


FRAUD = _code(FaultClass.FRAUD)
_ATTENTION = (FaultClass.FRAUD, FaultClass.HARDWARE)


def is_fraud(event: CoinEvent) -> bool:
    """Whether the slot must close until bets are opened again."""
    return event.code != 0 and classify(event.code) is FaultClass.FRAUD


class Faults:
    """The faults of one acceptor that were told and are not over."""

    def __init__(self, device: str) -> None:
        self._device = device
        self._open: set[str] = set()

    def told(self, event: CoinEvent) -> SensorFault | None:
        """The fault to tell for an event of the acceptor; None for a coin, or when it was told already."""
        if event.code == 0:
            return None
        kind = classify(event.code)
        code, attention = _code(kind), kind in _ATTENTION
        if code in self._open:
            return None
        if attention:
            self._open.add(code)
        return SensorFault(device=self._device, code=code, detail=f"event code {event.code}", attention=attention)

    def over(self) -> list[Event]:
        """A coin went through: what was wrong with the path is over, fraud is not."""
        cleared = sorted(self._open - {FRAUD})
        self._open -= set(cleared)
        return [SensorFault(device=self._device, code=code, attention=False, cleared=True) for code in cleared]

    def opened_again(self) -> None:
        """Who opens the slot after a fraud wants to hear of the next one."""
        self._open.discard(FRAUD)
