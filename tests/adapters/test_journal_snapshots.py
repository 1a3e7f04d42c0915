"""Snapshots: the state comes back equal, only to the code that wrote it, and a start reads no more than it must."""

import asyncio
from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import Enum, StrEnum
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from controller.adapters.journal.chain import Head, Stored
from controller.adapters.journal.journal import Journal
from controller.adapters.journal.snapshots import Snapshots, code_fingerprint
from controller.adapters.journal.store import Store
from controller.adapters.runner import Runner
from controller.core.events import Envelope
from controller.core.prizes import Balance
from controller.engine.frozen_map import FrozenMap
from tests.adapters.journal_fixtures import BetMachine, Bets, Wagered
from tests.engine.pit import Pit

ROOMS = ("controller.core.", "controller.engine.", "tests.adapters.")
HEAD = Head(7, bytes(range(32)))


class Phase(Enum):
    OPEN = "open"


class Word(StrEnum):
    YES = "yes"


@dataclass(frozen=True, slots=True)
class Whole:
    phase: Phase
    word: Word
    seats: dict[int, tuple[str, ...]]
    rest: tuple[Any, ...] = field(default=())


STATE = Whole(
    Phase.OPEN,
    Word.YES,
    {1: ("As", "Kd"), 2: ()},
    (None, True, 10**30, "ñ", [1, [2]], frozenset({1, 2}), b"\0\xff", {"a": {"b": 1}}, Bets({3: 4}), ("dict", 1)),
)


def snapshots(**options: Any) -> Snapshots:
    return Snapshots(rooms=ROOMS, **options)


def test_a_state_comes_back_equal_and_of_the_same_types() -> None:
    sealed = snapshots().seal(HEAD, STATE)
    opened = snapshots().open(HEAD, *sealed[2:])
    assert opened == STATE and opened is not STATE
    assert repr(opened) == repr(STATE)


def test_maps_of_the_engine_come_back_as_such() -> None:
    opened = snapshots().open(HEAD, *snapshots().seal(HEAD, FrozenMap({"b": 1, "a": (2,)}))[2:])
    assert isinstance(opened, FrozenMap) and dict(opened) == {"a": (2,), "b": 1}


def test_the_states_of_the_real_machines_come_back_equal() -> None:
    pit = Pit()
    pit.play("As Kd Qs 4c 3d", "9d 8d 7d 6d 5d", seats=(1, 2))
    pit.deliver()
    pit.bet(3)
    sealer = Snapshots()
    for state in (pit.state, pit.host.state):
        opened = sealer.open(HEAD, *sealer.seal(HEAD, state)[2:])
        assert repr(opened) == repr(state)
    assert opened == pit.host.state and pit.replayed() == pit.state


def test_a_snapshot_names_a_class_and_its_fields_once() -> None:
    """A host keeps every table's balance at each award: the names of their fields would be most of it."""
    before = tuple(Balance(f"t{number}", number, 5, 6) for number in range(100))
    body = Snapshots().seal(HEAD, (before, before))[-1]
    assert (body.count(b"Balance"), body.count(b"start_micros")) == (1, 1)
    assert Snapshots().open(HEAD, *Snapshots().seal(HEAD, (before, before))[2:]) == (before, before)


@pytest.mark.parametrize("value", [1.5, Path("x"), object(), Head(1, b""), (lambda: 0)])
def test_what_is_no_plain_value_of_the_engine_is_refused(value: object) -> None:
    with pytest.raises(TypeError):
        snapshots().seal(HEAD, (value,))


def test_another_version_other_settings_or_a_changed_byte_are_ignored() -> None:
    _, _, code, digest, body = snapshots(settings="a", secret=b"k").seal(HEAD, STATE)
    same = snapshots(settings="a", secret=b"k")
    assert same.open(HEAD, code, digest, body) == STATE
    assert snapshots(settings="b", secret=b"k").open(HEAD, code, digest, body) is None
    assert snapshots(settings="a", secret=b"other").open(HEAD, code, digest, body) is None
    assert same.open(Head(8, HEAD.chain), code, digest, body) is None
    assert same.open(HEAD, code, digest, body.replace(b"Kd", b"Ks")) is None
    assert same.open(HEAD, "0" * 64, digest, body) is None


def test_a_snapshot_cannot_name_anything_else() -> None:
    for name in ("os:system", "controller.core.money:share_micros", "controller.core.nothing:Nothing"):
        evil = f'["data","{name}",["x",1]]'.encode()
        ours = snapshots()
        digest = ours._digest(HEAD, evil)
        with pytest.raises((TypeError, ModuleNotFoundError)):
            ours.open(HEAD, ours.code, digest, evil)


def test_the_fingerprint_covers_settings() -> None:
    assert code_fingerprint() == code_fingerprint("") != code_fingerprint("x")


class Counting(Journal):
    """A journal that counts what a start reads."""

    read = 0

    def entries(self, after_seq: int = 0, chain: bytes | None = None) -> Iterator[Stored]:
        for stored in super().entries(after_seq, chain):
            self.read += 1
            yield stored


async def play(journal: Journal, numbers: range, sealed_by: Snapshots | None, every: int = 10) -> Bets:
    runner = Runner(BetMachine(), journal, lambda: 0, snapshots=sealed_by, snapshot_every=every)
    runner.start()
    task = asyncio.create_task(runner.run())
    for number in numbers:
        await runner.submit(Envelope(f"e{number}", Wagered(number % 3, 5)))
    await runner.stop()
    await task
    return runner.state


async def test_a_start_folds_only_what_came_after_the_snapshot(journal_url: str) -> None:
    with Counting.open(journal_url, name="t1") as journal:
        before = await play(journal, range(57), snapshots())
    with Counting.open(journal_url, name="t1") as journal:
        assert await play(journal, range(0), snapshots()) == before
        assert isinstance(journal, Counting) and journal.read == 0
        assert len(journal.ask_now(Store.snapshots)) == 1
    with Counting.open(journal_url, name="t1") as journal:
        assert await play(journal, range(0), snapshots(settings="other")) == before
        assert isinstance(journal, Counting) and journal.read == 58


async def test_after_a_kill_at_most_one_interval_is_folded(journal_url: str) -> None:
    with Journal.open(journal_url, name="t1") as journal:
        runner = Runner(BetMachine(), journal, lambda: 0, snapshots=snapshots(), snapshot_every=10)
        runner.start()
        task = asyncio.create_task(runner.run())
        for number in range(24):
            await runner.submit(Envelope(f"e{number}", Wagered(1, 5)))
        before = runner.state
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
    with Counting.open(journal_url, name="t1") as journal:
        assert await play(journal, range(0), snapshots()) == before
        assert isinstance(journal, Counting) and 0 < journal.read <= 10


class Seals(Snapshots):
    """Remembers where it sealed."""

    def __init__(self) -> None:
        super().__init__(rooms=ROOMS)
        self.seqs: list[int] = []

    def seal(self, head: Head, state: object) -> tuple[int, bytes, str, bytes, bytes]:
        self.seqs.append(head.seq)
        return super().seal(head, state)


@pytest.mark.parametrize(("bytes_each", "seqs"), [(1_000_000, [10, 20, 30, 40, 41]), (1, [10, 41])])
async def test_a_large_state_is_sealed_less_often(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, bytes_each: int, seqs: list[int]
) -> None:
    """The last seal is that of the orderly stop."""
    monkeypatch.setattr("controller.adapters.runner.SNAPSHOT_BYTES", bytes_each)
    sealed_by = Seals()
    with Journal.open(tmp_path / "t.db", name="t1") as journal:
        await play(journal, range(40), sealed_by)
        (kept,) = journal.ask_now(Store.snapshots)
    assert 31 < len(kept[-1]) < 1_000_000, "more bytes than entries remain after the first seal"
    assert sealed_by.seqs == seqs


async def test_a_snapshot_of_another_history_is_ignored(tmp_path: Path) -> None:
    for name in ("a", "b"):
        with Journal.open(tmp_path / f"{name}.db", name="t1") as journal:
            await play(journal, range(5), snapshots())
    with Journal.open(tmp_path / "a.db", name="t1") as journal:
        (planted,) = journal.ask_now(Store.snapshots)
    with Counting.open(tmp_path / "b.db", name="t1") as journal:
        journal.ask_now(partial(Store.save_snapshot, row=planted))
        await play(journal, range(0), snapshots())
        assert isinstance(journal, Counting) and journal.read == 6
