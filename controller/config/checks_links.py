"""Checks of carousels: who is linked, in what money, and whether all members play for it with the same odds."""

from fractions import Fraction

from controller.config.faults import Key
from controller.config.findings import Findings
from controller.config.model import Config
from controller.config.returns import chance, expected_linked_trigger_minor
from controller.config.site import Carousel, Site
from controller.config.table import Table
from controller.config.texts import written


def check_links(config: Config, findings: Findings) -> None:
    known = {carousel.id: carousel for carousel in config.carousels}
    for index, table in enumerate(config.tables):
        if table.carousel is not None and table.carousel not in known:
            names = ", ".join(sorted(known)) or "none"
            findings.refuse(("tables", index, "carousel"), f"unknown carousel {table.carousel!r}; known: {names}")
    for index, carousel in enumerate(config.carousels):
        _check_carousel(config, carousel, ("carousels", index), findings)


def _check_carousel(config: Config, carousel: Carousel, here: Key, findings: Findings) -> None:
    members = [(index, table) for index, table in enumerate(config.tables) if table.carousel == carousel.id]
    _check_currency(config.site, carousel, here, findings)
    elsewhere = carousel.accept if carousel.is_host else ("host",)
    if config.mqtt is None and elsewhere:
        findings.refuse(here, "linked to other nodes, but there is no [mqtt] section")
    if not carousel.is_host and not members:
        findings.warn(here, "no table of this node is linked to it")
    if carousel.is_host and not members and not carousel.accept:
        findings.warn((*here, "accept"), "no table is linked to it and none is accepted")
    for position, table_id in enumerate(carousel.accept):
        if not carousel.is_host:
            findings.refuse((*here, "accept"), "only the host lets tables in")
            break
        if any(table.id == table_id for table in config.tables):
            findings.refuse((*here, "accept", position), f"{table_id!r} is a table of this node")
        if table_id in carousel.accept[:position]:
            findings.refuse((*here, "accept", position), f"{table_id!r} stands there already")
    start = sum(table.jackpot.start for _, table in members)
    if carousel.ceiling is not None and carousel.ceiling < start:
        findings.refuse((*here, "ceiling"), f"below {written(start, config.site.money)}, what its tables start with")
    trigger = expected_linked_trigger_minor([table.jackpot for _, table in members])
    if carousel.ceiling is not None and trigger is not None and trigger > carousel.ceiling:
        text = f"the expected trigger value is {written(trigger, config.site.money)}, above the ceiling"
        findings.warn((*here, "ceiling"), text)
    _check_same_odds(members, findings)


def _check_currency(site: Site, carousel: Carousel, here: Key, findings: Findings) -> None:
    """One currency per carousel, else refused: amounts of two currencies do not add up."""
    if carousel.currency is not None and carousel.currency != site.currency:
        findings.refuse((*here, "currency"), f"{carousel.currency}, but the site's tables play in {site.currency}")
    if carousel.decimals is not None and carousel.decimals != site.decimals:
        findings.refuse((*here, "decimals"), f"{carousel.decimals}, but the site's currency has {site.decimals}")


def _check_same_odds(members: list[tuple[int, Table]], findings: Findings) -> None:
    """Members should have the same chance at the same part of the meter: the first one is the measure."""
    if not members:
        return
    _, first = members[0]
    for index, table in members[1:]:
        here = ("tables", index, "jackpot")
        ours, theirs = _linked_odds(table), _linked_odds(first)
        if {name: part for name, (part, _) in ours.items()} != {name: part for name, (part, _) in theirs.items()}:
            findings.warn((*here, "prizes"), f"other hands or percentages than {first.id!r} in the same carousel")
        for name in ours.keys() & theirs.keys():
            if ours[name][1] != theirs[name][1]:
                odds = f"1 in {int(1 / ours[name][1]):,} here, 1 in {int(1 / theirs[name][1]):,} at {first.id!r}"
                findings.warn((*here, "prizes", name), f"unequal odds in the same carousel: {odds}")
        if table.jackpot.credit != first.jackpot.credit:
            findings.warn((*here, "credit"), f"another bet than at {first.id!r} for the same prize")


def _linked_odds(table: Table) -> dict[str, tuple[int, Fraction]]:
    return {
        category.value: (row.percent, chance(table.jackpot, category))
        for category, row in table.jackpot.prizes.items()
        if row.percent is not None
    }
