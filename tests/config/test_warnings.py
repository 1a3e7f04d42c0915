"""What the loader notices without refusing: inversions, the ceiling, unequal members, unseen tables, open listeners."""

from pathlib import Path

import pytest

from controller.config import load_preset
from controller.config.checks import terms_hash
from controller.config.table import Table
from tests.config.sites import SITE, TABLE, check, found

OASIS = '[[tables]]\nid = "{id}"\nname = "Mesa"\npreset = "oasis_argentina_2010"\n'
LINKED = '[[carousels]]\nid = "gran"\nname = "Gran Carrusel"\n'
MEMBER = 'carousel = "gran"\n'
BONUS = '[[tables]]\nid = "t3"\nname = "Mesa"\npreset = "holdem_bonus_peru_2010"\ncarousel = "gran"\n'

ROWS = [
    (
        OASIS.format(id="t2") + 'inputs = [{ device = "b", input = 0, means = "credit", seat = 3 }] #!\n'
        '[[tables.devices]]\nname = "b"\ndriver = "modbus_rtu_io"\nport = "b"',
        "tables[1].inputs",
        "no credit input at seat 1, 2, 4, 5, 6, 7",
    ),
    (
        LINKED + "ceiling = 9_000_000 #!\n" + OASIS.format(id="t2") + MEMBER + OASIS.format(id="t3") + MEMBER,
        "carousels[0].ceiling",
        "above the ceiling",
    ),
    ('[api]\nlisten = "0.0.0.0:8070" #!', "api.listen", "reachable from outside"),
    ('[mqtt]\nhost = "10.0.0.1" #!', "mqtt.tls", "not encrypted"),
    (
        '[mqtt]\n[[carousels]]\nid = "gran"\nname = "Gran Carrusel"\nrole = "member" #!\n'
        + OASIS.format(id="t2")
        + MEMBER,
        "carousels[0].host_keys",
        "may speak as the host",
    ),
    (OASIS.format(id="t2") + "screen = false #!", "tables[1].screen", "players cannot see"),
    (
        OASIS.format(id="t2") + "[tables.jackpot]\nceiling = 600_000 #!",
        "tables[1].jackpot.ceiling",
        "above the ceiling",
    ),
    (
        OASIS.format(id="t2") + "[tables.limits]\nminimum = 300\n[tables.jackpot]\nmax_credits = 4 #!",
        "tables[1].jackpot.max_credits",
        "at most 3 will be taken",
    ),
    (
        OASIS.format(id="t2") + '[tables.draws]\ncarta_magica = { prize = 50, every = "key" } #!',
        "tables[1].draws.carta_magica.every",
        "say about_every",
    ),
    (LINKED + BONUS + "#!", "tables[1].inputs", "no key closes the bets"),
    (
        LINKED
        + OASIS.format(id="t2")
        + MEMBER
        + BONUS
        + "[tables.jackpot]\nmax_credits = 1\n[tables.jackpot.prizes]\nroyal_flush = { percent = 100 } #!",
        "tables[2].jackpot.prizes.royal_flush",
        "unequal odds in the same carousel: 1 in 30,940 here, 1 in 649,740 at 't2'",
    ),
    (
        LINKED + OASIS.format(id="t2") + MEMBER + BONUS + "[tables.jackpot]\ncredit = 2_000 #!",
        "tables[2].jackpot.credit",
        "another bet than at 't2'",
    ),
    (
        LINKED
        + OASIS.format(id="t2")
        + MEMBER
        + BONUS
        + "[tables.jackpot.prizes] #!\nstraight_flush = { percent = 5 }",
        "tables[2].jackpot.prizes",
        "other hands or percentages",
    ),
    (
        OASIS.format(id="t2")
        + "[tables.jackpot.options]\naccept_return_over_100 = true\n"
        + "[tables.jackpot.prizes] #!\nflush = { fixed = 40_000 }",
        "tables[1].jackpot.prizes",
        "% of a bet comes back",
    ),
]


@pytest.mark.requirement("R11", "R12", "R35", "R40")
@pytest.mark.parametrize(
    ("added", "key", "reason"), ROWS, ids=[f"{row[1]}-{number}" for number, row in enumerate(ROWS)]
)
def test_warning(tmp_path: Path, added: str, key: str, reason: str) -> None:
    checked = check(tmp_path, SITE + TABLE + added + "\n")
    assert found(checked) == []
    assert checked.config is not None
    assert checked.config.warnings == checked.warnings
    assert [one.key for one in checked.warnings if reason in one.reason] == [key], checked.warnings


REFUSED = {
    "above the ceiling": "trigger_above_ceiling",
    "unequal odds": "unequal_links",
    "another bet": "unequal_links",
    "other hands": "unequal_links",
    "players cannot see": "unseen_table",
}
OF_A_KIND = [(*row, kind) for row in ROWS for words, kind in REFUSED.items() if words in row[2]]


@pytest.mark.requirement("R11", "R12", "R35", "R40")
@pytest.mark.parametrize(("added", "key", "reason", "kind"), OF_A_KIND, ids=[row[1] for row in OF_A_KIND])
def test_a_site_may_have_a_warning_refused(tmp_path: Path, added: str, key: str, reason: str, kind: str) -> None:
    checked = check(tmp_path, SITE + f'refuse = ["{kind}"]\n' + TABLE + added + "\n")
    assert checked.config is None
    assert key in [name for name, _, said in found(checked) if reason in said], found(checked)
    assert not any(reason in one.reason for one in checked.warnings)
    assert "refuse" in str(found(check(tmp_path, SITE + 'refuse = ["everything"]\n' + TABLE)))


def test_a_stronger_hand_that_pays_less_may_be_refused(tmp_path: Path) -> None:
    strict = check(tmp_path, SITE + 'refuse = ["pays_less"]\n' + TABLE)
    assert [key for key, _, _ in found(strict)] == ["tables[0].jackpot.prizes.straight_flush"]


@pytest.mark.article("O-54", "O-56")
@pytest.mark.parametrize(
    ("preset", "reason"),
    [
        (
            "oasis_argentina_2010",
            "with 2 to 5 credits and the meter at its start value it pays less than four of a kind: "
            "500.00 ARS against 1,000.00 ARS",
        ),
        (
            "oasis_argentina_2010_fixed",
            "with 4 to 5 credits it pays less than four of a kind: 800.00 ARS against 1,000.00 ARS",
        ),
    ],
)
def test_known_inversions_of_the_presets(tmp_path: Path, preset: str, reason: str) -> None:
    checked = check(tmp_path, SITE + OASIS.format(id="t1").replace("oasis_argentina_2010", preset))
    assert [one.reason for one in checked.warnings if one.key.endswith("prizes.straight_flush")] == [reason]


@pytest.mark.requirement("R08", "R34")
def test_only_approved_terms_run(tmp_path: Path) -> None:
    approved = terms_hash(Table.model_validate({"id": "t", "name": "T"} | load_preset("oasis_argentina_2010")))
    site = SITE + f'approved_terms = ["{approved}"]\n'
    assert check(tmp_path, site + OASIS.format(id="t1")).config is not None
    changed = check(tmp_path, site + OASIS.format(id="t1") + "[tables.jackpot]\nstart = 500_001\n")
    assert [key for key, _, _ in found(changed)] == ["tables[0].jackpot"]


def test_terms_do_not_depend_on_names_and_wiring() -> None:
    preset = load_preset("oasis_argentina_2010")
    one = Table.model_validate({"id": "t1", "name": "Uno"} | preset)
    other = Table.model_validate({"id": "t2", "name": "Dos", "screen": False} | preset)
    assert terms_hash(one) == terms_hash(other)
