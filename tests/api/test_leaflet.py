"""The players' rules say what is played: a sentence changes with its setting, in both languages."""

from pathlib import Path

import pytest
from typer.testing import CliRunner

from controller.adapters.hardware.devices import known_hardware
from controller.api.leaflet.content import Leaflet, leaflet
from controller.api.texts import LANGUAGES
from controller.cli import app
from controller.config import load
from controller.config.model import Config
from controller.config.table import Table
from tests.api.office import Office

DEMO = Path(__file__).parents[2] / "config/demo.toml"


@pytest.fixture(scope="module")
def demo() -> Config:
    return load(DEMO, known_hardware().drivers)


def said(config: Config, table: Table, language: str = "es") -> str:
    """All sentences of a leaflet."""
    made = leaflet(config, table, language)
    return "\n".join(sentence for section in made.sections for sentence in section.sentences)


@pytest.mark.requirement("R97")
@pytest.mark.parametrize("language", LANGUAGES)
def test_it_states_double_wins_funding_seed_and_ceiling(demo: Config, language: str) -> None:
    table = demo.table("t1")
    table = table.model_copy(update={"jackpot": table.jackpot.model_copy(update={"ceiling": 900_000_000})})
    made: Leaflet = leaflet(demo, table, language)
    sections = {section.key: " ".join(section.sentences) for section in made.sections}
    assert {"bet", "grows", "several", "draws", "paid", "chances", "ends"} == set(sections)
    start, ceiling = ("500.000,00", "9.000.000,00") if language == "es" else ("500,000.00", "9,000,000.00")
    for figure in ("20\u00a0%", "5\u00a0%", start, ceiling):
        assert figure in sections["grows"], figure
    assert sections["several"].count("10 %") == 3 + 1
    assert [row.one_in for row in made.rows][-1] == "509"
    assert made.rows[0].name == ("Escalera real" if language == "es" else "Royal flush")


@pytest.mark.requirement("R97")
@pytest.mark.parametrize(
    ("jackpot", "before", "after"),
    [
        ({"ceiling": 900_000_000}, "no tiene tope", "no pasa de"),
        ({"options": {"royal_with_straight_flush": "straight_flush_first"}}, "puede ser nada", "cobra primero su"),
        ({"options": {"top_up_after_partial": True}}, "sigue desde ahí", "la casa lo completa"),
        ({"options": {"folded_box_keeps_jackpot": True}}, "pierde su apuesta", "conserva su apuesta"),
        ({"options": {"bonus_cards": "best_of_seven"}}, "cinco primeras cartas", "la mejor mano de cinco"),
        ({"options": {"fixed_prizes_from": "meter"}}, "los paga la casa, fuera", "se pagan del progresivo"),
        ({"reserve_bp": 0}, "a una reserva", "entra al importe que muestra la pantalla."),
        ({"max_credits": 1}, "de 1 a 5 créditos", "un crédito de"),
    ],
)
def test_a_changed_setting_changes_its_sentence(
    demo: Config, jackpot: dict[str, object], before: str, after: str
) -> None:
    table = demo.table("t1")
    raw = table.model_dump(mode="json")
    options = jackpot.pop("options", {})
    raw["jackpot"] |= jackpot
    raw["jackpot"]["options"] |= options
    other = Table.model_validate(raw)
    assert before in said(demo, table) and before not in said(demo, other)
    assert after in said(demo, other) and (after not in said(demo, table) or after.startswith("entra"))


def test_every_game_of_the_demo_has_a_leaflet_of_its_own_words(demo: Config) -> None:
    oasis, bonus, circle = (said(demo, table) for table in demo.tables)
    assert "compra una carta" in oasis and "compra una carta" not in bonus + circle
    assert "la banca" in bonus and "la banca" not in circle
    assert "Antes de que se repartan" in circle


def test_a_table_without_a_jackpot_tells_its_draws_alone(demo: Config) -> None:
    table = demo.table("t1")
    raw = table.model_dump(mode="json") | {"jackpot": {"kind": "none"}}
    made = leaflet(demo, Table.model_validate(raw), "es")
    assert (made.rows, [section.key for section in made.sections]) == ((), ["draws"])


@pytest.mark.requirement("R97")
def test_the_command_writes_a_page_for_each_table_that_needs_nothing_beside_it(tmp_path: Path) -> None:
    runner = CliRunner()
    result = runner.invoke(app, ["leaflet", str(DEMO), "--output", str(tmp_path / "hojas")])
    assert result.exit_code == 0, result.output
    pages = sorted((tmp_path / "hojas").iterdir())
    assert [page.name for page in pages] == ["t1-es.html", "t2-es.html", "t3-es.html"]
    text = pages[0].read_text("utf-8")
    assert "Reglas del jackpot" in text and "data:font/ttf;base64," in text and 'url("/static' not in text
    listed = runner.invoke(app, ["leaflet", str(DEMO), "--table", "t2", "--language", "en", "--json"])
    assert listed.exit_code == 0 and '"title": "Jackpot rules"' in listed.output and '"t1"' not in listed.output
    assert runner.invoke(app, ["leaflet", str(DEMO), "--table", "t9"]).exit_code == 2


@pytest.mark.requirement("R97")
async def test_the_panel_shows_the_rules_in_force(office: Office) -> None:
    aldo = await office.person("aldo")
    assert "Reglas para jugadores" in (await aldo.get("/table/t1")).text
    page = await aldo.get("/api/v1/tables/t1/leaflet?lang=es")
    assert page.status_code == 200 and page.headers["content-type"].startswith("text/html")
    assert all(told in page.text for told in ("Casino de prueba", "Mesa 1", "Gran Carrusel", "500.000,00", "50.000,00"))
    assert (await aldo.get("/static/panel/leaflet.css")).status_code == 200
    assert "Jackpot rules" in (await aldo.get("/api/v1/tables/t1/leaflet?lang=en")).text
    assert (await aldo.get("/api/v1/tables/t9/leaflet")).status_code == 404
