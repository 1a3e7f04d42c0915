"""Reports of days, months and shifts add up to each other and to the ledger; what is held; the meter's chart."""

import re
from datetime import datetime
from itertools import pairwise
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from controller.api.panel.charts import chart_of, levels_of, ticks_of
from controller.api.periods import Period, day_period, days_of, month_period
from controller.api.texts import Money
from controller.api.words import today
from controller.core.causes import PoolCause
from controller.core.events import Envelope, HandVoided, KeyPressed, PrizePaid, PrizeVerified, VoidReason
from controller.core.events import Key as DealerKey
from controller.engine.host_events import MeterAdjusted
from tests.api.acts import approved
from tests.api.office import Clock, Office, open_office, until

DAY_MS = 86_400_000
ZONE = ZoneInfo("America/Argentina/Buenos_Aires")
FIGURES = ("hands", "voids", "bets", "handle_minor", "contribution_micros", "hits", "paid_minor", "withheld_minor")


def moved(clock: Clock, monkeypatch: pytest.MonkeyPatch) -> Clock:
    """The whole node by one clock, its journals too; it starts at a noon, so that no test runs over a midnight."""
    here = datetime.fromtimestamp(clock() / 1000, ZONE)
    clock.ahead_ms += int((here.replace(hour=12, minute=0, second=0) - here).total_seconds() * 1000)
    for room in ("table_room", "host_room"):
        monkeypatch.setattr(f"controller.rooms.{room}.wall_ms", clock)
    return clock.installed(monkeypatch)


async def a_day(office: Office, number: int) -> None:
    """Hands with and without prizes, a payment, a void and an adjustment."""
    for cards in ("4c 4d 4h 4s 2c", "2c 4c 6c 8c Tc", "9d 8d 7d 6d 5d")[: 1 + number % 3]:
        prize = await office.win(cards=cards, seat=1 + number % 5)
    await office.tell("t1", PrizeVerified(prize["id"]), "ana")
    await office.tell("t1", PrizePaid(prize["id"]), "ana", "beto")
    hand = await office.deal("t2", seat=2, cards="As Kd Qs 4c 3d", credits=1 + number % 3)
    if number % 2:
        await office.tell("t2", HandVoided(VoidReason.DEAL_ERROR, "misdeal", hand), "ana", "beto")
    else:
        await office.tell("t2", KeyPressed(DealerKey.PLAY, 2))
        await office.tell("t2", KeyPressed(DealerKey.HAND_OVER))
    adjusted = MeterAdjusted("t2", -1_000_000 * number, "found", cause=PoolCause.FAULT_CORRECTION)
    if number:
        answer = await office.node.hosts["gran"].runner.submit(Envelope(f"adjust/{number}", adjusted, "ana", "beto"))
        assert answer.refused is None, answer.refused


def settled(office: Office) -> bool:
    """Whether the ledger holds what the tables have counted."""
    accounts = office.node.hosts["gran"].runner.state.ledger.tables
    tables = office.node.tables.items()
    return all(accounts[name].absorbed == table.runner.state.link.counters for name, table in tables)


def summed(reports: list[dict[str, Any]]) -> dict[str, Any]:
    """Reports added up by hand, table by table and movement by movement."""
    total: dict[str, Any] = {}
    for report in reports:
        for table in report["tables"]:
            for figure in FIGURES:
                key = f"{table['table']}.{figure}"
                total[key] = total.get(key, 0) + table[figure]
        for account in report["carousels"]:
            for what, micros in {**account["moved_micros"], "growth": account["growth_micros"]}.items():
                total[what] = total.get(what, 0) + micros
    return {key: value for key, value in total.items() if value}


@pytest.mark.requirement("R82", "R80", "R77")
async def test_months_are_the_sum_of_their_days_and_both_are_the_ledger(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = moved(Clock(), monkeypatch)
    async with open_office(tmp_path) as office:
        ports = office.node.api_ports()
        days = []
        for number in range(4):
            days.append(today(ports))
            await a_day(office, number)
            await until(lambda: settled(office), "the carousel has heard of everything")
            clock.ahead_ms += DAY_MS
        ana = await office.person("ana")
        by_day = [(await ana.get(f"/api/v1/reports/day?day={day}")).json() for day in days]
        months = sorted({day[:7] for day in days})
        by_month = [(await ana.get(f"/api/v1/reports/month?month={month}")).json() for month in months]
        assert summed(by_month) == summed(by_day)
        accounts = [account for report in by_day for account in report["carousels"]]
        assert all(account["holds"] for account in accounts)
        assert [one["closing_micros"] for one in accounts[:-1]] == [two["opening_micros"] for two in accounts[1:]]
        ledger = office.node.hosts["gran"].runner.state.ledger
        totals = summed(by_month)
        pools = sum(account.total_micros for account in ledger.tables.values())
        assert totals["growth"] == pools == accounts[-1]["closing_micros"]
        assert totals["contributions"] == ledger.contributions_micros
        assert totals["adjustments"] == ledger.adjustments_micros == -(1 + 2 + 3) * 1_000_000
        assert totals["awards"] == -ledger.awards_micros
        told = [line for report in by_month for line in report["days"] if line["day"] in days]
        assert [line["carousels"][0]["closing_micros"] for line in told] == [one["closing_micros"] for one in accounts]
        metered = sum(
            entry.entry.body["credits"] * 10_000
            for table in office.node.tables.values()
            for entry in table.journal.entries()
            if entry.entry.kind == "credit.wagered"
        )
        voided = 2 * 10_000 + 1 * 10_000
        assert totals["t1.handle_minor"] + totals["t2.handle_minor"] == metered - voided
        for month in months:
            assert (await ana.get(f"/api/v1/reports/month.pdf?month={month}")).content.startswith(b"%PDF")
            sheet = (await ana.get(f"/api/v1/reports/month.csv?month={month}")).text
            assert all("/".join(reversed(day.split("-"))) in sheet for day in days if day[:7] == month)
        page = (await ana.get(f"/shift?month={months[-1]}")).text
        assert "Día por día" in page and "Crecimiento" in page


@pytest.mark.requirement("R82")
async def test_a_shift_runs_from_one_close_to_the_next_and_two_people_close_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = moved(Clock(), monkeypatch)
    async with open_office(tmp_path) as office:
        ana, beto = await office.person("ana"), await office.person("beto")
        await office.win()
        clock.ahead_ms += 600_000
        day = today(office.node.api_ports())
        asked = [
            await person.post("/api/v1/shifts/close", {"shift": f"{day}/{name}"})
            for person, name in ((ana, "night"), (beto, "morning"))
        ]
        done = await approved(office, asked[0])
        assert done.status_code == 200, done.text
        late = await approved(office, asked[1], "ana")
        assert (late.status_code, late.json()["refusal"]) == (409, "shift_closed_meanwhile")
        await office.win(cards="4c 4d 4h 4s 2c")
        clock.ahead_ms += 600_000
        told = (await ana.get("/api/v1/shifts")).json()
        (closed,) = told["closed"]
        assert (closed["number"], closed["actor"], closed["second"]) == (1, "ana", "beto")
        assert told["open"]["begin_ms"] == closed["end_ms"] > closed["begin_ms"]
        first = (await ana.get("/api/v1/reports/shift?number=1")).json()
        now = (await ana.get("/api/v1/reports/shift")).json()
        assert [report["tables"][0]["hands"] for report in (first, now)] == [1, 1]
        assert first["carousels"][0]["closing_micros"] == now["carousels"][0]["opening_micros"]
        written = "/".join(reversed(day.split("-")))
        for path in ("/shift", "/shift?shift=1", f"/approvals/{asked[0].json()['approval']}"):
            read = re.sub("<[^>]*>", " ", (await ana.get(path)).text)
            assert f"{written}, noche" in read and f"{day}/night" not in read, path
        assert (await ana.get("/api/v1/reports/shift.pdf?number=1")).content.startswith(b"%PDF")
        assert (await ana.get("/api/v1/reports/shift?number=9")).json()["refusal"] == "unknown_shift"


async def test_a_report_names_its_period(office: Office) -> None:
    ana = await office.person("ana")
    for path in ("day", "month", "day.csv?day=2026-13-40", "month?month=2026-13", "year?year=2026"):
        answer = await ana.get(f"/api/v1/reports/{path}")
        assert (answer.status_code, answer.json()["refusal"]) == (422, "form_invalid"), path


@pytest.mark.requirement("R77")
async def test_what_players_funded_is_held_until_it_is_paid(office: Office) -> None:
    ana = await office.person("ana")

    async def held() -> tuple[int, int]:
        told = (await ana.get("/api/v1/reports/liability")).json()
        pools = sum(each["total_micros"] for each in told["carousels"])
        unpaid = sum(each["unpaid_minor"] for each in told["tables"])
        assert told["total_micros"] == pools + unpaid * 10_000 + sum(e["draw_pools_micros"] for e in told["tables"])
        return told["total_micros"], unpaid

    before, nothing = await held()
    prize = await office.win()
    await until(lambda: settled(office), "the bet has reached the ledger")
    bet = 10_000 * 2_500 * 1
    assert (await held()) == (before + bet, prize["amount_minor"]) and nothing == 0
    await office.tell("t1", PrizeVerified(prize["id"]), "ana")
    await office.tell("t1", PrizePaid(prize["id"]), "ana", "beto")
    assert (await held()) == (before + bet - prize["amount_minor"] * 10_000, 0)
    assert (await ana.get("/api/v1/reports/liability.pdf")).content.startswith(b"%PDF")


def at(zone: str, *moment: int) -> int:
    return int(datetime(*moment, tzinfo=ZoneInfo(zone)).timestamp()) * 1000  # type: ignore[arg-type,misc]  # year first


@pytest.mark.parametrize(
    ("zone", "begin", "end", "said"),
    [
        (
            "America/Argentina/Buenos_Aires",
            (2026, 11, 29),
            (2026, 11, 30),
            ["29/11", "04:00", "08:00", "12:00", "16:00", "20:00"],
        ),
        ("America/Argentina/Buenos_Aires", (2026, 11, 29, 21, 30), (2026, 11, 30, 1), ["22:00", "23:00", "30/11"]),
        ("Europe/Paris", (2026, 3, 29), (2026, 3, 30), ["29/03", "04:00", "08:00", "12:00", "16:00", "20:00"]),
    ],
)
def test_the_charts_clock_is_the_sites(
    zone: str, begin: tuple[int, ...], end: tuple[int, ...], said: list[str]
) -> None:
    period = Period("shift", "x", at(zone, *begin), at(zone, *end))
    ticks = ticks_of(period, ZoneInfo(zone), "es")
    assert [text for _, text in ticks] == said
    for wall_ms, text in ticks:
        moment = datetime.fromtimestamp(wall_ms // 1000, ZoneInfo(zone))
        assert text in (moment.strftime("%H:%M"), moment.strftime("%d/%m"))


def test_the_meter_stands_still_between_its_points_in_proportion_to_time() -> None:
    zone = "America/Argentina/Buenos_Aires"
    begin = at(zone, 2026, 11, 29)
    period = Period("day", "2026-11-29", begin, begin + DAY_MS)
    points = [
        {"seq": 1, "wall_ms": begin - 5, "minor": 100},
        {"seq": 2, "wall_ms": begin + DAY_MS // 2, "minor": 200},
        {"seq": 900, "wall_ms": begin + DAY_MS // 2 + 1, "minor": 150, "fell_minor": 50, "kind": "award"},
    ]
    drawn = chart_of(points, period, begin + 3 * DAY_MS // 4, ZoneInfo(zone), Money("$", 2, "es"))
    assert drawn["line"] == "M110 270H460V30H460V150H635"
    assert drawn["falls"] == [(460, 30)] and drawn["reasons"] == [points[2]]
    assert (drawn["low"], drawn["high"]) == (100, 200)
    assert chart_of([], period, begin, ZoneInfo(zone), Money("$", 2, "es"))["line"] == ""
    for language, day in (("es", "29/11"), ("en", "29 Nov")):
        assert chart_of(points, period, begin, ZoneInfo(zone), Money("$", 2, language))["times"][0] == (110, day)


@pytest.mark.parametrize(
    ("low", "high", "marked"),
    [
        (2_500_000, 2_500_000, [2_500_000]),
        (7, 9, [7, 8, 9]),
        (0, 4, [0, 1, 2, 3, 4]),
        (0, 6, [0, 2, 4, 6]),
        (1_999_651, 2_003_377, [2_000_000, 2_001_000, 2_002_000, 2_003_000]),
        (123_456, 987_654, [200_000, 400_000, 600_000, 800_000]),
        (2_491_003, 3_170_050, [2_600_000, 2_800_000, 3_000_000]),
        (-5_000, 12_000, [-5_000, 0, 5_000, 10_000]),
    ],
)
def test_the_charts_amounts_are_round_and_few(low: int, high: int, marked: list[int]) -> None:
    assert list(levels_of(low, high)) == marked


def test_a_marked_amount_stands_at_its_height_and_a_meter_that_stood_still_has_one() -> None:
    zone = "America/Argentina/Buenos_Aires"
    begin = at(zone, 2026, 11, 29)
    period = Period("day", "2026-11-29", begin, begin + DAY_MS)
    money = Money("$", 2, "es")

    def marks(*amounts: int) -> list[tuple[int, str]]:
        points = [{"seq": seq, "wall_ms": begin + seq, "minor": minor} for seq, minor in enumerate(amounts)]
        return list(chart_of(points, period, begin + DAY_MS, ZoneInfo(zone), money)["marks"])

    assert marks(1000, 5000) == [
        (270, money(1000)),
        (210, money(2000)),
        (150, money(3000)),
        (90, money(4000)),
        (30, money(5000)),
    ]
    assert marks(700, 700) == [(270, money(700))]


async def test_the_days_of_a_month_follow_one_another(office: Office) -> None:
    ports = office.node.api_ports()
    for month, count in (("2026-02", 28), ("2028-02", 29), ("2026-12", 31)):
        days = days_of(ports, month)
        assert len(days) == count
        assert all(one.end_ms == two.begin_ms for one, two in pairwise(days))
        whole = month_period(ports, month)
        assert (whole.begin_ms, whole.end_ms) == (days[0].begin_ms, days[-1].end_ms)
        assert day_period(ports, f"{month}-01") == days[0]


ES_DAY = r"\b[0-9]{2}/[0-9]{2}/[0-9]{4}\b"
EN_DAY = r"\b[0-9]{1,2} (Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) [0-9]{4}\b"
ISO = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
TEXT_BETWEEN_TAGS = re.compile(r">([^<]+)<")


@pytest.mark.parametrize(("language", "written"), [("es", ES_DAY), ("en", EN_DAY)], ids=["es", "en"])
async def test_days_on_pages_and_sheets_are_written_as_the_reader_writes_them(
    office: Office, language: str, written: str
) -> None:
    await office.win()
    aldo, carla = await office.person("aldo"), await office.person("carla")
    day = today(office.node.api_ports())
    month = f"/api/v1/reports/month.csv?month={day[:7]}"
    pages = [
        "/",
        "/prizes",
        "/amounts",
        f"/shift?day={day}",
        f"/shift?month={day[:7]}",
        "/users",
        "/access",
        "/account",
    ]
    texts = {month: (await aldo.get(month, **{"Accept-Language": language})).text}
    for path in pages:
        person = carla if path in ("/users", "/access") else aldo
        answer = await person.get(f"{path}{'&' if '?' in path else '?'}lang={language}")
        assert answer.status_code == 200, path
        texts[path] = " ".join(TEXT_BETWEEN_TAGS.findall(answer.text))
    assert {path: ISO.findall(text) for path, text in texts.items() if ISO.search(text)} == {}
    assert {path for path, text in texts.items() if re.search(written, text)} >= {month, *pages[3:5]}
