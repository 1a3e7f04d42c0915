"""What makes a slip a document: its band with engraved waves, playing cards, cells of label and value."""

from collections.abc import Sequence
from math import pi, sin

from fpdf import FPDF
from fpdf.enums import MethodReturnValue
from fpdf.svg import SVGObject

from controller.api.paper import MARGIN_MM, WIDTH_MM

FELT, FELT_LINE, IVORY = (14, 42, 34), (46, 84, 70), (250, 246, 234)
BRASS, INK, QUIET, HAIR, RED, PALE_RED = (
    (150, 112, 44),
    (18, 32, 27),
    (86, 100, 93),
    (216, 208, 190),
    (176, 32, 38),
    (244, 214, 212),
)
BAND_MM = 32
CARD_MM = (14.5, 20.5)
SUIT_MM = 8
SUITS = {
    "h": "M50 92C18 66 6 50 6 32C6 17 17 8 29 8c9 0 17 5 21 14C54 13 62 8 71 8c12 0 23 9 23 24c0 18-12 34-44 60z",
    "d": "M50 4L88 50L50 96L12 50z",
    "s": "M50 4C58 26 92 42 92 64c0 13-9 21-20 21c-7 0-13-3-17-9c0 9 3 15 8 20H37c5-5 8-11 8-20c-4 6-10 9-17 9"
    "C17 85 8 77 8 64C8 42 42 26 50 4z",
    "c": "M50 6c12 0 21 9 21 20c0 6-2 11-6 15c2-1 5-1 7-1c12 0 21 9 21 20s-9 20-21 20c-7 0-13-3-17-9c0 10 3 17 9 23H36"
    "c6-6 9-13 9-23c-4 6-10 9-17 9C16 80 7 71 7 60s9-20 21-20c2 0 5 0 7 1c-4-4-6-9-6-15C29 15 38 6 50 6z",
}
"""The shape of each suit in a square of 100."""


def band(pdf: FPDF, house: str, title: str, number: str) -> None:
    """The head of the sheet: whose it is, what it is, and its number if it has one, over waves hard to draw again."""
    width = 108 if number else WIDTH_MM
    pdf.set_fill_color(*FELT)
    pdf.rect(0, 0, pdf.w, BAND_MM, style="F")
    pdf.set_draw_color(*FELT_LINE)
    pdf.set_line_width(0.12)
    for wave in range(14):
        points = [
            (x * 1.5, BAND_MM / 2 + 14.5 * sin(x * pi / 70 + wave * pi / 7) * sin(x * pi / 23 + wave * pi / 14))
            for x in range(141)
        ]
        pdf.polyline(points)
    pdf.set_fill_color(*BRASS)
    pdf.rect(0, BAND_MM, pdf.w, 0.9, style="F")
    pdf.set_text_color(*IVORY)
    pdf.set_xy(MARGIN_MM, 7)
    if _fitted(pdf, "serif", 20, house, width):
        pdf.cell(width, 10, house)
    else:
        pdf.set_xy(MARGIN_MM, 3)
        pdf.multi_cell(width, 3.6, house, align="L")
    pdf.set_xy(MARGIN_MM, 18)
    _fitted(pdf, "sans", 12, title, width)
    pdf.cell(width, 6, title)
    if number:
        pdf.set_xy(MARGIN_MM + width, 9)
        _fitted(pdf, "sans", 22, number, WIDTH_MM - width)
        pdf.cell(WIDTH_MM - width, 12, number, align="R")
    pdf.set_text_color(*INK)
    pdf.set_y(BAND_MM + 6)


def _fitted(pdf: FPDF, font: str, size: float, text: str, width: float) -> bool:
    """The font at the largest size, up to this one, at which a text keeps to a width; False where 8 is too large."""
    pdf.set_font(font, size=size)
    while size > 8 and pdf.get_string_width(text) + 2 * pdf.c_margin > width:
        size -= 0.5
        pdf.set_font(font, size=size)
    return pdf.get_string_width(text) + 2 * pdf.c_margin <= width


def across(pdf: FPDF, text: str) -> None:
    """A word over the whole sheet, behind what is written on it."""
    y = pdf.get_y()
    pdf.set_text_color(*PALE_RED)
    pdf.set_font("sans", size=92)
    with pdf.rotation(35, pdf.w / 2, 160):
        pdf.set_xy(0, 140)
        pdf.cell(pdf.w, 40, text, align="C")
    pdf.set_text_color(*INK)
    pdf.set_y(y)


def stamps(pdf: FPDF, told: Sequence[str]) -> None:
    """Lines in frames beside each other: that it is a copy, why it is void."""
    top, x = pdf.get_y(), float(MARGIN_MM)
    pdf.set_font("sans", size=12)
    pdf.set_draw_color(*RED)
    pdf.set_text_color(*RED)
    pdf.set_line_width(0.5)
    for text in told:
        width = pdf.get_string_width(text) + 8
        pdf.rect(x, top, width, 8.5, round_corners=True, corner_radius=1.6)
        pdf.set_xy(x, top)
        pdf.cell(width, 8.5, text, align="C")
        x += width + 4
    pdf.set_text_color(*INK)
    pdf.set_y(top + (11.5 if told else 0))


def framed_amount(pdf: FPDF, label: str, amount: str, words: str) -> None:
    """The sum that is paid out, in figures and in words, in a frame of its own."""
    top = pdf.get_y()
    pdf.set_font("sans", size=11)
    inner = WIDTH_MM - 12
    lines = pdf.multi_cell(inner, 5.6, words, align="L", dry_run=True, output=MethodReturnValue.LINES)
    height = 23 + 5.6 * len(lines if isinstance(lines, list) else [words])
    pdf.set_draw_color(*BRASS)
    pdf.set_fill_color(*IVORY)
    pdf.set_line_width(0.5)
    pdf.rect(MARGIN_MM, top, WIDTH_MM, height, style="DF", round_corners=True, corner_radius=2.4)
    pdf.set_line_width(0.15)
    pdf.rect(MARGIN_MM + 1.2, top + 1.2, WIDTH_MM - 2.4, height - 2.4, round_corners=True, corner_radius=1.8)
    pdf.set_xy(MARGIN_MM + 6, top + 3.5)
    _small(pdf, inner, label)
    pdf.set_xy(MARGIN_MM + 6, top + 7)
    _fitted(pdf, "sans", 30, amount, inner)
    pdf.cell(inner, 12, amount)
    pdf.set_xy(MARGIN_MM + 6, top + 19.5)
    pdf.set_font("sans", size=11)
    pdf.multi_cell(inner, 5.6, words, align="L")
    pdf.set_y(top + height + 4)


def hand(pdf: FPDF, cards: Sequence[str], combination: str, where: str) -> None:
    """The winning cards face up, with what they make and where."""
    top, x = pdf.get_y(), float(MARGIN_MM)
    width, height = CARD_MM
    for code in cards:
        _card(pdf, code, x, top)
        x += width + 2.2
    pdf.set_xy(x + 3 if cards else x, top + 2.5)
    beside = MARGIN_MM + WIDTH_MM - pdf.get_x()
    _fitted(pdf, "serif", 18, combination, beside)
    pdf.cell(beside, 8, combination)
    pdf.set_xy(x + 3 if cards else x, top + 10.5)
    pdf.set_font("sans", size=10.5)
    pdf.multi_cell(beside, 5, where, align="L")
    pdf.set_y(max(pdf.get_y(), top + (height if cards else 18)) + 3)


def _card(pdf: FPDF, code: str, x: float, y: float) -> None:
    width, height = CARD_MM
    color = RED if code[1] in "hd" else INK
    pdf.set_draw_color(*QUIET)
    pdf.set_fill_color(255, 255, 255)
    pdf.set_line_width(0.2)
    pdf.rect(x, y, width, height, style="DF", round_corners=True, corner_radius=1.4)
    pdf.set_text_color(*color)
    pdf.set_font("sans", size=15)
    pdf.set_xy(x, y + 1.6)
    pdf.cell(width, 7, "10" if code[0] == "T" else code[0], align="C")
    pdf.set_text_color(*INK)
    path = f'<path fill="#{bytes(color).hex()}" d="{SUITS[code[1]]}"/>'
    shape = SVGObject(f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 100">{path}</svg>')
    shape.width = shape.height = SUIT_MM * pdf.k
    shape.draw_to_page(pdf, x=x + (width - SUIT_MM) / 2, y=y + 10)


LABEL_MM, VALUE_MM, BELOW_MM = 4.2, 5.2, 2.2
"""Heights within a row of cells: the label, a line of the value, what lies below."""


def cells(pdf: FPDF, row: Sequence[tuple[str, str, float]]) -> None:
    """Values beside each other, each under its label, over a hair line; each with its share of the width."""
    top, x, low = pdf.get_y(), float(MARGIN_MM), 0.0
    for label, value, share in row:
        pdf.set_xy(x, top)
        _small(pdf, WIDTH_MM * share, label)
        pdf.set_xy(x, top + LABEL_MM)
        pdf.set_font("sans", size=10.5)
        pdf.multi_cell(WIDTH_MM * share, VALUE_MM, _flat(value), align="L")
        low = max(low, pdf.get_y())
        x += WIDTH_MM * share
    pdf.set_draw_color(*HAIR)
    pdf.set_line_width(0.2)
    pdf.line(MARGIN_MM, low + 1, MARGIN_MM + WIDTH_MM, low + 1)
    pdf.set_y(low + BELOW_MM)


def height_of(pdf: FPDF, row: Sequence[tuple[str, str, float]]) -> float:
    """What a row of cells takes of the sheet, in mm."""
    pdf.set_font("sans", size=10.5)
    lines = 1
    for _, value, share in row:
        told = pdf.multi_cell(
            WIDTH_MM * share, VALUE_MM, _flat(value), align="L", dry_run=True, output=MethodReturnValue.LINES
        )
        lines = max(lines, len(told) if isinstance(told, list) else 1)
    return LABEL_MM + VALUE_MM * lines + BELOW_MM


def _flat(value: str) -> str:
    """A typed text in one paragraph: its own line breaks would make a sheet of it."""
    return " ".join(value.split())


def _small(pdf: FPDF, width: float, label: str) -> None:
    pdf.set_font("sans", size=8)
    pdf.set_text_color(*QUIET)
    pdf.cell(width, LABEL_MM, label)
    pdf.set_text_color(*INK)
