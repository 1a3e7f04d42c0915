"""What LED signs say: pure rows, and real drivers over pseudo-terminals to simulated signs of a running node."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import pytest

from controller.adapters.hardware.devices import known_hardware
from controller.adapters.screens.scene_table import fresh
from controller.adapters.screens.signs import SignPrize, Signs, SignView, SignWriting, table_sign_view
from controller.config import load
from controller.config.devices import Device, Sign
from controller.core.cards import parse_cards
from controller.core.events import (
    AntePlaced,
    CardsEntered,
    CreditWagered,
    Envelope,
    Key,
    KeyPressed,
    PrizePaid,
    PrizeVerified,
)
from controller.main import Node, opened
from display.scene import Currency
from drivers.alpha_sign.sim import Sim
from drivers.device import Command, ShowAlert, ShowText
from tests.engine.pit import Pit, oasis_settings

PESOS = SignWriting(Currency("ARS", "$", 2), "es")
DOLLARS = SignWriting(Currency("USD", "US$", 2), "en")
WIN = SignPrize("Mesa 3", "straight_flush", 20_000_000)
DEVICE = Device(name="cartel", driver="alpha_sign", port="/dev/a", settings={"layout": "POZO {amount}"})


@pytest.mark.parametrize(
    ("writing", "template", "minor", "size", "expected"),
    [
        (PESOS, "{amount}", 123_456_789, 32, "$\u00a01.234.567,89"),
        (DOLLARS, "{amount}", 123_456_789, 32, "US$\u00a01,234,567.89"),
        (PESOS, "POZO {amount} HOY", 5, 32, "POZO $\u00a00,05 HOY"),
        (PESOS, "{amount}", 123_456_789, 14, "$\u00a01.234.567,89"),
        (PESOS, "{amount}", 123_456_789, 13, "1.234.567,89"),
        (PESOS, "{amount}", 123_456_789, 11, "$\u00a01.234.567"),
        (PESOS, "{amount}", 123_456_789, 9, "1.234.567"),
        (PESOS, "JACKPOT {amount}", 123_456_789, 12, "1.234.567,89"),
        (PESOS, "{amount}", 123_456_789, 4, "-"),
    ],
)
def test_an_amount_takes_the_longest_form_that_fits(
    writing: SignWriting, template: str, minor: int, size: int, expected: str
) -> None:
    assert writing.amount(template, minor, size) == expected


@pytest.mark.requirement("R43")
@pytest.mark.parametrize(
    ("view", "expected"),
    [
        (SignView(100), None),
        (
            SignView(180_000_000, prizes=(WIN,)),
            "PREMIO MESA 3 ESCALERA DE COLOR $\u00a0200.000,00 - POZO $\u00a01.800.000,00",
        ),
        (SignView(None, prizes=(SignPrize("Mesa 1", "flush", 5_000),)), "PREMIO MESA 1 COLOR $\u00a050,00"),
    ],
)
def test_an_alert_names_table_hand_amount_and_what_is_in_play(view: SignView, expected: str | None) -> None:
    assert PESOS.alert(view) == expected


def test_an_alert_never_exceeds_what_a_sign_takes() -> None:
    many = tuple(SignPrize(f"Mesa {number}", "royal_flush", 10**9) for number in range(9))
    said = PESOS.alert(SignView(10**9, prizes=many)) or ""
    assert said.startswith("PREMIO MESA 8 ESCALERA REAL")
    assert 60 < len(said) <= 125


def signs_of(*signs: Sign) -> tuple[Signs, list[tuple[str, Command]]]:
    sent: list[tuple[str, Command]] = []
    return Signs(signs, [DEVICE], PESOS, lambda device, command: sent.append((device, command))), sent


@pytest.mark.requirement("R45")
def test_an_amount_that_may_be_old_alternates_with_the_reason_until_it_is_true_again() -> None:
    signs, sent = signs_of(Sign(device="cartel"))
    texts: list[str] = []
    for view in (SignView(100), SignView(100, fresh=False)):
        signs.show(view)
    for _ in range(3):
        signs.alternate()
    signs.show(SignView(250))
    signs.alternate()
    texts = [command.text for _, command in sent if isinstance(command, ShowText)]
    amount = "$\u00a01,00"
    assert texts == [amount, amount, "SIN ENLACE", amount, "SIN ENLACE", "$\u00a02,50"]


def test_the_alert_is_not_written_again_while_bets_go_on() -> None:
    signs, sent = signs_of(Sign(device="cartel"))
    for minor in (100, 200, 300):
        signs.show(SignView(minor, prizes=(WIN,)))
    alerts = [command.text for _, command in sent if isinstance(command, ShowAlert)]
    assert len(alerts) == 3
    assert len(set(alerts)) == 1


@pytest.mark.requirement("R49")
@pytest.mark.article("O-60")
def test_a_table_without_a_progressive_shows_no_meter() -> None:
    pit = Pit()
    assert table_sign_view(pit.settings, "Mesa 1", pit.state) == SignView(500_000)
    jackpot = oasis_settings().jackpot
    from dataclasses import replace

    from controller.engine.table_state import JackpotKind

    fixed = oasis_settings(jackpot=replace(jackpot, kind=JackpotKind.FIXED))
    assert table_sign_view(fixed, "Mesa 1", pit.state).amount_minor is None


CONFIG = """
[site]
id = "prueba"
name = "Casino de prueba"
[state]
directory = "{state}"
[screens]
listen = "127.0.0.1:0"
[api]
listen = "unix:{state}.api"
[[carousels]]
id = "gran"
name = "Gran Carrusel"
[[carousels.devices]]
name = "cartel"
driver = "alpha_sign"
port = "{carousel}"
settings = {{ layout = "POZO {{amount}}" }}
[[carousels.signs]]
device = "cartel"
[[tables]]
id = "t3"
name = "Mesa 3"
preset = "oasis_argentina_2010"
carousel = "gran"
cards_read = "none"
signs = [{{ device = "cartelito" }}]
[[tables.devices]]
name = "cartelito"
driver = "alpha_sign"
port = "{table}"
settings = {{ layout = "{{amount}}" }}
"""


@contextlib.asynccontextmanager
async def pit_with_signs(directory: Path) -> AsyncIterator[tuple[Node, Sim, Sim]]:
    carousel, table = Sim(), Sim()
    path = directory / "carrusel.toml"
    path.write_text(CONFIG.format(state=directory / "state", carousel=carousel.path, table=table.path))
    known = known_hardware()
    with opened(load(path, known.drivers, known.device_fault)) as node:
        running = [asyncio.create_task(part) for part in (carousel.run(), table.run(), node.run())]
        try:
            yield node, carousel, table
        finally:
            for task in reversed(running):
                task.cancel()
                await asyncio.gather(task, return_exceptions=True)


async def until(true: Callable[[], bool], *what: Callable[[], object]) -> None:
    try:
        async with asyncio.timeout(60):
            while not true():
                await asyncio.sleep(0.05)
    except TimeoutError:
        raise AssertionError([each() for each in what]) from None


@pytest.mark.requirement("R43", "R47")
async def test_signs_of_a_carousel_and_a_table_from_the_start_value_to_the_payment(tmp_path: Path) -> None:
    async with pit_with_signs(tmp_path) as (node, carousel, sign):
        shown = (lambda: carousel.display, lambda: sign.display)
        await until(lambda: carousel.display.startswith("POZO $ ") and sign.display.startswith("$ "), *shown)
        await until(lambda: (sign.display, carousel.display) == ("$ 5.000,00", "POZO $ 5.000,00"), *shown)
        room = node.tables["t3"]

        async def do(event: object, second: str | None = None) -> None:
            number = room.runner.head.seq
            answer = await room.runner.submit(Envelope(f"test-{number}-{event}", event, "ana", second))
            assert answer.refused is None, answer

        await until(lambda: fresh(room.runner.state.link), lambda: room.runner.state)
        await do(AntePlaced(1))
        await do(CreditWagered(1, 5))
        await do(KeyPressed(Key.CLOSE_BETS))
        await until(lambda: sign.display == "$ 5.001,00" and carousel.display == f"POZO {sign.display}", *shown)
        await until(lambda: not room.runner.state.hand.draw_pending, lambda: room.runner.state)
        await do(KeyPressed(Key.PLAY))
        await do(CardsEntered("seat-1", parse_cards("9d 8d 7d 6d 5d") or ()), second="bea")
        await do(CardsEntered("dealer", parse_cards("Ah Kh 7c 4d 2h") or ()), second="bea")
        await do(KeyPressed(Key.HAND_OVER))
        await until(lambda: sign.display.startswith("PREMIO MESA 3 ESCALERA DE COLOR $ "), *shown)
        await until(lambda: carousel.display == sign.display, *shown)
        (prize,) = room.runner.state.link.rows
        await do(PrizeVerified(prize))
        await do(PrizePaid(prize), second="bea")
        await until(lambda: sign.display.startswith("$ ") and carousel.display == f"POZO {sign.display}", *shown)
        assert sign.display == "$ 4.500,90"
        assert not sign.refused and not carousel.refused


@pytest.mark.requirement("R66")
async def test_a_sign_that_is_gone_is_an_alarm_until_it_is_back(tmp_path: Path) -> None:
    async with pit_with_signs(tmp_path) as (node, carousel, sign):
        await until(lambda: carousel.display.startswith("POZO $ ") and sign.display.startswith("$ "))
        host, table = node.hosts["gran"].runner, node.tables["t3"].runner
        carousel.silent = sign.silent = True
        await until(lambda: "device_down@cartel" in host.state.alarms, lambda: host.state.alarms)
        await until(lambda: "device_down@cartelito" in table.state.alarms, lambda: table.state.alarms)
        carousel.silent = sign.silent = False
        await until(lambda: "device_down@cartel" not in host.state.alarms, lambda: host.state.alarms)
        await until(lambda: "device_down@cartelito" not in table.state.alarms, lambda: table.state.alarms)
