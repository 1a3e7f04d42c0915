"""The sign as rows of (sent, received), without a clock, and over a real pseudo-terminal."""

from __future__ import annotations

from typing import Any

import pytest

from drivers.alpha_sign import PORT_DEFAULTS, PROTOCOL, Settings, build
from drivers.alpha_sign.driver import sign_text
from drivers.alpha_sign.sim import Sim
from drivers.device import DriverError, PortEvent, SetAccepting, SettingsError, ShowAlert, ShowText
from drivers.events import LinkState, OutputConfirmed, SensorFault
from drivers.simulator import Faults, SimLine
from tests.drivers.lines import Talk, running, tasks


def host(body: str) -> bytes:
    return b"\0" * 6 + b"\x01Z00\x02" + body.encode() + b"\x04"


def sign(body: str) -> bytes:
    raw = body.encode()
    return b"\0" * 20 + b"\x01000\x02" + raw + b"\x03" + f"{2 + sum(raw) + 3:04X}".encode() + b"\x04"


READ = host("H1")
MEMORY = host("E$AAU0040FFFF1BL00200000")
SETUP = [
    (READ, sign("G1")),
    (MEMORY, None),
    (host("E.SUA"), None),
    (host("AA\x1b bJACKPOT \x101"), None),
    (host("A0"), None),
    (host("G1"), None),
]


def talk_of(rows: list[tuple[bytes, bytes | None]], **settings: Any) -> Talk:
    talk = Talk(build("sign", Settings.from_dict(settings), None), step_s=0.51)
    for sent, received in rows:
        talk.exchange(sent, received)
    return talk


def started(**settings: Any) -> Talk:
    talk = talk_of(SETUP, **settings)
    talk.at_s += 0.5
    talk.exchange(READ, sign("G1"))
    talk.events.clear()
    return talk


def show(talk: Talk, text: str, label: str = "amount") -> None:
    talk.device.command(ShowText(label, text), talk.at_s)


def test_the_sign_answers_before_anything_is_written() -> None:
    talk = talk_of([(READ, None)])
    assert not talk.device.identified
    assert talk.ask() is None
    talk.at_s += 1.0
    talk.exchange(READ, sign("G1old"))
    assert talk.device.identified
    assert talk.ask() == MEMORY


def test_amounts_are_string_writes_only() -> None:
    talk = started()
    for amount in ("1.00", "2.00", "3.00"):
        show(talk, amount)
        talk.exchange(host(f"G1{amount}"), None)
    assert talk.ask() is None


def test_of_many_amounts_only_the_newest_is_written_twice_a_second_at_most() -> None:
    talk = started()
    show(talk, "1")
    talk.exchange(host("G11"), None)
    talk.step_s = 0.1
    for amount in range(2, 6):
        show(talk, str(amount))
        assert talk.ask() is None
    talk.step_s = 0.5
    talk.exchange(host("G15"), None)


def test_a_text_too_long_is_refused_before_it_empties_the_sign() -> None:
    talk = started(string_size=32)
    with pytest.raises(DriverError, match="33 characters"):
        show(talk, "9" * 33)
    assert talk.ask() is None
    with pytest.raises(DriverError, match="no 'seat'"):
        show(talk, "1", label="seat")
    with pytest.raises(DriverError, match="only shows text"):
        talk.device.command(SetAccepting(True), 0.0)


def test_an_alert_takes_over_and_a_bare_write_gives_back() -> None:
    talk = started()
    talk.device.command(ShowAlert("¡GANADOR! Asiento n.º 3"), talk.at_s)
    talk.exchange(host("A0\x1b bGANADOR! Asiento n.o 3"), None)
    talk.device.command(ShowAlert(None), talk.at_s)
    talk.exchange(host("A0"), None)
    with pytest.raises(DriverError, match="126"):
        talk.device.command(ShowAlert("9" * 126), talk.at_s)


def test_a_text_that_changed_under_an_alert_is_written_before_the_alert_goes() -> None:
    talk = started(read_s=1000.0)
    show(talk, "7.50")
    talk.exchange(host("G17.50"), None)
    talk.device.command(ShowAlert("HOLA"), talk.at_s)
    talk.exchange(host("A0\x1b bHOLA"), None)
    show(talk, "2.00")
    talk.device.command(ShowAlert(None), talk.at_s)
    talk.exchange(host("G12.00"), None)
    show(talk, "2.10")
    talk.exchange(host("A0"), None)
    talk.exchange(host("G12.10"), None)


def test_what_is_read_back_is_confirmed_once() -> None:
    talk = started(read_s=5.0)
    show(talk, "7.50")
    talk.exchange(host("G17.50"), None)
    talk.at_s += 5.0
    (confirmed,) = talk.exchange(READ, sign("G17.50"))
    assert isinstance(confirmed, OutputConfirmed)
    assert confirmed.outputs == {"amount": "7.50"}
    talk.at_s += 5.0
    assert talk.exchange(READ, sign("G17.50")) == []


def test_a_sign_that_lost_its_memory_is_set_up_again_and_twice_wants_a_person() -> None:
    talk = started(read_s=5.0)
    show(talk, "7.50")
    talk.exchange(host("G17.50"), None)
    for attention in (False, True):
        talk.at_s += 5.0
        (fault,) = talk.exchange(READ, sign("G1"))
        assert isinstance(fault, SensorFault)
        assert (fault.code, fault.attention) == ("sign_differs", attention)
        for sent, _ in SETUP[1:5]:
            talk.exchange(sent, None)
        talk.exchange(host("G17.50"), None)
    talk.at_s += 5.0
    over, confirmed = talk.exchange(READ, sign("G17.50"))
    assert isinstance(over, SensorFault)
    assert over.cleared
    assert isinstance(confirmed, OutputConfirmed)


def test_all_is_written_again_on_the_timer_and_after_a_reconnect() -> None:
    talk = started(read_s=1000.0, refresh_s=30.0)
    show(talk, "7.50")
    talk.device.command(ShowAlert("HOLA"), talk.at_s)
    talk.exchange(host("A0\x1b bHOLA"), None)
    talk.exchange(host("G17.50"), None)
    talk.at_s += 30.0
    talk.exchange(host("A0\x1b bHOLA"), None)
    talk.exchange(host("G17.50"), None)
    talk.device.on_port(PortEvent.LOST, talk.at_s)
    talk.device.on_port(PortEvent.OPENED, talk.at_s)
    for sent, received in SETUP[:4]:
        talk.exchange(sent, received)
    talk.exchange(host("A0\x1b bHOLA"), None)
    talk.exchange(host("G17.50"), None)


def test_a_reply_about_another_file_is_no_answer() -> None:
    talk = started(read_s=5.0)
    talk.at_s += 5.0
    talk.ask()
    talk.answer(sign("G2") + host("G1"))
    talk.at_s += 1.0
    talk.exchange(READ, sign("G1"))


def test_a_sign_without_transmit_wire_is_only_written_to() -> None:
    talk = talk_of(SETUP[1:], replies=False)
    assert talk.device.identified
    talk.at_s += 30.0
    assert talk.ask() is None


def test_several_labels_take_turns() -> None:
    rows = [host("E$AAU0040FFFF1BL002000002BL00200000"), host("E.SUA"), host("AA\x1b b\x101 \x102"), host("A0")]
    talk = talk_of([(sent, None) for sent in [*rows, host("G2"), host("G1")]], layout="{a} {b}", replies=False)
    for _ in range(2):
        show(talk, "x", "a")
        show(talk, "y", "b")
        talk.exchange(host("G2y"), None)
        show(talk, "z", "b")
        talk.exchange(host("G1x"), None)
        talk.exchange(host("G2z"), None)
        show(talk, "", "a")
        talk.exchange(host("G1"), None)


@pytest.mark.parametrize(
    ("text", "expected"),
    [("Señal ÁÉÍ", "Senal AEI"), ("¡Sí! ¿no?", "Si! no?"), ("5 €", "5 ?"), ("a\x04b", "a?b"), ("½", "1?2")],
)
def test_signs_speak_ascii(text: str, expected: str) -> None:
    assert sign_text(text) == expected


@pytest.mark.parametrize(
    "settings", [{"layout": "no label"}, {"layout": "{a}{a}"}, {"string_size": 126}, {"write_s": 0.1}, {"address": "x"}]
)
def test_bad_settings(settings: dict[str, Any]) -> None:
    with pytest.raises(SettingsError):
        Settings.from_dict(settings)


def quick(**settings: Any) -> Any:
    return build("sign", Settings(**{"read_s": 0.3, "timeout_s": 2.0, "write_s": 0.05, **settings}), None)


@pytest.mark.parametrize(
    "faults", [Faults(), Faults(bytewise=True), Faults(delay_s=0.05)], ids=["clean", "bytes", "slow"]
)
@pytest.mark.parametrize("checksum", [False, True], ids=["plain", "sums"])
async def test_a_sign_shows_the_amount_without_blanking(faults: Faults, checksum: bool) -> None:
    sim = Sim(line=SimLine(faults=faults))
    async with tasks(sim.run()), running(sim.path, quick(checksum=checksum)) as seen:
        seen.bus.command("sign", ShowText("amount", "1.00"))
        await seen.until(lambda: sim.display == "JACKPOT 1.00")
        await seen.up("sign")
        blanked = sim.blanked
        for amount in ("2.00", "3.00"):
            seen.bus.command("sign", ShowText("amount", amount))
            await seen.until(lambda a=amount: sim.display == f"JACKPOT {a}")
        assert sim.blanked == blanked
        seen.bus.command("sign", ShowAlert("GANADOR"))
        await seen.until(lambda: sim.display == "GANADOR")
        seen.bus.command("sign", ShowAlert(None))
        await seen.until(lambda: sim.display == "JACKPOT 3.00")
        await seen.until(lambda: any(e.outputs == {"amount": "3.00"} for e in seen.of(OutputConfirmed)))
    assert sim.refused == []
    assert PROTOCOL == "alpha"


async def test_a_power_cycle_brings_the_amount_back() -> None:
    sim = Sim()
    async with tasks(sim.run()), running(sim.path, quick(), **PORT_DEFAULTS) as seen:
        seen.bus.command("sign", ShowText("amount", "1.00"))
        await seen.until(lambda: sim.display == "JACKPOT 1.00")
        await seen.until(lambda: bool(seen.of(OutputConfirmed)))
        sim.power_cycle(0.1)
        assert sim.display == ""
        await seen.until(lambda: sim.display == "JACKPOT 1.00")


async def test_a_dead_sign_is_reported_down() -> None:
    sim = Sim()
    sim.silent = True
    async with tasks(sim.run()), running(sim.path, quick()) as seen:
        await seen.until(lambda: seen.states("sign") == [LinkState.DOWN])
        sim.silent = False
        seen.bus.command("sign", ShowText("amount", "5"))
        await seen.until(lambda: sim.display == "JACKPOT 5")


SIGN_REFUSES = [
    (b"\0" * 6 + b"\x01Z00\x02G15\x04", "STRING 1 has no memory"),
    (b"\0" * 6 + b"\x01Z00\x02E$1BL00020000\x04" + b"\0" * 6 + b"\x01Z00\x02G1555\x04", "STRING 1 too long"),
    (b"\0" * 6 + b"\x01Z00\x02G15\x030000\x04", "bad sum"),
    (b"\0" * 4 + b"\x01Z00\x02G15\x04", "no packet"),
    (b"\0" * 6 + b"\x01Z00\x02AB\x1b btext\x04", "TEXT B has no memory"),
]


@pytest.mark.parametrize(("sent", "why"), SIGN_REFUSES)
async def test_the_simulated_sign_refuses_what_a_sign_refuses(sent: bytes, why: str) -> None:
    sim = Sim()
    try:
        sim.receive(sent, 1.0)
        assert sim.refused == [why]
    finally:
        sim.line.pty.unplug()
