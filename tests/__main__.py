"""The whole suite in two runs: what stands by itself on two workers, what starts daemons or a browser alone.

`python -m tests [pytest's arguments]`; with a file, folder or test among them it is one plain run of those.
"""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
ALONE = ("tests/system", "tests/browser")
"""Folders whose tests watch the clock of other processes: nothing else runs beside them."""
WORKERS = ("-n", "2", "--dist", "worksteal")


def is_place(argument: str) -> bool:
    return argument.startswith("tests") and (ROOT / argument.partition("::")[0]).exists()


def run(*arguments: str) -> int:
    return subprocess.run([sys.executable, "-m", "pytest", *arguments], cwd=ROOT, check=False).returncode


def main(arguments: list[str]) -> int:
    """pytest's exit code: of the first run that failed, or that nothing was collected by either."""
    if any(map(is_place, arguments)):
        return run(*arguments)
    shared = run(*WORKERS, *(f"--ignore={folder}" for folder in ALONE), *arguments)
    alone = run(*ALONE, *arguments)
    codes = [code for code in (shared, alone) if code != pytest.ExitCode.NO_TESTS_COLLECTED]
    return next((code for code in codes if code), 0) if codes else int(pytest.ExitCode.NO_TESTS_COLLECTED)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
