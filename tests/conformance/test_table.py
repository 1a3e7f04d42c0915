"""The table of requirements: every mark names a row of it, and no row claims what no test shows."""

import pytest

from scripts.conformance import Requirement, Status, page, promises, requirements, statuses
from scripts.marks import shown_by

ROWS = requirements()
SHOWN = shown_by("requirement")


def test_marks_name_known_requirements_and_promises() -> None:
    assert SHOWN.keys() <= ROWS.keys()
    assert shown_by("promise").keys() == promises().keys()


def test_what_does_not_concern_us_is_not_shown() -> None:
    assert [name for name, row in ROWS.items() if row.not_applicable and (name in SHOWN or row.lacks)] == []


def test_what_is_not_met_says_why() -> None:
    unmet = [name for name, status in statuses().items() if status is Status.NOT_MET]
    assert [name for name in unmet if not ROWS[name].lacks] == []


@pytest.mark.parametrize(
    ("lacks", "not_applicable", "tests", "status"),
    [
        ("", "", ["a test"], Status.MET),
        ("", "", [], Status.NOT_MET),
        ("something", "", ["a test"], Status.PARTLY),
        ("something", "", [], Status.NOT_MET),
        ("", "no such thing here", [], Status.NOT_APPLICABLE),
    ],
)
def test_status(lacks: str, not_applicable: str, tests: list[str], status: Status) -> None:
    assert Requirement("R0", "s", "a", "b", "c", lacks, not_applicable).status(tests) is status


def test_the_page_has_a_row_for_each_with_its_status() -> None:
    lines = {line.split("|")[1].strip(): line for line in page().splitlines() if line.startswith("| ")}
    for name, status in statuses().items():
        assert f"| **{status.value}** |" in lines[name]
    assert promises().keys() <= lines.keys()
