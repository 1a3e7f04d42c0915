"""Writes docs/conformance.md: each published requirement and promise, what is done, the tests that show it.

A test says what it shows by `@pytest.mark.requirement("R30")` or `@pytest.mark.promise("P3")`; what no test shows is
never claimed. The requirements in our words are in conformance.toml beside this file.
"""

import tomllib
from collections import Counter
from dataclasses import dataclass
from enum import Enum
from typing import Any

from scripts.marks import ROOT, listed, shown_by

PAGE = ROOT / "docs" / "conformance.md"
TABLE = ROOT / "scripts" / "conformance.toml"

HEAD = """# Conformance

Made by `scripts/conformance.py` from the tests' marks (`make docs`). It says which of the published requirements for
progressive jackpots the product meets, and which test shows it. A row without a test is not claimed. Meeting a row
approves the product nowhere: it is built to be tested by a laboratory, and certified nowhere. This is no legal advice.

Sources marked **s** were written for slot machines, electronic tables, remote play or other games and are good practice
here; of those marked **~** a part was not read; those marked **?** are known at second hand. R numbers are
requirements, O numbers items of the Argentine Oasis rules, X numbers ways to pay simultaneous wins; there are gaps on
purpose. Where rules contradict each other the product follows the Argentine and Peruvian texts, and offers others as
settings where it says so.

Not read: GLI-12, GLI-21, GLI-24, Nevada 5.110 and 5.112, and the linked-jackpot standards of New South Wales,
Queensland and Great Britain (2007); nothing is claimed about them.
"""


NOT_OFFERED = """Controllers of other makers have these, and whoever compares looks for them. They are no requirement
of the list above; what of a requirement is not done stands in its row."""


class Status(Enum):
    """How far a row is met."""

    MET = "met"
    PARTLY = "partly met"
    NOT_MET = "not met"
    NOT_APPLICABLE = "not applicable"


@dataclass(frozen=True, slots=True)
class Requirement:
    """One row. `lacks`: what is not done; `not_applicable`: why it does not concern this product."""

    name: str
    section: str
    asks: str
    source: str
    does: str
    lacks: str = ""
    not_applicable: str = ""

    def status(self, tests: list[str]) -> Status:
        """What the marked tests and the row's own words come to."""
        if self.not_applicable:
            return Status.NOT_APPLICABLE
        if not tests:
            return Status.NOT_MET
        return Status.PARTLY if self.lacks else Status.MET


def _table() -> dict[str, Any]:
    return tomllib.loads(TABLE.read_text(encoding="utf-8"))


def requirements() -> dict[str, Requirement]:
    """Every requirement by its number, in the order of the sections."""
    return {
        name: Requirement(name, section["title"], **row)
        for section in _table()["sections"]
        for name, row in section["rows"].items()
    }


def promises() -> dict[str, str]:
    """What is promised, by number."""
    return dict(_table()["promises"])


def statuses() -> dict[str, Status]:
    """The status of every requirement."""
    found = shown_by("requirement")
    return {name: row.status(found.get(name, [])) for name, row in requirements().items()}


def _row(row: Requirement, tests: list[str]) -> str:
    status = row.status(tests)
    done = row.does
    if row.not_applicable:
        done = f"{done} Not applicable: {row.not_applicable}".strip()
    elif not row.lacks and not tests:
        done = f"{done}. **Not shown by a test**"
    elif row.lacks:
        done = f"{done + '. ' if done else ''}**Not done:** {row.lacks}"
    cells = (row.name, row.asks, row.source, f"**{status.value}**", done, listed(tests) or "none")
    return f"| {' | '.join(cells)} |"


def page() -> str:
    """The page as Markdown."""
    found, kept = shown_by("requirement"), shown_by("promise")
    rows = requirements()
    counts = Counter(statuses().values())
    lines = [HEAD, ", ".join(f"{status.value}: {counts[status]}" for status in Status) + f", of {len(rows)}."]
    section = ""
    for row in rows.values():
        if row.section != section:
            section = row.section
            lines += ["", f"## {section}", "", "| # | asks | source | | what the product does | tests |"]
            lines.append("|---|---|---|---|---|---|")
        lines.append(_row(row, found.get(row.name, [])))
    short = _table()["not_shown"]
    lines += ["", "## Promises", "", "| # | promise | not shown yet | tests |", "|---|---|---|---|"]
    for name, text in promises().items():
        lines.append(f"| {name} | {text} | {short.get(name, '')} | {listed(kept.get(name, [])) or '**none**'} |")
    lines += ["", "## What is not offered", "", NOT_OFFERED, "", "| feature | why not |", "|---|---|"]
    lines += [f"| {feature} | {why} |" for feature, why in _table()["not_offered"].items()]
    lines += ["", "## Sources", "", "| short name | text |", "|---|---|"]
    lines += [f"| {name} | {text} |" for name, text in _table()["sources"].items()]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
    for status in Status:
        names = [name for name, each in statuses().items() if each is status]
        print(f"{status.value}: {len(names)}: {' '.join(names)}")
    print("promises without a test:", " ".join(promises().keys() - shown_by("promise").keys()) or "none")
