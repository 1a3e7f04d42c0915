"""A period's report as people take it away: a sheet for a spreadsheet, and a document to sign."""

import csv
import io
from collections.abc import Mapping
from typing import Any

from fpdf import FPDF

from controller.api import intervention_papers as interventions
from controller.api.context import ApiPorts
from controller.api.ledger_periods import CarouselAccount
from controller.api.liability import Liability
from controller.api.paper import document, line_of, numbered, pair, signatures, together
from controller.api.paper_art import band
from controller.api.reports import Report, TableFigures
from controller.api.setting_fields import told_keys
from controller.api.settings_then import InForce
from controller.api.texts import GROUPING, Catalogue, Money, catalogue, digest_text
from controller.api.words import Words

COLUMNS = ("hands", "voids", "bets", "handle", "contributed", "hits", "paid", "withheld")
OVERRIDE_COLUMNS = ("table", "hand", "seat", "when", "computed", "paid", "difference", "cause", "people", "authorised")
SIGNERS = ("paper.made_by", "paper.checked_by")
"""Who signs a report: nobody is paid by it."""
AMOUNTS = frozenset({"handle", "contributed", "paid", "withheld"})


def safe_cell(text: str) -> str:
    """A text that a spreadsheet does not take for a formula."""
    return f"'{text}" if text[:1] in ("=", "+", "-", "@", "\t") else text


def csv_of(ports: ApiPorts, report: Report, language: str) -> str:
    """One line for each table, then one for each movement of a carousel, then a month's days; amounts in units of the
    currency.

    The header of an amount names the currency. Where the decimal mark is a comma, columns are set apart by semicolons,
    as spreadsheets of that language read and write them.
    """
    texts, words = catalogue(language), Words(ports, language)
    out = io.StringIO()
    writer = csv.writer(out, delimiter=";" if GROUPING[language][1] == "," else ",", lineterminator="\r\n")
    unit = ports.config.site.currency

    def header(column: str) -> str:
        label = texts.text(f"shift.{column}")
        return f"{label} ({unit})" if column in AMOUNTS else label

    def figures(row: TableFigures) -> tuple[str | int, ...]:
        handle, paid, withheld = (
            words.sheet(minor * ports.minor_micros) for minor in (row.handle_minor, row.paid_minor, row.withheld_minor)
        )
        contributed = words.sheet(row.contribution_micros)
        return (row.hands, row.voids, row.bets, handle, contributed, row.hits, paid, withheld)

    writer.writerow([texts.text("fact.table"), *(header(column) for column in COLUMNS)])
    for row in report.tables:
        writer.writerow([safe_cell(words.table_name(row.table)), *figures(row)])
    if report.carousels:
        writer.writerow([])
        amount = f"{texts.text('fact.amount')} ({unit})"
        writer.writerow([texts.text("fact.carousel"), texts.text("shift.moved"), amount])
    for account in report.carousels:
        name = safe_cell(words.carousel_name(account.carousel))
        for label, micros in _movements(texts, account):
            writer.writerow([name, label, words.sheet(micros)])
    if report.pending:
        writer.writerow([])
        writer.writerow(
            [texts.text("fact.table"), texts.text(_pending_key(report)), f"{texts.text('fact.amount')} ({unit})"]
        )
    for waiting in report.pending:
        name = safe_cell(words.table_name(waiting.table))
        writer.writerow([name, waiting.count, words.sheet(waiting.minor * ports.minor_micros)])
    if report.days:
        writer.writerow([])
        closing, growth = f"{texts.text('shift.closing')} ({unit})", f"{texts.text('shift.growth')} ({unit})"
        writer.writerow([texts.text("shift.day"), texts.text("fact.carousel"), closing, growth])
    for day, accounts in report.days:
        for account in accounts:
            name = safe_cell(words.carousel_name(account.carousel))
            told = (words.sheet(account.closing_micros), words.sheet(account.growth_micros))
            writer.writerow([words.date(day.name), name, *told])
    if report.overrides:
        writer.writerow([])
        writer.writerow([texts.text(f"override.{column}") for column in OVERRIDE_COLUMNS])
    for table, line in report.overrides:
        writer.writerow([safe_cell(words.table_name(table)), *_override_row(ports, texts, words, line)])
    if report.overrides:
        writer.writerow(_override_sums(ports, texts, words, report))
    if report.people:
        writer.writerow([])
        writer.writerow([texts.text(f"intervention.{column}") for column in interventions.COLUMNS])
    for done in report.people:
        cells = interventions.row_of(words, texts, done)
        named = zip(interventions.COLUMNS, cells, strict=True)
        writer.writerow([cell if column == "amount" else safe_cell(cell) for column, cell in named])
    if report.settings:
        writer.writerow([])
        columns = ("table", "time", "who", "setting", "old", "new_value", "terms")
        writer.writerow([texts.text(f"settings.{column}") for column in columns])
    for table, line in report.settings:
        writer.writerows(_settings_rows(words, table, line))
    if report.settings_then:
        writer.writerow([])
        header_keys = ("settings.table", "settings.setting", "report.value", "report.since")
        writer.writerow([texts.text(key) for key in header_keys])
    for then in report.settings_then:
        name = safe_cell(words.table_name(then.table))
        for label, value, since in _in_force(words, then):
            writer.writerow([name, label, safe_cell(value), since])
        writer.writerow([name, texts.text("settings.terms"), then.terms, ""])
    return out.getvalue()


def _pending_key(report: Report) -> str:
    """Whose prizes wait: now, or at the close that two people signed."""
    return "shift.pending_then" if report.period.number else "shift.pending"


def _in_force(words: Words, then: InForce) -> list[tuple[str, str, str]]:
    """Each setting in force in words: its name, its value, and since when."""
    told = []
    for key in told_keys(then.settings):
        value = words.setting_value(key, then.settings[key])
        told.append((words.setting_name(key), value, words.moment(then.since_ms[key])[:-3]))
    return told


def _override_row(ports: ApiPorts, texts: Catalogue, words: Words, line: Mapping[str, Any]) -> list[str | int]:
    """A payment of another amount than the computed one: where, when, both amounts, why and by whom."""
    computed, paid = line["computed_minor"], line["amount_minor"]
    who = ", ".join(words.person(each) for each in (line["actor"], line["second"]) if each)
    return [
        line["hand"],
        line["seat"],
        words.clock(line["wall_ms"]),
        *(words.sheet(minor * ports.minor_micros) for minor in (computed, paid, paid - computed)),
        texts.name("override", line["override"]),
        safe_cell(who),
        safe_cell(", ".join(map(words.person, line["authorised"]))),
    ]


def _override_sums(ports: ApiPorts, texts: Catalogue, words: Words, report: Report) -> list[str | int]:
    """How many such payments there were, and the sums of both amounts and of the difference, under their columns."""
    lines = [line for _, line in report.overrides]
    computed, paid = (sum(line[name] for line in lines) for name in ("computed_minor", "amount_minor"))
    sums = (words.sheet(minor * ports.minor_micros) for minor in (computed, paid, paid - computed))
    return [texts.text("override.total", count=len(lines)), "", "", "", *sums, "", "", ""]


def _settings_rows(words: Words, table: str, line: Mapping[str, Any]) -> list[list[str]]:
    """What was done to a table's settings: a row for each value, or one for a confirmation."""
    who = ", ".join(words.person(each) for each in (line["actor"], line["second"]) if each)
    first = [safe_cell(words.table_name(table)), words.clock(line["wall_ms"]), safe_cell(who)]
    rows = [
        [
            *first,
            words.setting_name(change["key"]),
            words.setting_value(change["key"], change["before"]),
            words.setting_value(change["key"], change["after"]),
            line["terms_after"],
        ]
        for change in line["changes"]
    ]
    return rows or [[*first, "", "", "", line["terms_after"]]]


def _movements(texts: Catalogue, account: CarouselAccount) -> list[tuple[str, int]]:
    """Opening, what moved, closing and growth of a carousel, in micros."""
    moved = [(texts.name("moved", what), micros) for what, micros in account.moved_micros.items()]
    return [
        (texts.text("shift.opening"), account.opening_micros),
        *moved,
        (texts.text("shift.closing"), account.closing_micros),
        (texts.text("shift.growth"), account.growth_micros),
        (texts.text("shift.growth_played"), account.growth_played_micros),
    ]


def report_pdf(ports: ApiPorts, report: Report, language: str, *, annex: bool = False) -> bytes:
    """The account of each carousel, a line for each table, how often each prize fell, and a month's days.

    Of the settings what changed and the hash of the terms; annex: behind the signatures also every setting in force.
    """
    texts, words = catalogue(language), Words(ports, language)
    money = Money(ports.config.site.symbol, ports.config.site.decimals, language)
    title = texts.text("report.title", day=words.period_name(report.period))
    pdf = document(texts, title, ports.clock())
    band(pdf, ports.config.site.name, title, "")
    if report.period.signed:
        people = ", ".join(words.person(login) for login in report.period.signed)
        line_of(pdf, texts.text("report.signed", people=people))
    for account in report.carousels:
        pdf.ln(3)
        line_of(pdf, texts.text("shift.account", carousel=words.carousel_name(account.carousel)), 14, "serif", 8)
        for label, micros in _movements(texts, account):
            pair(pdf, label, words.exact(micros))
        line_of(pdf, texts.text("shift.holds" if account.holds else "shift.broken"), 10)
    if report.pending:
        pdf.ln(3)
        line_of(pdf, texts.text(_pending_key(report)), 14, "serif", 8)
    for waiting in report.pending:
        told = f"{texts.count('shift.pending', waiting.count)} · {money(waiting.minor)}"
        pair(pdf, words.table_name(waiting.table), told)
    for row in report.tables:
        pdf.ln(3)
        line_of(pdf, words.table_name(row.table), 14, height=8)
        pair(pdf, texts.text("shift.hands"), str(row.hands))
        pair(pdf, texts.text("shift.voids"), str(row.voids))
        pair(pdf, texts.text("shift.bets"), str(row.bets))
        pair(pdf, texts.text("shift.handle"), money(row.handle_minor))
        pair(pdf, texts.text("shift.contributed"), words.exact(row.contribution_micros))
        pair(pdf, texts.text("shift.hits"), str(row.hits))
        pair(pdf, texts.text("shift.paid"), money(row.paid_minor))
        pair(pdf, texts.text("shift.withheld"), money(row.withheld_minor))
        for line in row.overrides:
            where = f"{texts.text('hand.number', hand=line['hand'])}, {texts.text('seat.number', seat=line['seat'])}"
            amounts = texts.text(
                "override.line", computed=money(line["computed_minor"]), paid=money(line["amount_minor"])
            )
            why = texts.name("override", line["override"])
            pair(pdf, f"{texts.text('override.heading')}, {where}", f"{amounts} · {why}")
            if line["authorised"]:
                pair(pdf, texts.text("override.authorised"), ", ".join(map(words.person, line["authorised"])))
        if row.overrides:
            told = f"{texts.text('override.difference')} {money(row.overridden_minor)}"
            pair(pdf, texts.count("override.sum", len(row.overrides)), told)
    if report.frequencies:
        pdf.ln(3)
        line_of(pdf, texts.text("shift.frequency"), 14, "serif", 8)
    for category, (hits, bets) in report.frequencies.items():
        pair(
            pdf,
            texts.name("category", category),
            f"{hits} · {texts.text('shift.how_often').lower()} {texts.count('credits', bets)}",
        )
    for day, accounts in report.days:
        for account in accounts:
            if any(account.moved_micros.values()):
                label = f"{words.date(day.name)} · {words.carousel_name(account.carousel)}"
                pair(pdf, label, f"{words.exact(account.closing_micros)} ({words.exact(account.growth_micros)})")
    interventions.draw(pdf, words, texts, report.people)
    for then in report.settings_then[:-1]:
        _settings_summary(pdf, texts, words, report, then)

    def last(sheet: FPDF) -> None:
        for then in report.settings_then[-1:]:
            _settings_summary(sheet, texts, words, report, then)
        signatures(sheet, texts, SIGNERS)

    together(pdf, last)
    if annex:
        pdf.add_page()
        for then in report.settings_then:
            _settings_sheet(pdf, texts, words, then)
    numbered(pdf, title)
    return bytes(pdf.output())


def _settings_summary(pdf: FPDF, texts: Catalogue, words: Words, report: Report, then: InForce) -> None:
    """What was done to a table's settings in the period, and what names all of those that it ended with."""
    pdf.ln(3)
    line_of(pdf, texts.text("report.settings", table=words.table_name(then.table)), 14, height=8)
    lines = [line for table, line in report.settings if table == then.table]
    for line in lines:
        who = ", ".join(words.person(each) for each in (line["actor"], line["second"]) if each)
        at = f"{words.moment(line['wall_ms'])[:-3]} · {who}"
        pair(pdf, texts.name("entry", line["kind"]), at)
        for change in line["changes"]:
            name, before, after = (
                words.setting_name(change["key"]),
                words.setting_value(change["key"], change["before"]),
                words.setting_value(change["key"], change["after"]),
            )
            pair(pdf, name[:1].upper() + name[1:], f"{before} → {after}")
    if not lines:
        pair(pdf, texts.text("settings.changes"), texts.text("report.no_changes"))
    pair(pdf, texts.text("settings.terms"), digest_text(then.terms))


def _settings_sheet(pdf: FPDF, texts: Catalogue, words: Words, then: InForce) -> None:
    """What a table was played by: game, house rules and jackpot terms; those that changed later with their own date."""
    pdf.ln(3)
    line_of(pdf, texts.text("report.in_force", table=words.table_name(then.table)), 14, "serif", 8)
    first = words.moment(min(then.since_ms.values()))[:-3]
    pair(pdf, texts.text("report.since"), first)
    for label, value, since in _in_force(words, then):
        told = value if since == first else texts.text("report.in_force_from", value=value, at=since)
        pair(pdf, label[:1].upper() + label[1:], told)
    pair(pdf, texts.text("settings.terms"), digest_text(then.terms))


def liability_pdf(ports: ApiPorts, held: Liability, language: str) -> bytes:
    """What is held for the players, to be signed."""
    texts, words = catalogue(language), Words(ports, language)
    money = Money(ports.config.site.symbol, ports.config.site.decimals, language)
    title = texts.text("liability.title", at=words.moment(held.at_ms))
    pdf = document(texts, title, held.at_ms)
    band(pdf, ports.config.site.name, title, "")
    for pools in held.carousels:
        pdf.ln(3)
        line_of(pdf, words.carousel_name(pools.carousel), 14, height=8)
        if pools.closing:
            pair(
                pdf, texts.text("liability.closed" if pools.closed else "liability.closing"), words.date(pools.closing)
            )
        for key in ("main", "reserve", "overflow", "orphans", "total", "funded"):
            pair(pdf, texts.text(f"liability.{key}"), words.exact(getattr(pools, f"{key}_micros")))
    for table in held.tables:
        pdf.ln(3)
        line_of(pdf, words.table_name(table.table), 14, height=8)
        pair(pdf, texts.text("liability.unpaid"), money(table.unpaid_minor))
        pair(pdf, texts.text("liability.house"), money(table.house_minor))
        pair(pdf, texts.text("liability.draw_pools"), words.exact(table.draw_pools_micros))
        if table.orphans_micros:
            pair(pdf, texts.text("liability.orphans"), words.exact(table.orphans_micros))
    pdf.ln(3)
    pair(pdf, texts.text("liability.held"), words.exact(held.total_micros))
    if held.house_minor:
        pair(pdf, texts.text("liability.house_too"), money(held.house_minor))
    signatures(pdf, texts, SIGNERS)
    numbered(pdf, title)
    return bytes(pdf.output())
