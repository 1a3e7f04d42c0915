"""The whole suite's two runs: every folder is in one, a failure of either fails the suite, a few are looked at."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from tests import __main__ as suite
from tests.tidy.source_files import ROOT

NOTHING = int(pytest.ExitCode.NO_TESTS_COLLECTED)


@pytest.mark.parametrize(
    ("within", "beside", "whole"),
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
def test_the_suite_ends_as_its_worse_run(monkeypatch: pytest.MonkeyPatch, within: int, beside: int, whole: int) -> None:
    codes = iter((within, beside))
    runs: list[tuple[str, ...]] = []

    def run(*arguments: str) -> int:
        runs.append(arguments)
        return next(codes)

    monkeypatch.setattr(suite, "run", run)
    assert suite.main(["-k", "config"]) == whole
    theirs = [folder for folder in suite.PROCESSES if f"--ignore={folder}" in runs[0] and folder in runs[1]]
    assert theirs == [*suite.PROCESSES]
    assert all(each[-2:] == ("-k", "config") for each in runs)
    assert all((ROOT / folder).is_dir() for folder in suite.PROCESSES)


def test_a_place_is_one_plain_run(monkeypatch: pytest.MonkeyPatch) -> None:
    runs: list[tuple[str, ...]] = []
    monkeypatch.setattr(suite, "run", lambda *arguments: len(runs.append(arguments) or runs) - 1)
    assert suite.main(["-x", "tests/tidy/test_suite.py::test_a_place_is_one_plain_run"]) == 0
    assert runs == [("-x", "tests/tidy/test_suite.py::test_a_place_is_one_plain_run")]


WORLD_TEST, RULE_TEST = "tests/drivers/test_bus.py", "tests/core/test_oasis.py"


def a_report(arguments: Sequence[str], failed: Sequence[str]) -> None:
    """The JUnit file that a run with these arguments is asked for, where its tests of these files fail."""
    asked = next((each for each in arguments if each.startswith("--junitxml=")), None)
    if asked:
        cases = "".join(f'<testcase classname="{file[:-3].replace("/", ".")}"><failure/></testcase>' for file in failed)
        sound = '<testcase classname="tests.core.test_cards"/>'
        Path(asked.partition("=")[2]).write_text(f"<testsuites><testsuite>{cases}{sound}</testsuite></testsuites>")


@pytest.mark.parametrize(
    ("code", "failed", "again", "whole"),
    [
        (1, [WORLD_TEST], 0, 0),
        (1, [WORLD_TEST], 1, 1),
        (1, [WORLD_TEST] * suite.FEW, 0, 0),
        (1, [WORLD_TEST] * (suite.FEW + 1), None, 1),
        (1, [RULE_TEST], None, 1),
        (1, [WORLD_TEST, RULE_TEST], None, 1),
        (1, [], None, 1),
        (2, [WORLD_TEST], None, 2),
        (0, [], None, 0),
    ],
)
def test_few_failures_where_the_world_takes_part_are_looked_at_once_more(
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    code: int,
    failed: list[str],
    again: int | None,
    whole: int,
) -> None:
    runs: list[tuple[str, ...]] = []
    codes = iter((code, again))

    def run(*arguments: str) -> int:
        runs.append(arguments)
        a_report(arguments, failed)
        return next(codes)

    monkeypatch.setattr(suite, "run", run)
    assert suite.looked_at("-n", "2") == whole
    assert runs[1:] == ([] if again is None else [(WORLD_TEST,)])
    assert ("UNSTEADY" in capsys.readouterr().out) == (again is not None)
    assert (ROOT / WORLD_TEST).is_file() and (ROOT / RULE_TEST).is_file()
    assert all((ROOT / folder).is_dir() for folder in suite.WORLD)


def test_a_run_that_ends_without_a_report_is_no_run_to_look_at(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(suite, "run", lambda *arguments: 1)
    assert suite.looked_at() == 1
