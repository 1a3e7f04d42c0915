"""The sheet that slips and reports are set on: fonts, lines, pairs of label and value, places to sign."""

from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from typing import cast

from fpdf import FPDF
from fpdf.enums import MethodReturnValue, XPos, YPos

from controller.api.fonts import font_file
from controller.api.texts import Catalogue

MARGIN_MM = 18
WIDTH_MM = 174
LABEL_MM = 78
"""Width of the column of labels."""
LINE_MM = 7.5
SIGNATURES_MM = 14


def document(texts: Catalogue, title: str, made_ms: int) -> FPDF:
    """A page whose date is that of what it tells, so that the same content makes the same bytes."""
    pdf = FPDF(format="A4")
    pdf.set_creation_date(datetime.fromtimestamp(made_ms // 1000, UTC))
    pdf.set_margin(MARGIN_MM)
    pdf.set_title(title)
    pdf.set_lang("es-AR" if texts.language == "es" else "en")
    pdf.set_creator("Carrusel")
    pdf.add_font("sans", fname=font_file("inter.ttf"))
    pdf.add_font("serif", fname=font_file("vollkorn.ttf"))
    pdf.add_page()
    return pdf


def numbered(pdf: FPDF, title: str) -> None:
    """At the foot of each page of several which of them it is, so that none can be taken out of what was signed."""
    count = pdf.pages_count
    pdf.set_auto_page_break(False)
    for number in range(1, count + 1) if count > 1 else ():
        pdf.page = number
        pdf.set_font("sans", size=9)
        pdf.set_font("sans", size=8)  # told to each page anew: its last text was set in another
        pdf.set_text_color(86, 100, 93)
        pdf.set_xy(MARGIN_MM, pdf.h - 12)
        pdf.cell(WIDTH_MM, 5, f"{title} · {number}/{count}", align="R")


def line_of(pdf: FPDF, text: str, size: int = 11, font: str = "sans", height: float = 7) -> None:
    """One paragraph. Figures are set in the sans: the serif's are old style, where a 1 looks like an I."""
    pdf.set_font(font, size=size)
    pdf.multi_cell(WIDTH_MM, height, text, align="L", new_x=XPos.LMARGIN, new_y=YPos.NEXT)


def pair(pdf: FPDF, label: str, value: str) -> None:
    """A label and what it names; either goes on below where its column is too narrow, and both stay on one page."""
    pdf.set_font("sans", size=10)
    lines = pdf.multi_cell(LABEL_MM, LINE_MM, label, align="L", dry_run=True, output=MethodReturnValue.LINES)
    pdf.set_font("sans", size=11)
    told = pdf.multi_cell(WIDTH_MM - LABEL_MM, LINE_MM, value, align="L", dry_run=True, output=MethodReturnValue.LINES)
    pdf.set_font("sans", size=10)
    height = LINE_MM * max(len(each) if isinstance(each, list) else 1 for each in (lines, told))
    if pdf.will_page_break(height):
        pdf.add_page()
    top = pdf.get_y()
    pdf.set_text_color(86, 100, 93)
    pdf.multi_cell(LABEL_MM, LINE_MM, label, align="L", new_x=XPos.RIGHT, new_y=YPos.TOP)
    pdf.set_text_color(18, 32, 27)
    pdf.set_font("sans", size=11)
    pdf.multi_cell(WIDTH_MM - LABEL_MM, LINE_MM, value, align="L", new_x=XPos.LMARGIN, new_y=YPos.NEXT)
    pdf.set_y(max(pdf.get_y(), top + height))


def together(pdf: FPDF, draw: Callable[[FPDF], None]) -> None:
    """What stands on one page: on the next one where this one's rest is too small for it."""
    page = pdf.page
    with pdf.offset_rendering() as trial:
        draw(cast(FPDF, trial))  # it records what a page would
        is_broken = trial.page > page
    if is_broken:
        pdf.add_page()
    draw(pdf)


def signatures(pdf: FPDF, texts: Catalogue, signers: Sequence[str]) -> None:
    """Lines to sign on beside each other; signers: what stands under each, keys of texts."""
    pdf.ln(16)
    if pdf.will_page_break(SIGNATURES_MM):
        pdf.add_page()
        pdf.ln(4)
        line_of(pdf, texts.text("paper.signed_of", title=pdf.title), 10)
        pdf.ln(14)
    gap, y = 10, pdf.get_y()
    width = (WIDTH_MM - gap * (len(signers) - 1)) / len(signers)
    pdf.set_draw_color(86, 100, 93)
    pdf.set_line_width(0.25)
    pdf.set_font("sans", size=9)
    for number, key in enumerate(signers):
        x = MARGIN_MM + number * (width + gap)
        pdf.line(x, y, x + width, y)
        pdf.set_xy(x, y + 1)
        pdf.cell(width, 6, texts.text(key), align="C")
    pdf.set_xy(MARGIN_MM, y + 12)
