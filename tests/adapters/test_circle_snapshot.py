"""A circle table in the middle of a hand survives its snapshot."""

from controller.adapters.journal.chain import Head
from controller.adapters.journal.snapshots import Snapshots
from controller.core.circle_events import BetOutOfTurn
from tests.engine.circle_pit import CirclePit


def test_bets_cards_and_players_come_back() -> None:
    pit = CirclePit()
    pit.wager(2)
    pit.close()
    pit.read("As 9d Qh 2c Ac 9h Qd 7d")
    pit.told(BetOutOfTurn(1, 600))
    pit.keys("raise", "call")
    snapshots = Snapshots(secret=b"of this node")
    head = Head(7, b"chain")
    _, _, code, digest, body = snapshots.seal(head, pit.state)
    assert snapshots.open(head, code, digest, body) == pit.state
