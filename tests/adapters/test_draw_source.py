"""A real fault at the source's port: the kernel gives no randomness, a chain is lost."""

from pathlib import Path
from types import SimpleNamespace

import pytest

from controller.adapters import entropy
from controller.adapters.entropy import RETRY_S, DrawSource, load_chain
from controller.core.draws_verify import verify_draws
from controller.core.events import Envelope, Key, KeyPressed
from controller.engine.table_state import CARTA_MAGICA, DrawTerms
from display.scene import NoticeCode
from tests.api import office as offices
from tests.api.office import open_office, screen_notices, until
from tests.engine.pit import Pit, oasis_settings

DRAWS = "\n[tables.draws.carta_magica]\nprize = 10_000\n[tables.draws.jugador_afortunado]\nprize = 10_000\n"


def broken(size: int) -> bytes:
    raise OSError(5, "the kernel's source gives nothing")


class Room:
    """A pit whose source is the real one over a directory; `now_s` is its monotonic clock."""

    def __init__(self, directory: Path) -> None:
        self.pit = Pit(oasis_settings(draws=(DrawTerms(CARTA_MAGICA, 50),)))
        self.now_s = 0.0
        self.path = directory / "t1.draws"
        self.source = DrawSource(self.path, self.hear, 20, lambda: self.now_s)
        self.waiting: list[Envelope] = []

    def hear(self, envelope: Envelope) -> None:
        self.waiting.append(envelope)

    def look(self) -> None:
        """The source sees each state until it has nothing more to say."""
        for _ in range(10):
            self.source.show(self.pit.settings, self.pit.state)
            if not self.waiting:
                return
            envelope = self.waiting.pop()
            self.pit.do(envelope.event, actor=envelope.actor, id=envelope.id)
        raise AssertionError("the source never comes to rest")


@pytest.mark.requirement("R103")
def test_a_kernel_without_randomness_turns_the_draws_off_until_it_is_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    room = Room(tmp_path)
    monkeypatch.setattr(entropy, "secrets", SimpleNamespace(token_bytes=broken))
    room.look()
    assert room.pit.state.draws_off == "no_seed", "the pit's own chain is at nobody's"
    monkeypatch.undo()
    room.look()
    assert room.pit.state.draws_off, "not before its time"
    room.now_s = RETRY_S
    room.look()
    assert not room.pit.state.draws_off
    room.pit.bet(1)
    room.pit.do(KeyPressed(Key.CLOSE_BETS))
    room.look()
    assert len(room.pit.state.hand.draws) == 1


@pytest.mark.requirement("R103")
def test_a_chain_that_is_lost_while_a_hand_waits_costs_that_hand_its_draws_alone(tmp_path: Path) -> None:
    room = Room(tmp_path)
    room.look()
    room.pit.bet(1)
    room.pit.do(KeyPressed(Key.CLOSE_BETS))
    room.path.unlink()
    room.source = DrawSource(room.path, room.hear, 20, lambda: room.now_s)
    room.look()
    state = room.pit.state
    assert (state.hand.draws, state.hand.draw_pending, state.draws_off) == ((), False, "")
    kinds = [entry.kind for entry in room.pit.journal if entry.kind.startswith("draw.")][-3:]
    assert kinds == ["draw.source_failed", "draw.chain", "draw.source_back"]


@pytest.mark.requirement("R103")
def test_a_chain_that_is_lost_between_hands_is_left_for_a_reason_that_the_journal_names(tmp_path: Path) -> None:
    room = Room(tmp_path)
    room.look()
    begun = len(room.pit.journal)
    room.path.unlink()
    room.source = DrawSource(room.path, room.hear, 20, lambda: room.now_s)
    room.look()
    kinds = [entry.kind for entry in room.pit.journal[begun:]]
    assert kinds == ["draw.source_failed", "draw.chain", "draw.source_back"]
    entries = [(place, entry.kind, entry.body) for place, entry in enumerate(room.pit.journal, 1)]
    verification = verify_draws("test", "t1", "t1-i1", entries)
    assert verification.findings == () and verification.left[-1] == (begun + 2, "no_seed")


@pytest.mark.requirement("R103")
@pytest.mark.parametrize(
    "damage",
    [
        b"",
        b"\xff\xfe",
        b"[]",
        b"{}",
        b'{"root": 5, "length": 20}',
        b'{"root": "zz", "length": 20}',
        b'{"root": "00", "length": 20}',
        b"[" * 100_000,
        *(
            b'{"root": "%s", "length": %s}' % (b"00" * 32, length)
            for length in (b"0", b"-1", b"1e400", b"9" * 12, b'"x"')
        ),
    ],
)
def test_a_chain_whose_file_is_damaged_is_a_lost_one_and_the_table_plays(tmp_path: Path, damage: bytes) -> None:
    room = Room(tmp_path)
    room.look()
    room.pit.bet(1)
    room.pit.do(KeyPressed(Key.CLOSE_BETS))
    room.path.write_bytes(damage)
    room.source = DrawSource(room.path, room.hear, 20, lambda: room.now_s)
    room.look()
    kinds = [entry.kind for entry in room.pit.journal if entry.kind.startswith("draw.")][-3:]
    assert kinds == ["draw.source_failed", "draw.chain", "draw.source_back"]
    assert room.path.with_name(f"{room.path.name}.damaged").read_bytes() == damage
    assert load_chain(room.path) is not None


@pytest.mark.requirement("R103")
async def test_people_are_told_and_the_table_plays_its_jackpot(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(offices, "TABLE", offices.TABLE + DRAWS)
    monkeypatch.setattr(entropy, "secrets", SimpleNamespace(token_bytes=broken))
    async with open_office(tmp_path) as office:
        room = office.node.tables["t1"].runner
        await until(lambda: room.state.draws_off == "no_chain", "the draws are off")
        ana = await office.person("ana")
        assert "Los sorteos están suspendidos" in (await ana.get("/")).text
        prize = await office.win()
        assert room.state.link.rows[prize["id"]].category == "straight_flush"
        await until(lambda: screen_notices(office) == {NoticeCode.DRAWS_OFF}, "the screen")
        assert not any(entry.entry.kind == "draw.made" for entry in office.node.tables["t1"].journal.entries())
