"""A prize's slip out of its entry: amounts in figures and words, an override, tax, checks, signatures and a QR."""

import io
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import segno
from fpdf import FPDF

from controller.api.amount_words import amount_words
from controller.api.context import ApiPorts
from controller.api.paper import MARGIN_MM, WIDTH_MM, document, numbered, signatures
from controller.api.paper_art import across, band, cells, framed_amount, hand, height_of, stamps
from controller.api.texts import Catalogue, Money, catalogue, digest_text
from controller.api.words import Words

KEPT_DAYS = 7
"""How long a sealed hand is kept at least."""


@dataclass(frozen=True, slots=True)
class Slip:
    """A slip to print: `content` is what its entry holds, so that every copy says the same.

    copy: 0 for the original; void: why it is void, if it is. paid_ms: when it was paid, of a copy that was made after
    that; 0 of any other paper. payers: the logins of who paid it.
    """

    content: Mapping[str, Any]
    sha256: str
    copy: int
    void: str
    issued_ms: int
    entry: str
    chain: str
    paid_ms: int = 0
    payers: tuple[str, ...] = ()


SIGNERS = ("slip.player_signature", "slip.first_signature", "slip.second_signature")
FREE_MM = 15
"""Empty edge at the foot of each sheet; only the number of the page stands in it."""
QR_MM = 26
CLOSE_MM = 68
"""Height of what is signed: name and document, the signatures, the QR. It stands on one sheet."""
Cells = list[tuple[str, str, float]]


def slip_pdf(ports: ApiPorts, slip: Slip, language: str) -> bytes:
    """The slip as a PDF: of one page, or of as many as its texts take, each with the number and the amount."""
    texts, words = catalogue(language), Words(ports, language)
    content, facts = slip.content, slip.content["facts"]
    title = texts.text("slip.title", number=content["number"])
    pdf = document(texts, title, slip.issued_ms)
    pdf.set_auto_page_break(False)
    _void_behind(pdf, texts, slip)
    band(pdf, facts["site"], texts.text("slip.heading"), content["number"])
    _stamped(pdf, texts, slip)
    _amount(pdf, ports, content, language)
    hand(pdf, facts["cards"], texts.name("category", content["category"]), _place(texts, content))
    for row in _rows(ports, texts, words, slip):
        _room_for(pdf, height_of(pdf, row), ports, texts, slip)
        cells(pdf, row)
    _room_for(pdf, CLOSE_MM, ports, texts, slip)
    pdf.ln(2)
    cells(pdf, [(texts.text("slip.player_name"), "", 0.62), (texts.text("slip.player_document"), "", 0.38)])
    signatures(pdf, texts, SIGNERS)
    _qr(pdf, texts, slip)
    numbered(pdf, title)
    return bytes(pdf.output())


def _room_for(pdf: FPDF, height: float, ports: ApiPorts, texts: Catalogue, slip: Slip) -> None:
    """Goes on to the next sheet where this one's rest is too small; its head says whose sheet it is.

    Who signs there sees the number and the sum.
    """
    if pdf.get_y() + height <= pdf.h - FREE_MM:
        return
    pdf.add_page()
    _void_behind(pdf, texts, slip)
    pdf.set_xy(MARGIN_MM, FREE_MM)
    site, content = ports.config.site, slip.content
    money = Money(site.symbol, site.decimals, texts.language)
    cells(
        pdf,
        [
            (texts.text("slip.heading"), content["number"], 0.6),
            (texts.text(_amount_key(content)), money(content["net_minor"]), 0.4),
        ],
    )
    pdf.ln(2)
    _stamped(pdf, texts, slip)


def _void_behind(pdf: FPDF, texts: Catalogue, slip: Slip) -> None:
    if slip.void:
        across(pdf, texts.text("slip.void"))


def _stamped(pdf: FPDF, texts: Catalogue, slip: Slip) -> None:
    void = f"{texts.text('slip.void')} · {texts.name('slip_void', slip.void)}" if slip.void else ""
    copy = texts.text("slip.copy", copy=slip.copy) if slip.copy else ""
    stamps(pdf, [each for each in (void, copy) if each])


def _place(texts: Catalogue, content: Mapping[str, Any]) -> str:
    facts = content["facts"]
    where = (facts["table"], texts.name("game", facts["game"]))
    return " · ".join((*where, f"{texts.text('slip.hand')} {content['hand']}", _seat(texts, content)))


def _seat(texts: Catalogue, content: Mapping[str, Any]) -> str:
    return f"{texts.text('slip.seat')} {content['seat']}"


def _rows(ports: ApiPorts, texts: Catalogue, words: Words, slip: Slip) -> list[Cells]:
    """What else it says, row by row: label, value, share of the width."""
    content, facts = slip.content, slip.content["facts"]

    def cell(key: str, value: str, share: float) -> tuple[str, str, float]:
        return texts.text(f"slip.{key}"), value, share

    cards = ", ".join(words.card_name(card) for card in facts["cards"])
    rows = [
        [cell("cards", cards or texts.text("prize.cards_unread"), 1)],
        [
            cell(*_when(words, content), 0.34),
            cell("status", texts.name("status", content["status"]), 0.22),
            cell("from", texts.name("paid_by", content["paid_by"]), 0.28),
            cell("article", content["article"] or "—", 0.16),
        ],
        [cell("verified", facts["verified_by"] or "—", 0.5), cell("paid", facts["paid_by_people"] or "—", 0.5)],
    ]
    if content["withheld_minor"]:
        rows.insert(0, _tax(ports, texts, content))
        if content["note"]:
            rows.insert(1, [cell("note", content["note"], 1)])
    if slip.paid_ms:
        people = ", ".join(map(words.person, slip.payers))
        rows.append([cell("since", texts.text("slip.paid_on", at=words.moment(slip.paid_ms)[:-3], people=people), 1)])
    rows = [*_override(ports, texts, words, content), *rows]
    checked = _checks(texts, words, slip)
    return [*rows, [cell("checked", checked, 1)]] if checked else rows


def _when(words: Words, content: Mapping[str, Any]) -> tuple[str, str]:
    """The end of the hand where it is known, else the step that the slip was issued upon, each with its label."""
    facts = content["facts"]
    if facts.get("hand_ms"):
        return "when_hand", words.moment(facts["hand_ms"])
    return ("when_paid" if content["status"] == "paid" else "when_verification"), words.moment(facts["when_ms"])


def _tax(ports: ApiPorts, texts: Catalogue, content: Mapping[str, Any]) -> Cells:
    """The whole prize in figures and words, and what the tax office takes of it."""
    site, language = ports.config.site, texts.language
    money = Money(site.symbol, site.decimals, language)
    gross = content["amount_minor"] + content.get("difference_minor", 0)
    words = f"{texts.name('currency', site.currency)} {amount_words(gross, site.decimals, language)}"
    return [
        (texts.text("slip.gross"), f"{money(gross)} ({words})", 0.66),
        (texts.text("slip.withholding"), money(content["withheld_minor"]), 0.34),
    ]


def _amount(pdf: FPDF, ports: ApiPorts, content: Mapping[str, Any], language: str) -> None:
    """What is paid out, large and in words."""
    texts, site = catalogue(language), ports.config.site
    money, net = Money(site.symbol, site.decimals, language), content["net_minor"]
    currency = texts.name("currency", site.currency)
    words = texts.text("slip.words", currency=currency, words=amount_words(net, site.decimals, language))
    framed_amount(pdf, texts.text(_amount_key(content)), money(net), words)


def _amount_key(content: Mapping[str, Any]) -> str:
    """What the sum that is paid out is called."""
    taxed, overridden = content["withheld_minor"], content.get("override") is not None
    return "slip.net" if taxed else "override.due" if overridden else "slip.gross"


def _override(ports: ApiPorts, texts: Catalogue, words: Words, content: Mapping[str, Any]) -> list[Cells]:
    """Both amounts where another than the computed one is paid, why, and who the two people were."""
    difference, override = content.get("difference_minor", 0), content.get("override")
    if not difference and override is None:
        return []
    money = Money(ports.config.site.symbol, ports.config.site.decimals, texts.language)
    rows = [
        [
            (texts.text("slip.computed"), money(content["amount_minor"]), 0.5),
            (texts.text("slip.difference"), money(difference), 0.5),
        ]
    ]
    if override is not None:
        people = ", ".join(words.person(override[each]) for each in ("actor", "second"))
        why = f"{texts.name('override', override['reason'])}: {override['note']} ({people})"
        rows.append([(texts.text("slip.override"), why, 1)])
    return rows


def _checks(texts: Catalogue, words: Words, slip: Slip) -> str:
    """What was done with the cards, and until when the sealed hand is kept."""
    content = slip.content
    done = ", ".join(texts.name("check", item) for item in content["checked"])
    if not content["seal"]:
        return done
    until = words.day(content["facts"]["when_ms"] + KEPT_DAYS * 86_400_000)
    return f"{done} · {texts.text('slip.seal', seal=content['seal'], until=until)}"


def _qr(pdf: FPDF, texts: Catalogue, slip: Slip) -> None:
    """The entry's journal, seq and chain: whoever has an export finds it and checks it."""
    picture = io.BytesIO()
    segno.make(f"carrusel:{slip.entry}:{slip.chain}", error="m").save(picture, kind="png", scale=6, border=2)
    picture.seek(0)
    y = pdf.h - FREE_MM - QR_MM
    pdf.image(picture, x=MARGIN_MM, y=y, w=QR_MM, h=QR_MM, alt_text=slip.entry)
    pdf.set_xy(MARGIN_MM + QR_MM + 4, y + 6)
    pdf.set_font("sans", size=9)
    told = texts.text("slip.entry", entry=slip.entry, digest=digest_text(slip.sha256))
    pdf.multi_cell(WIDTH_MM - QR_MM - 4, 5.5, told, align="L")
