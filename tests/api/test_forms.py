"""What is wrong with a form is said in the reader's words: every kind of fault, every field, every fact."""

import ast
import asyncio
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from fastapi.dependencies.models import Dependant
from pydantic import ValidationError

import controller
from controller.api import guard
from controller.api.app import api_routes
from controller.api.facts import House, facts_said
from controller.api.form_errors import form_refused, form_said
from controller.api.schemas import MOST_MINOR
from controller.api.texts import LANGUAGES, Money, catalogue
from controller.api.typed_fields import Form
from controller.core.refusal import Refusal
from tests.api.office import Office

WRONG: tuple[Any, ...] = (None, -(10**20), 10**20, 1.5, True, "", "x" * 1000, "\ud800", "==", [], [7] * 50, ["x"], {})
SAYS_HTTP = {"json_invalid", "int_parsing", "int_parsing_size", "missing", "amount_negative", "amount_not_positive"}
REASON = "Motivo de la prueba"
CAUSE = "fault_correction"
WHY = {"cause": CAUSE, "reason": REASON}


def forms(base: type[Form] = Form) -> Iterator[type[Form]]:
    for each in base.__subclasses__():
        yield each
        yield from forms(each)


def faults() -> Iterator[dict[str, Any]]:
    """Every fault of every form under every wrong value of each of its fields, of no field, and of one too many."""
    for form in forms():
        for name in (*form.model_fields, "surplus"):
            for value in WRONG:
                try:
                    form.model_validate({name: value})
                except ValidationError as wrong:
                    yield from ({**each, "loc": ("body", *each["loc"])} for each in wrong.errors())


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_kind_of_fault_has_its_words(language: str) -> None:
    texts = catalogue(language).texts
    kinds, said = set(), set()
    for fault in faults():
        refused = form_refused([fault])
        if refused.reason is Refusal.FORM_INVALID:
            kinds.add(refused.facts["why"])
            said.add(form_said(refused.facts, language))
    assert len(kinds) > 12
    assert [kind for kind in kinds | SAYS_HTTP if f"form_error.{kind}" not in texts] == []
    assert len(said) > 100 and not any("{" in sentence or "_" in sentence for sentence in said)


def parameters(dependant: Dependant) -> Iterator[str]:
    for each in (*dependant.query_params, *dependant.header_params):
        yield each.alias
    for inner in dependant.dependencies:
        yield from parameters(inner)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_field_and_parameter_has_its_words(language: str) -> None:
    texts = catalogue(language).texts
    names = {name for form in forms() for name in form.model_fields}
    names |= {name for _, route in api_routes() for name in parameters(route.dependant)} - {"if-none-match"}
    assert len(names) > 50
    assert [name for name in sorted(names) if not {f"field.{name}", f"fact.{name}"} & texts.keys()] == []


def test_every_fact_of_a_refusal_has_its_words() -> None:
    """The keywords of every `refuse(…)` in the code."""
    keys = set()
    for path in Path(controller.__file__).parent.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "refuse":
                keys |= {keyword.arg for keyword in node.keywords if keyword.arg is not None}
    assert len(keys) > 40
    for language in LANGUAGES:
        assert [key for key in sorted(keys) if f"fact.{key}" not in catalogue(language).texts] == []


@pytest.mark.parametrize(
    ("reason", "facts", "spanish", "english"),
    [
        (Refusal.BET_BELOW_MINIMUM, {"seat": 3, "amount": 12_345, "minimum": 500_000},
         "casilla: 3, importe: $ 123,45, mínimo: $ 5.000,00", "seat: 3, amount: $ 123.45, minimum: $ 5,000.00"),
        (Refusal.BUY_ABOVE_MAXIMUM, {"most": 100}, "máximo: $ 1,00", "most: $ 1.00"),
        (Refusal.TOO_MANY_CREDITS, {"most": 5}, "máximo: 5", "most: 5"),
        (Refusal.ROLE_MISSING, {"roles": "admin, pit_boss"},
         "funciones que pueden: Administración, Jefe de sector", "roles that may: Administration, Pit boss"),
        (Refusal.DUPLICATE_CARD, {"card": "Ts", "other": "seat-3"},
         "carta: 10♠, ya está en: casilla 3", "card: 10♠, it is already at: seat 3"),
        (Refusal.UNKNOWN_APPROVAL, {"approval": "ap-1"}, "", ""),
    ],
)  # fmt: skip
def test_facts_are_said_as_people_write_them(
    reason: Refusal, facts: dict[str, Any], spanish: str, english: str
) -> None:
    said = [
        facts_said(reason.value, facts, each, House(Money("$", 2, each))).replace("\u00a0", " ") for each in LANGUAGES
    ]
    assert said == [spanish, english]


ADJUST = "/api/v1/carousels/gran/adjustment"
ROWS: tuple[tuple[str, Any, str, str, str], ...] = (
    (ADJUST, {"table": "t1", "main_minor": MOST_MINOR + 1, **WHY}, "amount_too_large",
     "El importe es demasiado grande (lugar: Diferencia del pozo, máximo: $ 10.000.000.000,00)",
     "The amount is too large (place: Difference of the pool, most: $ 10,000,000,000.00)"),
    (ADJUST, {"table": "t1", "main_minor": -MOST_MINOR - 1, **WHY}, "amount_too_large",
     "El importe es demasiado grande (lugar: Diferencia del pozo, máximo: $ 10.000.000.000,00)",
     "The amount is too large (place: Difference of the pool, most: $ 10,000,000,000.00)"),
    ("/api/v1/carousels/gran/transfer", {"table": "t1", "amount_minor": -5, **WHY}, "form_invalid",
     "Un dato no es válido. Importe: el importe tiene que ser mayor que cero",
     "A field is not valid. Amount: the amount must be greater than zero"),
    ("/api/v1/carousels/gran/start-value", {"table": "t1", "start_minor": -5, **WHY}, "form_invalid",
     "Un dato no es válido. Nuevo valor inicial: el importe no puede ser negativo",
     "A field is not valid. New start value: the amount may not be negative"),
    (ADJUST, {"table": "t1", "main_minor": 1, "cause": CAUSE, "reason": "x" * 501}, "form_invalid",
     "Un dato no es válido. Motivo: escriba 500 caracteres o menos",
     "A field is not valid. Reason: write 500 characters or fewer"),
    (ADJUST, {"table": "t1", "main_minor": 1, "cause": CAUSE}, "form_invalid",
     "Un dato no es válido. Motivo: falta", "A field is not valid. Reason: is missing"),
    (ADJUST, [], "form_invalid", "Un dato no es válido. Se espera un objeto con los datos",
     "A field is not valid. An object with the fields is wanted"),
    ("/api/v1/tables/t1/cards", {"hand": 1, "place": "dealer", "cards": ["Zz"]}, "form_invalid",
     "Un dato no es válido. Cartas: no está escrito como se espera",
     "A field is not valid. Cards: is not written as wanted"),
)  # fmt: skip


async def test_a_wrong_form_is_explained_in_the_language_of_the_request(office: Office) -> None:
    ana = await office.person("ana")
    for path, body, refusal, spanish, english in ROWS:
        for language, detail in (("es-AR", spanish), ("en", english)):
            answer = await ana.post(path, body, Accept_Language=language)
            told = answer.json()
            assert (answer.status_code, told["refusal"]) == (422, refusal), told
            assert told["detail"].replace("\u00a0", " ") == detail
            assert answer.headers["content-type"] == "application/problem+json"
    unset = (await ana.post(ADJUST, {"table": "t1", "main_minor": 1, "cause": CAUSE})).json()["detail"]
    assert unset == "Un dato no es válido. Motivo: falta"
    query = (await ana.get("/api/v1/journals/node/entries?limit=x")).json()
    assert query["detail"] == "Un dato no es válido. Cantidad: se espera un número entero"


async def test_a_body_that_dawdles_is_not_waited_for(office: Office, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(guard, "BODY_WITHIN_S", 0.2)
    host = office.base.removeprefix("http://")
    reader, writer = await asyncio.open_connection(*host.split(":"))
    head = (
        f"POST /api/v1/session HTTP/1.1\r\nHost: {host}\r\nOrigin: {office.base}\r\nContent-Type: application/json\r\n"
    )
    writer.write(f'{head}Content-Length: 40\r\n\r\n{{"login":'.encode())
    answer = await asyncio.wait_for(reader.read(), 60)
    writer.close()
    assert answer.startswith(b"HTTP/1.1 408 ")
    assert json.loads(answer.partition(b"\r\n\r\n")[2])["refusal"] == "body_too_slow"
