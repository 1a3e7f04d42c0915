"""A journal written by any released version still verifies, migrates and folds to the same figures."""

import json
import shutil
from pathlib import Path

import pytest

from controller.adapters.journal import Journal
from controller.adapters.journal_verify import verify
from controller.engine.host import HostMachine
from controller.engine.machine import replay
from tests.engine.pit import Pit
from tests.golden.figures import host_figures, table_figures

JOURNALS = sorted((Path(__file__).parent / "journals").glob("*.sqlite"))


def opened(golden: Path, tmp_path: Path) -> Journal:
    return Journal.open(shutil.copy(golden, tmp_path / "golden.db"), create=False)


def test_there_are_golden_journals() -> None:
    assert {path.stem.split("-")[-1] for path in JOURNALS} == {"table", "host"}


@pytest.mark.parametrize("golden", JOURNALS, ids=lambda path: path.stem)
def test_it_verifies_and_ends_where_it_ended(golden: Path, tmp_path: Path) -> None:
    expected = json.loads(golden.with_suffix(".json").read_text())
    with opened(golden, tmp_path) as journal:
        report = verify(journal)
        assert report.ok, report.findings
        assert (report.head.seq, report.head.chain.hex()) == (expected["seq"], expected["head"])
        assert report.checkpoints == expected["seq"] // 10


@pytest.mark.promise("P18")
@pytest.mark.parametrize("golden", JOURNALS, ids=lambda path: path.stem)
def test_it_folds_to_the_same_figures(golden: Path, tmp_path: Path) -> None:
    expected = json.loads(golden.with_suffix(".json").read_text())
    with opened(golden, tmp_path) as journal:
        entries = [stored.entry for stored in journal.entries()]
    pit = Pit()
    if golden.stem.endswith("-table"):
        figures = table_figures(replay(pit.machine, entries), entries)
    else:
        figures = host_figures(replay(HostMachine(pit.host.state.settings), entries), entries)
    assert {**figures, "seq": expected["seq"], "head": expected["head"]} == expected
