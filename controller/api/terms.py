"""The terms of a table's jackpot as it plays them here, beside those that two people agreed with the host."""

from typing import Any

from controller.api.context import ApiPorts
from controller.core.prizes import PrizeList
from controller.engine.ledger_profiles import terms_of
from controller.engine.ledger_records import Profile


def terms_view(ports: ApiPorts, table: str) -> dict[str, Any]:
    """`agreed`: the roster's line as this table has journaled it, None before it joined; `differs`: from it.

    `terms_hash` is the hash of the jackpot terms in force, as `check-config` prints it and `approved_terms` lists it.
    """
    desk = ports.table(table)
    link, jackpot = desk.state.link, desk.settings.jackpot
    account = link.account
    agreed = None if account is None else terms_of(account.profile)
    return {
        "table": table,
        "carousel": link.settings.carousel,
        "here": {
            "terms": link.settings.terms,
            "terms_hash": desk.settings.terms,
            "program": link.settings.program,
            "incarnation": link.settings.incarnation,
            "credit_minor": jackpot.credit_minor,
            "main_bp": jackpot.main_bp,
            "reserve_bp": jackpot.reserve_bp,
            "prizes": _rows(jackpot.prizes),
        },
        "agreed": None
        if account is None
        else {**_profile(ports, account.profile), "standing": _standing(link.standing)},
        "differs": agreed is not None and agreed != link.settings.terms,
        "confirmed": link.confirmed,
        "agrees": link.agrees,
        "stopped": link.stopped,
    }


def _standing(standing: Any) -> str | None:
    return None if standing is None else str(standing.value)


def _profile(ports: ApiPorts, profile: Profile) -> dict[str, Any]:
    def minor(micros: int | None) -> int | None:
        return None if micros is None else ports.minor(micros)

    return {
        "terms": terms_of(profile),
        "incarnation": profile.incarnation,
        "key": profile.key,
        "currency": profile.currency,
        "start_minor": minor(profile.start_micros),
        "bound_minor": minor(profile.bound_micros),
        "ceiling_minor": minor(profile.ceiling_micros),
        "prizes": _rows(profile.prizes),
    }


def _rows(prizes: PrizeList) -> list[dict[str, Any]]:
    return [
        {
            "category": row.category.value,
            "percent": row.percent,
            "fixed_minor": row.fixed_minor,
            "per_credit": row.per_credit,
        }
        for row in prizes.rows
    ]
