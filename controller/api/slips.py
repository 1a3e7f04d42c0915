"""Papers: the slip of a prize with its amount in words, signatures and a QR of its journal entry; the day's report."""

import io
from dataclasses import dataclass

import segno
from fpdf import FPDF
from fpdf.enums import XPos, YPos

from controller.api.amount_words import amount_words
from controller.api.context import ApiPorts
from controller.api.fonts import font_file
from controller.api.panel.words import Words, digest_text
from controller.api.reports import DayReport
from controller.api.texts import Catalogue, Money, catalogue, day_text

WIDTH_MM = 174


@dataclass(frozen=True, slots=True)
class Slip:
    """What a slip says; `number` is the journal's seq of the entry that granted (or paid) the prize."""

    number: str
    game: str
    table: str
    hand: int
    seat: int
    category: str
    cards: str
    article: str
    amount_minor: int
    paid_by: str
    status: str
    when: str
    verified_by: str
    paid_by_people: str
    entry: str
    chain: str


def _document(texts: Catalogue, title: str) -> FPDF:
    pdf = FPDF(format="A4")
    pdf.set_margin(18)
    pdf.set_title(title)
    pdf.set_lang("es-AR" if texts.language == "es" else "en")
    pdf.set_creator("Carrusel")
    pdf.add_font("sans", fname=font_file("inter.ttf"))
    pdf.add_font("serif", fname=font_file("vollkorn.ttf"))
    pdf.add_page()
    return pdf


def _line(pdf: FPDF, text: str, size: int = 11, font: str = "sans", height: float = 7) -> None:
    """One paragraph. Figures are set in the sans: the serif's are old style, where a 1 looks like an I."""
    pdf.set_font(font, size=size)
    pdf.multi_cell(WIDTH_MM, height, text, new_x=XPos.LMARGIN, new_y=YPos.NEXT)


def _pair(pdf: FPDF, label: str, value: str) -> None:
    pdf.set_font("sans", size=10)
    pdf.set_text_color(86, 100, 93)
    pdf.cell(52, 7.5, label)
    pdf.set_text_color(18, 32, 27)
    pdf.set_font("sans", size=11)
    pdf.multi_cell(WIDTH_MM - 52, 7.5, value, new_x=XPos.LMARGIN, new_y=YPos.NEXT)


def slip_pdf(ports: ApiPorts, slip: Slip, language: str) -> bytes:
    """The slip as a PDF of one page."""
    texts = catalogue(language)
    site = ports.config.site
    money = Money(site.symbol, site.decimals, language)
    pdf = _document(texts, texts.text("slip.title", number=slip.number))
    _line(pdf, site.name, 11)
    _line(pdf, texts.text("slip.title", number=slip.number), 20, height=11)
    if slip.status == "void":
        _line(pdf, texts.text("slip.void"), 18, "serif", 10)
    pdf.ln(3)
    _line(pdf, money(slip.amount_minor), 28, height=14)
    _line(pdf, texts.text("slip.words", words=amount_words(slip.amount_minor, site.decimals, language)), 12)
    pdf.ln(3)
    for key, value in (
        ("table", f"{slip.table} · {texts.name('game', slip.game)}"),
        ("hand", str(slip.hand)),
        ("seat", str(slip.seat)),
        ("combination", texts.name("category", slip.category)),
        ("cards", slip.cards or texts.text("prize.cards_unread")),
        ("article", slip.article or "—"),
        ("from", texts.name("paid_by", slip.paid_by)),
        ("status", texts.name("status", slip.status)),
        ("when", slip.when),
        ("verified", slip.verified_by or "—"),
        ("paid", slip.paid_by_people or "—"),
        ("withholding", "______________________"),
        ("net", "______________________"),
        ("player", "____________________________________________"),
    ):
        _pair(pdf, texts.text(f"slip.{key}"), value)
    _signatures(pdf, texts)
    _qr(pdf, texts, slip)
    return bytes(pdf.output())


def _signatures(pdf: FPDF, texts: Catalogue) -> None:
    pdf.ln(22)
    y = pdf.get_y()
    for x, key in ((18, "slip.first_signature"), (112, "slip.second_signature")):
        pdf.line(x, y, x + 78, y)
        pdf.set_xy(x, y + 1)
        pdf.set_font("sans", size=9)
        pdf.cell(78, 6, texts.text(key))
    pdf.set_xy(18, y + 14)


def _qr(pdf: FPDF, texts: Catalogue, slip: Slip) -> None:
    """The entry's journal, seq and chain: whoever has an export finds it and checks it."""
    picture = io.BytesIO()
    segno.make(f"carrusel:{slip.entry}:{slip.chain}", error="m").save(picture, kind="png", scale=6, border=2)
    picture.seek(0)
    y = pdf.get_y()
    pdf.image(picture, x=18, y=y, w=34, h=34, alt_text=slip.entry)
    pdf.set_xy(56, y + 8)
    pdf.set_font("sans", size=9)
    pdf.multi_cell(130, 5.5, texts.text("slip.entry", entry=slip.entry, digest=digest_text(slip.chain)))


def report_pdf(ports: ApiPorts, report: DayReport, language: str) -> bytes:
    """The day's report: the account of each carousel, and a line for each table."""
    texts, words = catalogue(language), Words(ports, language)
    money = Money(ports.config.site.symbol, ports.config.site.decimals, language)
    pdf = _document(texts, texts.text("report.title", day=day_text(report.day, language)))
    _line(pdf, ports.config.site.name)
    _line(pdf, texts.text("report.title", day=day_text(report.day, language)), 20, height=11)
    for account in report.carousels:
        pdf.ln(3)
        _line(pdf, texts.text("shift.account", carousel=words.carousel_name(account.carousel)), 14, "serif", 8)
        _pair(pdf, texts.text("shift.opening"), words.exact(account.opening_micros))
        for what, micros in account.moved_micros.items():
            _pair(pdf, texts.name("moved", what), words.exact(micros))
        _pair(pdf, texts.text("shift.closing"), words.exact(account.closing_micros))
        _line(pdf, texts.text("shift.holds" if account.holds else "shift.broken"), 10)
    for row in report.tables:
        pdf.ln(3)
        _line(pdf, words.table_name(row.table), 14, height=8)
        _pair(pdf, texts.text("shift.hands"), str(row.hands))
        _pair(pdf, texts.text("shift.voids"), str(row.voids))
        _pair(pdf, texts.text("shift.bets"), str(row.bets))
        _pair(pdf, texts.text("shift.handle"), money(row.handle_minor))
        _pair(pdf, texts.text("shift.contributed"), words.exact(row.contribution_micros))
        hits = ", ".join(f"{texts.name('category', name)} {count}" for name, count in row.hits_by_category.items())
        _pair(pdf, texts.text("shift.hits"), f"{row.hits}{f' ({hits})' if hits else ''}")
        _pair(pdf, texts.text("shift.paid"), money(row.paid_minor))
    _signatures(pdf, texts)
    return bytes(pdf.output())
