"""Where each message of the carousel link travels: topic, quality of service, retained or not."""

from dataclasses import dataclass

from controller.engine.messages import (
    Checkpointed,
    Claimed,
    Collect,
    Cosigned,
    Counter,
    HostCheckpointed,
    HostStatus,
    Ledger,
    Message,
    Meter,
    Received,
    Report,
    Roster,
    Status,
)


@dataclass(frozen=True, slots=True)
class Way:
    """How a message travels. newest_only: an older one of the same sender and boot brings nothing and is dropped."""

    name: str
    qos: int
    retained: bool
    newest_only: bool


WAYS: dict[type[Message], Way] = {
    Counter: Way("counter", 1, True, True),
    Status: Way("status", 1, True, True),
    Received: Way("received", 1, True, True),
    Claimed: Way("claim", 1, False, False),
    Report: Way("report", 1, False, False),
    HostStatus: Way("host", 1, True, True),
    Ledger: Way("ledger", 1, True, False),
    Collect: Way("collect", 1, False, False),
    Meter: Way("meter", 0, True, True),
    Roster: Way("roster", 1, True, True),
    Checkpointed: Way("checkpoint", 1, True, True),
    HostCheckpointed: Way("host_checkpoint", 1, True, True),
    Cosigned: Way("cosigned", 1, True, True),
}


@dataclass(frozen=True, slots=True)
class Topics:
    """Topics of one carousel under `carrusel/v1/{site}/{carousel}/`."""

    site: str
    carousel: str

    @property
    def prefix(self) -> str:
        return f"carrusel/v1/{self.site}/{self.carousel}"

    def of(self, message: Message) -> str:
        """The topic of a message."""
        return f"{self.prefix}/{self._place(message)}"

    def _place(self, message: Message) -> str:
        match message:
            case Counter() | Status() | Received() | Collect() | Checkpointed() | Cosigned():
                return f"table/{message.table}/{WAYS[type(message)].name}"
            case Claimed():
                return f"host/claim/{message.claim.id.replace('/', '.')}"
            case Report():
                return f"host/report/{message.table}"
            case HostStatus():
                return "host/status"
            case HostCheckpointed():
                return "host/checkpoint"
            case Ledger():
                return f"ledger/{message.record.seq}"
            case Meter():
                return "meter"
            case Roster():
                return "roster"

    def for_table(self, table: str) -> tuple[str, ...]:
        """What a table listens to."""
        own = (f"table/{table}/collect", f"table/{table}/cosigned")
        return tuple(
            f"{self.prefix}/{place}" for place in ("host/status", "host/checkpoint", "ledger/+", "roster", *own)
        )

    def for_host(self) -> tuple[str, ...]:
        """What a host listens to; its own ledger too, to clear what a host before it left there."""
        said = tuple(f"table/+/{name}" for name in ("counter", "status", "received", "checkpoint"))
        return tuple(f"{self.prefix}/{place}" for place in (*said, "host/claim/+", "host/report/+", "ledger/+"))
