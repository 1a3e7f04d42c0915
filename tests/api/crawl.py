"""Every page of the panel as people of each role see it: what prints money, where it leads, whether that adds up."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from html.parser import HTMLParser
from urllib.parse import quote, unquote

from controller.api.amounts.ask import trace
from controller.api.amounts.trace import Trace
from controller.api.context import ApiPorts
from controller.api.texts import LANGUAGES, catalogue
from controller.api.words import Words
from tests.api.office import Office

MONEY = re.compile(r"−?\$\s[\d.]+(?:,\d+)?")
"""An amount as the site writes it: symbol, groups of three, centavos and, where there are any, parts of one."""
CHILDLESS = frozenset({"area", "base", "br", "col", "hr", "img", "input", "link", "meta", "source", "wbr"})
LEFT_ALONE = ("/api/", "/static/", "/amount?", "/login", "?lang=")
"""Papers and documents, what a press does, and the answers, which are followed one by one."""

ONE_OF_EACH_ROLE = ("ana", "carla", "tomas", "aldo")
Element = tuple[str, Mapping[str, str]]


@dataclass(frozen=True)
class Printed:
    """One amount on a page: its words, and the elements around it from the outside in."""

    page: str
    text: str
    within: tuple[Element, ...]

    @property
    def of(self) -> str:
        """The address that it leads to; empty where it is no link to an answer."""
        for tag, attributes in self.within:
            href = attributes.get("href", "")
            if tag == "a" and href.startswith("/amount?of="):
                return unquote(href.removeprefix("/amount?of="))
        return ""

    def inside(self, tag: str = "", **attributes: str) -> bool:
        """Whether an element of that tag is around it, whose attributes have these words."""
        return any(
            tag in ("", name) and all(word in own.get(each, "").split() for each, word in attributes.items())
            for name, own in self.within
        )


class Page(HTMLParser):
    """What a page prints of money, and where its links lead."""

    def __init__(self, place: str, text: str) -> None:
        super().__init__()
        self.place, self.printed, self.links = place, [], []  # type: str, list[Printed], list[str]
        self._open: list[Element] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        attributes = {name: value or "" for name, value in attrs}
        if tag == "a" and "href" in attributes:
            self.links.append(attributes["href"])
        if tag not in CHILDLESS:
            self._open.append((tag, attributes))

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """An element without a content: nothing is printed in it."""

    def handle_endtag(self, tag: str) -> None:
        while self._open and self._open.pop()[0] != tag:
            pass

    def handle_data(self, data: str) -> None:
        self.printed += [Printed(self.place, found, tuple(self._open)) for found in MONEY.findall(data)]


Excepted = Callable[[Printed, Page], bool]
EXCEPTIONS: Mapping[str, Excepted] = {
    "the scale of a drawing, each fall of which is a link": lambda each, page: each.inside("svg", **{"class": "chart"}),
    "a setting, which came about by being typed; who did that, and when, is told beside it": lambda each, page: (
        bool(re.match(r"/table/\w+/settings", each.page))
        or each.inside(id="settings-done")
        or each.inside(**{"class": "set"})
    ),
    "terms that two nodes agreed on, line by line as they were typed": lambda each, page: (
        each.page.endswith("/terms") and each.inside("dl")
    ),
    "an entry of the journal, of which the answers are made": lambda each, page: each.page.startswith("/journal"),
    "a movement of the ledger, whose row leads to its entry": lambda each, page: (
        each.page.startswith("/origin/") and each.inside("section", **{"class": "scroll"}) and each.inside("tbody")
    ),
    "a button that repeats an amount which leads to its origin beside it": lambda each, page: (
        each.inside("button") and any(other.text == each.text and other.of for other in page.printed)
    ),
    "what would come of an act that nobody has asked for yet": lambda each, page: each.inside(**{"class": "would"}),
    "what was typed into a request": lambda each, page: each.inside(id="typed"),
}
"""Amounts that lead nowhere, and why."""


@dataclass
class Crawl:
    """What was seen: pages by place, the exceptions that were made use of, each link with its words."""

    pages: dict[tuple[str, str], Page] = field(default_factory=dict)
    excepted: set[str] = field(default_factory=set)
    linked: set[tuple[str, str]] = field(default_factory=set)
    loose: list[tuple[str, str, str]] = field(default_factory=list)

    @property
    def addresses(self) -> set[str]:
        return {address for address, _ in self.linked}


def _to_follow(page: Page) -> Iterator[str]:
    for link in page.links:
        place = link.partition("#")[0]
        if place.startswith("/") and not any(part in place for part in LEFT_ALONE) and "before=" not in place:
            yield place


async def crawl(office: Office, *more: str, people: Iterable[str] = ONE_OF_EACH_ROLE) -> Crawl:
    """Every page that is linked from the first one, and some more, as one person of each role."""
    found = Crawl()
    for login in people:
        person = await office.person(login)
        waiting = ["/", *more]
        while waiting:
            place = waiting.pop()
            if (login, place) in found.pages:
                continue
            answer = await person.get(place)
            assert answer.status_code in (200, 403), (login, place, answer.status_code)
            page = found.pages[login, place] = Page(place, answer.text)
            waiting += _to_follow(page)
            for each in page.printed:
                _take(found, each, page)
    return found


def _take(found: Crawl, each: Printed, page: Page) -> None:
    if each.of:
        found.linked.add((each.of, each.text))
        return
    reasons = [reason for reason, holds in EXCEPTIONS.items() if holds(each, page)]
    found.excepted.update(reasons)
    if not reasons:
        around = " ".join(f"{tag}.{own.get('class', '')}#{own.get('id', '')}" for tag, own in each.within[-4:])
        found.loose.append((each.page, each.text, around))


async def follow(ports: ApiPorts, linked: Iterable[tuple[str, str]], language: str = "es") -> dict[str, Trace]:
    """Each link asked, and whatever its parts lead to: it is the amount that was printed, and its parts add up."""
    words, asked = Words(ports, language), {}  # type: Words, dict[str, Trace]
    for address, text in linked:
        found = asked[address] = await trace(ports, address)
        minor = found.total_micros // ports.minor_micros
        assert text in (words.exact(found.total_micros), words.amount(minor)), (address, text, found)
    waiting, seen = list(asked.values()), set(asked)
    while waiting:
        found = waiting.pop()
        assert found.sum_micros == found.total_micros, found
        for line in found.lines:
            for address in filter(None, (line.ask, line.see)):
                if address not in seen:
                    seen.add(address)
                    asked[address] = await trace(ports, address)
                    waiting.append(asked[address])
            assert not line.ask or asked[line.ask].total_micros == line.micros, (found.of, line)
    return asked


async def every_amount_leads_to_its_origin(
    office: Office, *more: str, people: Iterable[str] = ONE_OF_EACH_ROLE
) -> Crawl:
    """The proof: of every page, each printed amount is a link that adds up exactly, or stands on the list above."""
    found = await crawl(office, *more, people=people)
    assert found.loose == [], "\n".join(map(str, found.loose))
    asked = await follow(office.node.api_ports(), found.linked)
    named_in_words(asked.values())
    await one_page_of_each_kind(office, asked)
    return found


def named_in_words(asked: Iterable[Trace]) -> None:
    """Both languages have a word for each amount and for each of its parts."""
    for found in asked:
        for texts in (catalogue(language).texts for language in LANGUAGES):
            assert f"amount.{found.what}" in texts, found
            for line in found.lines:
                named = ("key" in line.facts, f"part.{line.what}" in texts, f"entry.{line.what}" in texts)
                assert any(named), (found.of, line)


async def one_page_of_each_kind(office: Office, asked: Iterable[str]) -> None:
    """The page of an answer in both languages, of one address of each form."""
    forms = {re.sub(r"[0-9a-f]{32}|\d+|ap-\w+", "…", address): address for address in asked}
    person = await office.person("aldo")
    for address in forms.values():
        for language in LANGUAGES:
            answer = await person.get(f"/amount?of={quote(address)}&lang={language}")
            assert answer.status_code == 200, address
            assert 'class="chip ok"' in answer.text, address
