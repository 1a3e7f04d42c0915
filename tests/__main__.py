"""The whole suite in two runs of two workers: what stands by itself, then what starts daemons or a browser.

`python -m tests [pytest's arguments]`; with a file, folder or test among them it is one plain run of those.
"""

import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from xml.etree import ElementTree

import pytest

ROOT = Path(__file__).parents[1]
PROCESSES = ("tests/system", "tests/browser")
"""Folders whose tests start processes that compute on cores of their own: two of these at a time are enough."""
WORLD = (*PROCESSES, "tests/adapters", "tests/api", "tests/commands", "tests/drivers")
"""Folders whose tests drive servers, lines and processes, which share the machine with whatever else it does."""
WORKERS = ("-n", "2", "--dist", "worksteal")
FEW = 3
NOTHING = int(pytest.ExitCode.NO_TESTS_COLLECTED)
FAILED = int(pytest.ExitCode.TESTS_FAILED)


def is_place(argument: str) -> bool:
    return argument.startswith("tests") and (ROOT / argument.partition("::")[0]).exists()


def run(*arguments: str) -> int:
    return subprocess.run([sys.executable, "-m", "pytest", *arguments], cwd=ROOT, check=False).returncode


def failed_files(report: Path) -> list[str]:
    """Files of the tests that failed or broke, one for each test, by a run's JUnit report; none without a report."""
    if not report.exists():
        return []
    cases = ElementTree.parse(report).iter("testcase")
    names = (
        case.get("classname", "")
        for case in cases
        if case.find("failure") is not None or case.find("error") is not None
    )
    return [f"{name.replace('.', '/')}.py" for name in names]


def worth_a_second_look(failed: Sequence[str]) -> bool:
    """A few failures, all of them where the world takes part. In the rules and the money a failure is a failure."""
    return 0 < len(failed) <= FEW and all(file.startswith(tuple(f"{folder}/" for folder in WORLD)) for file in failed)


def looked_at(*arguments: str) -> int:
    """pytest's exit code of a run; the files of its few failures are run once more, alone, and told."""
    with tempfile.TemporaryDirectory() as directory:
        report = Path(directory) / "report.xml"
        code = run(f"--junitxml={report}", *arguments)
        failed = failed_files(report)
    if code != FAILED or not worth_a_second_look(failed):
        return code
    files = sorted(set(failed))
    print(f"tests: failed beside others, now alone: {', '.join(files)}", flush=True)
    code = run(*files)
    print(f"tests: UNSTEADY, to be mended whatever they do alone: {', '.join(files)}", flush=True)
    return code


def main(arguments: list[str]) -> int:
    """pytest's exit code: of the first run that failed, or that nothing was collected by either."""
    if any(map(is_place, arguments)):
        return run(*arguments)
    within = looked_at(*WORKERS, *(f"--ignore={folder}" for folder in PROCESSES), *arguments)
    beside = looked_at(*WORKERS, *PROCESSES, *arguments)
    codes = [code for code in (within, beside) if code != NOTHING]
    return next((code for code in codes if code), 0) if codes else NOTHING


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
