"""Deliberate mistakes in the money core: the tests of this folder catch every one of them."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PRIZES, MONEY, JACKPOT, HANDS, DRAWS = "prizes.py", "money.py", "jackpot.py", "hands.py", "draws.py"
CAUGHT_BY = {
    PRIZES: ["test_prizes.py", "test_prize_properties.py"],
    MONEY: ["test_prizes.py", "test_prize_properties.py", "test_jackpot.py"],
    JACKPOT: ["test_jackpot.py"],
    HANDS: ["test_hands.py"],
    DRAWS: ["test_draws.py"],
}
CONFTEST = """
from hypothesis import Phase, settings
settings.register_profile("mutants", phases=[Phase.generate], derandomize=True, database=None)
settings.load_profile("mutants")
"""
"""The same examples every time, and no smaller ones looked for: one that fails is enough."""
MUTANTS = [
    ("lowest hand first", PRIZES, "(-winner.strength, winner.seat)", "(winner.strength, winner.seat)"),
    (
        "shares rounded up",
        PRIZES,
        "self.whole // (len(royals) * self.minor_micros)",
        "-(-self.whole // (len(royals) * self.minor_micros))",
    ),
    ("each royal the whole", PRIZES, "self.whole // (len(royals) * self.minor", "self.whole // (1 * self.minor"),
    ("equals of what remains", PRIZES, "left if len(group) == 1 else initial_micros", "left"),
    ("all of the initial amount", PRIZES, "left if len(group) == 1 else initial_micros", "initial_micros"),
    ("more than what is left", PRIZES, "self.minor_micros), most_minor)", "self.minor_micros), most_minor + 1)"),
    ("the remainder does not fall", PRIZES, "left -= amount_minor", "left -= 0 * amount_minor"),
    ("straight flush takes all", PRIZES, "row.percent == 100", "row.percent >= 10"),
    (
        "straight flush after the royal",
        PRIZES,
        "if royals and partial else None",
        "if royals and not partial else None",
    ),
    (
        "10 % of restart and remainder",
        PRIZES,
        "till.pay_partial(partial, till.restart_value)",
        "till.pay_partial(partial, till.whole)",
    ),
    (
        "restart ignores the reserve",
        PRIZES,
        "max(balance.start_micros, balance.reserve_micros)",
        "balance.start_micros",
    ),
    ("house pays before the reserve", PRIZES, "max(lacking - from_reserve, 0)", "lacking"),
    ("reserve is not used up", PRIZES, "balance.reserve_micros - from_reserve", "balance.reserve_micros"),
    (
        "restart at nothing",
        PRIZES,
        "self._filled_to(balance, balance.start_micros, True)",
        "self._filled_to(balance, 0, True)",
    ),
    ("always topped up", PRIZES, "if self.prizes.top_up_after_partial and", "if True and"),
    ("never topped up", PRIZES, "if self.prizes.top_up_after_partial and", "if False and"),
    ("funding not told", PRIZES, "self.funding[balance.table] += from_house", "self.funding[balance.table] += 0"),
    ("fixed rows always by credits", PRIZES, "winner.credits if row.per_credit else 1", "winner.credits"),
    ("fixed rows never by credits", PRIZES, "winner.credits if row.per_credit else 1", "1"),
    (
        "fixed rows from the other side",
        PRIZES,
        "fixed_prizes_from is PaidBy.HOUSE",
        "fixed_prizes_from is PaidBy.METER",
    ),
    ("no loan for fixed rows", PRIZES, "self._fund_whole_to(amount_minor * self.minor_micros)", "pass"),
    ("debits in whole micros of nobody", PRIZES, "micros=balance.micros - taken", "micros=balance.micros - taken + 1"),
    ("floor instead of largest remainder", MONEY, "shares[name] += 1", "shares[name] += 0"),
    (
        "smallest remainder first",
        MONEY,
        "(-(amount * named[1] % total), named[0])",
        "((amount * named[1] % total), named[0])",
    ),
    ("rate of ten thousand and one", MONEY, "bet_minor * rate_bp *", "bet_minor * (rate_bp + 1) *"),
    (
        "ceiling one lower",
        JACKPOT,
        "max(ceiling_micros - meter_micros, 0)",
        "max(ceiling_micros - meter_micros - 1, 0)",
    ),
    ("a lowered ceiling takes back", JACKPOT, "max(ceiling_micros - meter_micros, 0)", "ceiling_micros - meter_micros"),
    ("four credits at most", JACKPOT, "if credits > most:", "if credits >= most:"),
    ("below the table's minimum", JACKPOT, "credits * credit_minor > minimum", "credits * credit_minor >= minimum"),
    ("reserve not taken from the house's part", JACKPOT, "- meter - reserve - magic", "- meter - magic"),
    ("ace-queen qualifies", HANDS, "_LOWEST_PAIR - 164", "_LOWEST_PAIR - 165"),
    ("steel wheel is a four", HANDS, "(7453, Category.STRAIGHT_FLUSH)", "(7454, Category.STRAIGHT_FLUSH)"),
    ("lowest flush is a straight", HANDS, "(5864, Category.FLUSH)", "(5865, Category.FLUSH)"),
    ("numbers too large are kept", DRAWS, "if number < size:", "if number <= size:"),
    ("one bit too many", DRAWS, "(size - 1).bit_length()", "size.bit_length()"),
    ("fields without their length", DRAWS, 'len(field).to_bytes(4, "big") + field', "field"),
    ("hand not bound", DRAWS, "str(context.hand)", '"0"'),
    ("seed used as its own commitment", DRAWS, "hashlib.sha256(SEED_TAG + seed)", "hashlib.sha256(seed)"),
]


def run_tests(place: Path, files: list[str]) -> int:
    """Exit code of pytest over copies of test files against the copy of the core beside them."""
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-x",
        "-q",
        "-p",
        "no:cacheprovider",
        "-W",
        "ignore",
        "-k",
        "not uniform",
    ]
    without_plugins = {
        "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"
    }  # these tests need none, and loading them is the longer half
    environment = {**os.environ, "PYTHONPATH": str(place), "PYTHONDONTWRITEBYTECODE": "1", **without_plugins}
    done = subprocess.run([*command, *files], cwd=place, env=environment, capture_output=True, text=True, check=False)
    return done.returncode


@pytest.fixture(scope="module")
def copied(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The core and its tests, alone in a directory of their own."""
    place = tmp_path_factory.mktemp("core")
    shutil.copytree(ROOT / "controller" / "core", place / "controller" / "core")
    shutil.copy(ROOT / "controller" / "__init__.py", place / "controller")
    for file in sorted({file for files in CAUGHT_BY.values() for file in files}):
        shutil.copy(ROOT / "tests" / "core" / file, place)
    (place / "conftest.py").write_text(CONFTEST)
    return place


def test_without_a_mistake_the_tests_pass(copied: Path) -> None:
    assert run_tests(copied, ["test_prizes.py", "test_jackpot.py", "test_draws.py"]) == 0


@pytest.mark.promise("P5")
@pytest.mark.parametrize(("mistake", "module", "old", "new"), MUTANTS, ids=[row[0] for row in MUTANTS])
def test_a_mistake_is_caught(copied: Path, mistake: str, module: str, old: str, new: str) -> None:
    file = copied / "controller" / "core" / module
    right = file.read_text()
    assert right.count(old) == 1, f"{mistake}: the code has changed, write the mistake anew"
    file.write_text(right.replace(old, new))
    try:
        assert any(run_tests(copied, [name]) == 1 for name in CAUGHT_BY[module]), f"{mistake}: not caught"
    finally:
        file.write_text(right)
