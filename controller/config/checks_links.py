"""Checks of carousels: who is linked, in what money, and whether all members play for it with the same odds."""

from fractions import Fraction

from controller.config.faults import Key
from controller.config.findings import Findings
from controller.config.model import Config
from controller.config.returns import chance, expected_linked_trigger_minor
from controller.config.site import Carousel, Site
from controller.config.table import Table
from controller.config.texts import number, said, written


def check_links(config: Config, findings: Findings) -> None:
    known = {carousel.id: carousel for carousel in config.carousels}
    for index, table in enumerate(config.tables):
        if table.carousel is not None and table.carousel not in known:
            names = ", ".join(sorted(known)) or said("none")
            text = said("unknown carousel '{carousel}'; known: {names}", carousel=table.carousel, names=names)
            findings.refuse(("tables", index, "carousel"), text)
    for index, carousel in enumerate(config.carousels):
        _check_carousel(config, carousel, ("carousels", index), findings)


def _check_carousel(config: Config, carousel: Carousel, here: Key, findings: Findings) -> None:
    members = [(index, table) for index, table in enumerate(config.tables) if table.carousel == carousel.id]
    _check_currency(config.site, carousel, here, findings)
    elsewhere = carousel.accept if carousel.is_host else ("host",)
    if config.mqtt is None and elsewhere:
        findings.refuse(here, said("linked to other nodes, but there is no [mqtt] section"))
    if not carousel.is_host and not carousel.host_keys:
        findings.warn((*here, "host_keys"), said("none: whoever the broker lets write may speak as the host"))
    if not carousel.is_host and not members:
        findings.warn(here, said("no table of this node is linked to it"))
    if carousel.is_host and not members and not carousel.accept:
        findings.warn((*here, "accept"), said("no table is linked to it and none is accepted"))
    for position, table_id in enumerate(carousel.accept):
        if not carousel.is_host:
            findings.refuse((*here, "accept"), said("only the host lets tables in"))
            break
        if any(table.id == table_id for table in config.tables):
            findings.refuse(
                (*here, "accept", position), said("'{table_id}' is a table of this node", table_id=table_id)
            )
        if table_id in carousel.accept[:position]:
            findings.refuse((*here, "accept", position), said("'{table_id}' stands there already", table_id=table_id))
    for table_id in carousel.accept_keys:
        if table_id not in carousel.accept:
            text = said("'{table_id}' is no table that this host lets in", table_id=table_id)
            findings.refuse((*here, "accept_keys", table_id), text)
    keyless = [table_id for table_id in carousel.accept if table_id not in carousel.accept_keys]
    if carousel.is_host and keyless:
        text = said(
            "none for {tables}: a host that takes over without a ledger trusts the broker", tables=", ".join(keyless)
        )
        findings.warn((*here, "accept_keys"), text)
    start = sum(table.jackpot.start for _, table in members)
    if carousel.ceiling is not None and carousel.ceiling < start:
        text = said("below {start}, what its tables start with", start=written(start, config.site.money))
        findings.refuse((*here, "ceiling"), text)
    trigger = expected_linked_trigger_minor([table.jackpot for _, table in members])
    if carousel.ceiling is not None and trigger is not None and trigger > carousel.ceiling:
        mean = written(trigger, config.site.money)
        text = said("the expected trigger value is {trigger}, above the ceiling", trigger=mean)
        findings.warn((*here, "ceiling"), text, "trigger_above_ceiling")
    _check_same_odds(members, findings)


def _check_currency(site: Site, carousel: Carousel, here: Key, findings: Findings) -> None:
    """One currency per carousel, else refused: amounts of two currencies do not add up."""
    if carousel.currency is not None and carousel.currency != site.currency:
        text = said("{theirs}, but the site's tables play in {ours}", theirs=carousel.currency, ours=site.currency)
        findings.refuse((*here, "currency"), text)
    if carousel.decimals is not None and carousel.decimals != site.decimals:
        text = said("{theirs}, but the site's currency has {ours}", theirs=carousel.decimals, ours=site.decimals)
        findings.refuse((*here, "decimals"), text)


def _check_same_odds(members: list[tuple[int, Table]], findings: Findings) -> None:
    """Members should have the same chance at the same part of the meter: the first one is the measure."""
    if not members:
        return
    _, first = members[0]
    for index, table in members[1:]:
        here = ("tables", index, "jackpot")
        ours, theirs = _linked_odds(table), _linked_odds(first)
        if {name: part for name, (part, _) in ours.items()} != {name: part for name, (part, _) in theirs.items()}:
            findings.warn(
                (*here, "prizes"),
                said("other hands or percentages than '{table}' in the same carousel", table=first.id),
                "unequal_links",
            )
        for name in ours.keys() & theirs.keys():
            if ours[name][1] != theirs[name][1]:
                odds = {"ours": number(int(1 / ours[name][1])), "theirs": number(int(1 / theirs[name][1]))}
                text = said(
                    "unequal odds in the same carousel: 1 in {ours} here, 1 in {theirs} at '{table}'",
                    **odds,
                    table=first.id,
                )
                findings.warn((*here, "prizes", name), text, "unequal_links")
        if table.jackpot.credit != first.jackpot.credit:
            text = said("another bet than at '{table}' for the same prize", table=first.id)
            findings.warn((*here, "credit"), text, "unequal_links")


def _linked_odds(table: Table) -> dict[str, tuple[int, Fraction]]:
    return {
        category.value: (row.percent, chance(table.jackpot, category))
        for category, row in table.jackpot.prizes.items()
        if row.percent is not None
    }
