"""Kill -9 at every counted write and send of two hands, a prize, a correction and a void: table and host."""

from __future__ import annotations

import asyncio
import os
import shutil
import signal
import traceback
from pathlib import Path

import pytest

from controller.adapters.hardware.devices import known_hardware
from controller.adapters.link import hearing, host_end, table_end
from controller.config import load
from controller.config.model import Config
from tests.system.both_hands import HubStrike, both_hands, check
from tests.system.pit_files import OasisHardware, oasis_table, write_site

pytestmark = [pytest.mark.system, pytest.mark.promise("P1"), pytest.mark.slow, pytest.mark.timeout(1800)]


LANES = 4
"""So many points are struck at a time, each with journals of its own: they wait for the disk more than they compute."""


def in_children(lives: list[tuple[Config, HubStrike]]) -> list[int]:
    """Play each in a forked process; their wait statuses. What went wrong is in `trouble` beside the journals."""
    children = [forked(*life) for life in lives]
    return [os.waitpid(child, 0)[1] for child in children]


def forked(config: Config, strike: HubStrike) -> int:
    child = os.fork()
    if child == 0:
        status = 70
        try:
            asyncio.run(both_hands(config, strike))
            status = 0
        except BaseException:
            (config.state.directory / "trouble").write_text(traceback.format_exc())
            raise
        finally:
            os._exit(status)
    return child


@pytest.fixture
def config(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Config:
    """One table and its own carousel, without hardware: the script reports what it would."""
    for end in (host_end, table_end):
        monkeypatch.setattr(end, "BEAT_S", 0.03)
    monkeypatch.setattr(hearing, "SILENCE_S", 600.0)  # no bet is refused because the machine stood still
    loaded = load(write_site(tmp_path, 8070, oasis_table("t1", OasisHardware.new())), known_hardware().drivers)
    bare = {"devices": (), "inputs": (), "outputs": (), "readers": ()}
    return loaded.model_copy(update={"tables": (loaded.tables[0].model_copy(update=bare),)})


def in_directory(config: Config, directory: Path) -> Config:
    directory.mkdir()
    return config.model_copy(update={"state": config.state.model_copy(update={"directory": directory})})


def trouble(directory: Path) -> str:
    place = directory / "trouble"
    return place.read_text() if place.exists() else "killed"


@pytest.mark.requirement("R67", "R103")
@pytest.mark.promise("P3")
def test_kill_at_every_write_and_send_of_two_hands(config: Config, tmp_path: Path) -> None:
    dry = HubStrike()
    asyncio.run(both_hands(in_directory(config, tmp_path / "dry"), dry))
    check(tmp_path / "dry")
    assert dry.count > 120, "both hands were played"
    killed = 0
    for numbers in batched(range(1, dry.count + 1), LANES):
        own = {number: in_directory(config, tmp_path / str(number)) for number in numbers}
        for number, ended in zip(own, in_children([(own[each], HubStrike(each)) for each in own]), strict=True):
            if os.WIFSIGNALED(ended) and os.WTERMSIG(ended) == signal.SIGKILL:
                killed += 1
            else:
                assert ended == 0, f"point {number}: {trouble(tmp_path / str(number))}"
        for number, ended in zip(own, in_children([(own[each], HubStrike()) for each in own]), strict=True):
            assert ended == 0, f"after a kill at point {number}: {trouble(tmp_path / str(number))}"
            check(tmp_path / str(number))
            shutil.rmtree(tmp_path / str(number))
    assert killed >= dry.count * 9 // 10, (killed, dry.count)


def batched(numbers: range, size: int) -> list[range]:
    return [numbers[start : start + size] for start in range(0, len(numbers), size)]
