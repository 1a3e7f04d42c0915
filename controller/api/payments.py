"""Who paid a prize and when, from the table's journal: what a second payment is answered with."""

from controller.api.context import ApiPorts
from controller.api.prize_views import find_prize
from controller.api.routes_journal import entries_about
from controller.api.texts import clock_text
from controller.core.refusal import Refusal, Refused, refuse
from controller.engine import subjects

PAID = ("draw.prize_paid", "prize.paid")


async def paid_already(ports: ApiPorts, table: str, prize_id: str) -> Refused | None:
    """The refusal of a prize that is paid, with the people and the local time; None while it is not."""
    prize = find_prize(ports.table(table).state, prize_id)
    if prize is None or prize["status"] != "paid":
        return None

    way = await entries_about(ports.table(table).journal, subjects.of_prize(prize_id))
    payments = [stored for stored in way if stored.entry.kind in PAID]
    if not payments:
        return refuse(Refusal.PRIZE_ALREADY_PAID, prize=prize_id)
    stored = payments[-1]
    logins = [login for login in (stored.entry.actor, stored.entry.body.get("second")) if login]
    users = ports.accounts.state.users
    people = ", ".join(users[login].name if login in users else login for login in logins)
    when = clock_text(stored.wall_ms, ports.config.site.zone, day=True)
    return refuse(Refusal.PRIZE_ALREADY_PAID, prize=prize_id, paid_by=people, paid_at=when)
