"""A journal that does not answer, as people and machines are told of it while it lasts."""

import pytest

from controller.adapters.runner import Runner
from display import scene as show
from tests.api.office import Office, screen_notices, until


async def test_while_a_journal_hangs_panel_screen_and_monitor_say_so(
    office: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The alarm itself is an entry: the hanging machine stores it, and that it is over, only afterwards."""
    ana, hanging = await office.person("ana"), office.node.tables["t1"].runner
    assert (await ana.get("/readyz")).status_code == 200
    with monkeypatch.context() as patched:
        patched.setattr(Runner, "writing_ms", property(lambda self: 12_000 if self is hanging else 0))
        await until(lambda: show.NoticeCode.JACKPOT_BETS_OFF in screen_notices(office), "the screen")
        ready = await ana.get("/readyz", **{"Accept-Language": "es"})
        assert (ready.status_code, ready.json()["refusal"]) == (503, "journal_slow")
        assert "nada se toma hasta que la base de datos conteste" in ready.json()["detail"]
        page = (await ana.get("/")).text
        assert "El libro no contesta" in page
        assert 'carrusel_commit_unanswered_seconds{journal="table-t1"} 12.0' in (await ana.get("/metrics")).text
    await until(lambda: show.NoticeCode.JACKPOT_BETS_OFF not in screen_notices(office), "the screen is as before")
    told = [each.entry for each in office.node.tables["t1"].journal.entries() if each.entry.kind.startswith("alarm.")]
    slow = [(entry.kind, entry.body["source"]) for entry in told if entry.body["code"] == "journal_slow"]
    assert slow == [("alarm.raised", "table-t1"), ("alarm.cleared", "table-t1")]
    assert (await ana.get("/readyz")).status_code == 200
