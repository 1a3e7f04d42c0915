"""The whole suite's two runs: every folder is in one of them, and a failure of either fails the suite."""

import pytest

from tests import __main__ as suite
from tests.tidy.source_files import ROOT

NOTHING = int(pytest.ExitCode.NO_TESTS_COLLECTED)


@pytest.mark.parametrize(
    ("shared", "alone", "whole"),
    [
        (0, 0, 0),
        (1, 0, 1),
        (0, 1, 1),
        (2, 1, 2),
        (NOTHING, 0, 0),
        (0, NOTHING, 0),
        (NOTHING, 1, 1),
        (NOTHING, NOTHING, NOTHING),
    ],
)
def test_the_suite_ends_as_its_worse_run(monkeypatch: pytest.MonkeyPatch, shared: int, alone: int, whole: int) -> None:
    codes = iter((shared, alone))
    runs: list[tuple[str, ...]] = []

    def run(*arguments: str) -> int:
        runs.append(arguments)
        return next(codes)

    monkeypatch.setattr(suite, "run", run)
    assert suite.main(["-k", "config"]) == whole
    assert [folder for folder in suite.ALONE if f"--ignore={folder}" in runs[0] and folder in runs[1]] == [*suite.ALONE]
    assert all(each[-2:] == ("-k", "config") for each in runs)
    assert all((ROOT / folder).is_dir() for folder in suite.ALONE)


def test_a_place_is_one_plain_run(monkeypatch: pytest.MonkeyPatch) -> None:
    runs: list[tuple[str, ...]] = []
    monkeypatch.setattr(suite, "run", lambda *arguments: len(runs.append(arguments) or runs) - 1)
    assert suite.main(["-x", "tests/tidy/test_suite.py::test_a_place_is_one_plain_run"]) == 0
    assert runs == [("-x", "tests/tidy/test_suite.py::test_a_place_is_one_plain_run")]
