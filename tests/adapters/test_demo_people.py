"""The demo tells of the prizes that it leaves to people, once when each waits and once when it waits no more."""

import asyncio
import re
from types import SimpleNamespace
from typing import Any, cast

import pytest

from controller.adapters.clock import wall_ms
from controller.commands.demo import _Told
from controller.core.money import Currency
from controller.demo import people
from controller.demo.people import Login, Waiting, watch_waiting
from controller.engine.accounts_state import Approval, ApprovalStatus
from controller.engine.member_state import PayableRow, RowStatus

LARGE = PayableRow("p1", 2, 3, "straight_flush", 75_002_800, "meter", "59", RowStatus.PENDING)
SMALL = PayableRow("p2", 2, 4, "flush", 75_000, "house", "56", RowStatus.PENDING)


async def test_a_large_prize_is_told_when_it_waits_and_when_it_was_paid(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(people, "LOOK_S", 0)
    rows = {"p1": LARGE, "p2": SMALL}
    state = SimpleNamespace(link=SimpleNamespace(rows=rows), draw_prizes={})
    room = SimpleNamespace(table=SimpleNamespace(id="t1", name="Mesa 1"), runner=SimpleNamespace(state=state))
    told: asyncio.Queue[tuple[str, Waiting]] = asyncio.Queue()
    watching = asyncio.create_task(
        watch_waiting(
            [cast(Any, room)],
            1_000_000,
            lambda prize: told.put_nowait(("waits", prize)),
            lambda prize: told.put_nowait(("settled", prize)),
        )
    )
    prize = Waiting("Mesa 1", "straight_flush", 75_002_800)
    assert await told.get() == ("waits", prize)
    rows.clear()
    assert await told.get() == ("settled", prize)
    assert told.empty()
    watching.cancel()


@pytest.mark.parametrize(
    ("target", "event", "status", "disputed"),
    [
        ("table:t1", "CardCorrected", ApprovalStatus.OPEN, True),
        ("table:t1", "HandVoided", ApprovalStatus.OPEN, True),
        ("table:t1", "PrizePaid", ApprovalStatus.OPEN, False),
        ("table:t2", "CardCorrected", ApprovalStatus.OPEN, False),
        ("table:t1", "CardCorrected", ApprovalStatus.REJECTED, False),
    ],
)
def test_a_dealer_waits_while_cards_of_the_table_are_disputed(
    target: str, event: str, status: ApprovalStatus, disputed: bool
) -> None:
    now = wall_ms()
    act = {"target": target, "event": {"type": event}}
    asked = Approval("ap-1", act, "d", ("pit_boss",), "ana", now - 1_000, now + 600_000, status=status)
    desk = SimpleNamespace(state=SimpleNamespace(approvals={"ap-1": asked}))
    node: Any = SimpleNamespace(people=SimpleNamespace(desk=desk))
    assert people.is_disputed(node, "t1") is disputed


@pytest.mark.parametrize(("locale", "words"), [("es_AR.UTF-8", "Pedidos"), ("en_US.UTF-8", "Requests")])
def test_the_terminal_says_who_and_where(
    locale: str, words: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("LC_ALL", locale)
    site = SimpleNamespace(money=Currency("ARS"))
    node: Any = SimpleNamespace(api_address="http://127.0.0.1:8070", config=SimpleNamespace(site=site))
    logins = [Login("ana", "135790", "Ana", "pit_boss"), Login("beto", "246801", "Beto", "pit_boss")]
    _Told().waiting(node, logins, Waiting("Mesa 1", "straight_flush", 75_002_800))
    said = capsys.readouterr().out
    assert re.findall(r"\bana\b|135790|beto|246801", said) == ["ana", "135790", "beto", "246801"]
    assert "http://127.0.0.1:8070/" in said
    assert words in said
