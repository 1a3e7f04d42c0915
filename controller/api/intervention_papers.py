"""What people changed in a period, as its papers say it: on the document to sign, and in the sheet."""

from collections.abc import Mapping

from fpdf import FPDF

from controller.api.interventions import Change, Intervention
from controller.api.paper import line_of, pair
from controller.api.texts import Catalogue
from controller.api.words import Words

COLUMNS = ("time", "table", "what", "change", "amount", "cause", "note", "people", "entry")
CAUSES: Mapping[str, str] = {"void": "void", "override": "override"}
"""Lists of causes by kind; that of the changes of pools is `cause`."""


def row_of(words: Words, texts: Catalogue, done: Intervention) -> list[str]:
    """The cells of one act, in the order of COLUMNS."""
    return [
        words.moment(done.wall_ms),
        _where(words, texts, done),
        texts.name("intervention", done.kind),
        "; ".join(f"{name}: {told}" for name, told in _changes(words, texts, done)),
        words.sheet(done.amount_micros) if done.amount_micros else "",
        _cause(texts, done),
        done.note,
        _people(words, done),
        f"{words.journal_name(done.journal)}, {done.seq}",
    ]


def draw(pdf: FPDF, words: Words, texts: Catalogue, people: list[Intervention]) -> None:
    """Each act by its time: what it changed, why, who did it, and its entry."""
    pdf.ln(3)
    line_of(pdf, texts.text("intervention.heading"), 14, "serif", 8)
    if not people:
        pair(pdf, texts.text("intervention.none"), "—")
    for done in people:
        what = f"{texts.name('intervention', done.kind)} · {_where(words, texts, done)}".removesuffix(" · ")
        entry = texts.text("journal.entry", seq=done.seq)
        pair(pdf, what, f"{words.moment(done.wall_ms)} · {words.journal_name(done.journal)}, {entry}")
        for name, told in _changes(words, texts, done):
            pair(pdf, f"    {name}", told)
        if done.amount_micros:
            pair(pdf, f"    {texts.text('intervention.amount')}", words.exact(done.amount_micros))
        why = " · ".join(each for each in (_cause(texts, done), done.note) if each)
        pair(pdf, f"    {texts.text('intervention.why')}", why or "—")
        pair(pdf, f"    {texts.text('intervention.people')}", _people(words, done))


def _where(words: Words, texts: Catalogue, done: Intervention) -> str:
    hand = texts.text("hand.number", hand=done.hand) if done.hand else ""
    return ", ".join(each for each in (words.table_name(done.table) if done.table else "", hand) if each)


def _changes(words: Words, texts: Catalogue, done: Intervention) -> list[tuple[str, str]]:
    return [_change(words, texts, each) for each in done.changes]


def _change(words: Words, texts: Catalogue, each: Change) -> tuple[str, str]:
    if isinstance(each.before, int) and isinstance(each.after, int):
        return texts.name("effect", each.what), f"{words.exact(each.before)} → {words.exact(each.after)}"
    return words.place_name(each.what), f"{words.card_name(str(each.before))} → {words.card_name(str(each.after))}"


def _cause(texts: Catalogue, done: Intervention) -> str:
    return texts.name(CAUSES.get(done.kind, "cause"), done.cause) if done.cause else ""


def _people(words: Words, done: Intervention) -> str:
    return ", ".join(words.person(each) for each in (done.actor, done.second) if each)
