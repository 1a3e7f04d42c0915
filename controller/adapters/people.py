"""The node's people: their journal, its runner, and the hashing of their PINs."""

from pathlib import Path

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from controller.adapters.clock import wall_ms
from controller.adapters.hardware.desks import RunnerDesk
from controller.adapters.journal import checkpoint_moments
from controller.adapters.journal.journal import Journal
from controller.adapters.journal.snapshots import Snapshots
from controller.adapters.passwords import ArgonPasswords
from controller.adapters.runner import Runner
from controller.config.model import Config
from controller.engine.accounts import AccountsMachine
from controller.engine.accounts_state import DAY_MS, AccountsState, LoginPolicy

JOURNAL = "node"


def people_place(config: Config) -> str | Path:
    """Where the accounts' journal lives: a file of the state directory, or a schema of the database."""
    return config.state.database or config.state.directory / f"{JOURNAL}.db"


class PeopleRoom:
    """Accounts, sessions and approvals of this node, in a journal of their own."""

    def __init__(self, config: Config, key: Ed25519PrivateKey) -> None:
        self.journal = Journal.open(
            people_place(config), name=JOURNAL, key=key, wall_ms=wall_ms(), replicated=config.state.replicated
        )
        self.policy = LoginPolicy(secret_ms=config.api.pin_days * DAY_MS)
        self.runner: Runner[AccountsState] = Runner(
            AccountsMachine(self.policy),
            self.journal,
            wall_ms,
            checkpoint_after=checkpoint_moments.of_people,
            snapshots=Snapshots(secret=key.private_bytes_raw()),
        )
        self.passwords = ArgonPasswords()
        self.runner.start()
        self.desk = RunnerDesk(self.runner, self.journal)

    async def run(self) -> None:
        """Serve until cancelled; the journal is closed by `close`."""
        await self.runner.run()

    def close(self) -> None:
        self.runner.leave_snapshot()
        self.journal.close()
