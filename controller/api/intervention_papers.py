"""What people changed in a period, as it is told: on the document to sign, in the sheet, and on the shift's page."""

from collections.abc import Mapping
from dataclasses import dataclass

from fpdf import FPDF

from controller.api.amounts.acts import address_of
from controller.api.interventions import Change, Intervention
from controller.api.paper import line_of, pair
from controller.api.texts import Catalogue
from controller.api.words import Words

COLUMNS = ("time", "table", "what", "change", "amount", "cause", "note", "people", "entry")
CAUSES: Mapping[str, str] = {"void": "void", "override": "override"}
"""Lists of causes by kind; that of the changes of pools is `cause`."""


@dataclass(frozen=True, slots=True)
class Shown:
    """One change in words: what it is of, what was and what is; `asked`: its word in an address, empty for cards."""

    name: str
    before: str
    after: str
    asked: str = ""

    @property
    def text(self) -> str:
        return f"{self.before} → {self.after}"


@dataclass(frozen=True, slots=True)
class Told:
    """One act in words: `changes` are names with what was and what is, `journal` and `seq` its entry, `of` where its
    amounts are asked."""

    time: str
    what: str
    where: str
    changes: list[Shown]
    amount: str
    why: str
    people: str
    entry: str
    journal: str
    seq: int
    of: str


def told_of(words: Words, texts: Catalogue, done: Intervention) -> Told:
    """One act as people read it."""
    return Told(
        words.moment(done.wall_ms),
        texts.name("intervention", done.kind),
        _where(words, texts, done),
        _changes(words, texts, done),
        words.exact(done.amount_micros) if done.amount_micros else "",
        " · ".join(each for each in (_cause(texts, done), done.note) if each),
        _people(words, done),
        f"{words.journal_name(done.journal)}, {texts.text('journal.entry', seq=done.seq)}",
        done.journal,
        done.seq,
        address_of(done),
    )


def row_of(words: Words, texts: Catalogue, done: Intervention) -> list[str]:
    """The cells of one act, in the order of COLUMNS."""
    return [
        words.moment(done.wall_ms),
        _where(words, texts, done),
        texts.name("intervention", done.kind),
        "; ".join(f"{each.name}: {each.text}" for each in _changes(words, texts, done)),
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
        told = told_of(words, texts, done)
        pair(pdf, f"{told.what} · {told.where}".removesuffix(" · "), f"{told.time} · {told.entry}")
        for each in told.changes:
            pair(pdf, f"    {each.name}", each.text)
        if told.amount:
            pair(pdf, f"    {texts.text('intervention.amount')}", told.amount)
        pair(pdf, f"    {texts.text('intervention.why')}", told.why or "—")
        pair(pdf, f"    {texts.text('intervention.people')}", told.people)


def _where(words: Words, texts: Catalogue, done: Intervention) -> str:
    hand = texts.text("hand.number", hand=done.hand) if done.hand else ""
    return ", ".join(each for each in (words.table_name(done.table) if done.table else "", hand) if each)


def _changes(words: Words, texts: Catalogue, done: Intervention) -> list[Shown]:
    return [_change(words, texts, each) for each in done.changes]


def _change(words: Words, texts: Catalogue, each: Change) -> Shown:
    if isinstance(each.before, int) and isinstance(each.after, int):
        return Shown(texts.name("effect", each.what), words.exact(each.before), words.exact(each.after), each.what)
    before, after = words.card_name(str(each.before)), words.card_name(str(each.after))
    return Shown(words.place_name(each.what), before, after)


def _cause(texts: Catalogue, done: Intervention) -> str:
    return texts.name(CAUSES.get(done.kind, "cause"), done.cause) if done.cause else ""


def _people(words: Words, done: Intervention) -> str:
    return ", ".join(words.person(each) for each in (done.actor, done.second) if each)
