"""The coin acceptor as rows of (sent, received), without a clock, and over a real pseudo-terminal."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from drivers import registry
from drivers.cctalk_coin import PROTOCOL, Settings, build
from drivers.cctalk_coin.codec import Check, encode
from drivers.cctalk_coin.sim import Sim
from drivers.device import DriverError, PortEvent, SetAccepting, SettingsError, ShowText
from drivers.events import (
    CoinAccepted,
    CountDiscontinuity,
    DeviceReset,
    Event,
    LinkState,
    OutputConfirmed,
    SensorFault,
)
from drivers.simulator import Faults, SimLine
from tests.drivers.lines import Talk, running, tasks


def m(dst: int, src: int, header: int, *data: int) -> bytes:
    body = bytes((dst, len(data), src, header, *data))
    return body + bytes((-sum(body) & 0xFF,))


def ask(header: int, *data: int) -> bytes:
    return m(2, 1, header, *data)


def say(*data: int, header: int = 0) -> bytes:
    return m(1, 2, header, *data)


ACK, NAK, BUSY = say(), say(header=5), say(header=6)
SERIAL = say(0x87, 0xD6, 0x12)
CATEGORY = say(*b"Coin Acceptor")
PRODUCT = say(*b"TK-100")
IDENTITY = [(ask(254), ACK), (ask(242), SERIAL), (ask(245), CATEGORY), (ask(244), PRODUCT)]
READ_MASK, READ_INHIBIT = ask(230), ask(227)
WRITE_MASK, CREDIT = ask(231, 1, 0), ask(229)


def shows(counter: int, *pairs: tuple[int, int]) -> bytes:
    return say(counter, *(value for pair in (*pairs, *[(0, 0)] * 5)[:5] for value in pair))


START = [
    *IDENTITY,
    (READ_MASK, say(0, 0)),
    (READ_INHIBIT, say(0)),
    (CREDIT, shows(0)),
    (WRITE_MASK, ACK),
    (READ_MASK, say(1, 0)),
]


def talk_of(rows: list[tuple[bytes, bytes | None]], memory: dict[str, Any] | None = None, **settings: Any) -> Talk:
    quick = {"check": "sum8", "check_every": 1000, "poll_s": 0.1, **settings}
    talk = Talk(build("slot", Settings.from_dict(quick), memory), step_s=0.11)
    for sent, received in rows:
        talk.exchange(sent, received)
    return talk


def started(**settings: Any) -> Talk:
    talk = talk_of(START, **settings)
    talk.events.clear()
    return talk


def at_counter(counter: int) -> Talk:
    """A started acceptor whose counter was there at the baseline and has been polled since."""
    seen = (CREDIT, shows(counter, *[(1, 1)] * 5))
    return talk_of([*START[:6], seen, *START[7:], seen])


def kinds(events: list[Event]) -> list[str]:
    return [type(event).__name__ for event in events]


def test_the_start_identifies_takes_the_baseline_and_then_asserts() -> None:
    talk = talk_of(START)
    assert talk.device.identified
    assert (talk.device.serial, talk.device.address) == ("1234567", "2")
    (confirmed,) = talk.events
    assert isinstance(confirmed, OutputConfirmed)
    assert confirmed.outputs == {"accepting": False}
    assert talk.device.memory() == {
        "serial": "1234567",
        "epoch": 1,
        "counters": {"all": 0},
        "bases": {"all": 0, "mask": 1},
    }


def test_a_coin_is_told_once_however_often_it_is_shown() -> None:
    talk = started()
    first = talk.exchange(CREDIT, shows(1, (1, 3)))
    again = talk.exchange(CREDIT, shows(1, (1, 3)))
    second = talk.exchange(CREDIT, shows(2, (1, 1), (1, 3)))
    (coin,) = first
    assert isinstance(coin, CoinAccepted)
    assert (coin.coin, coin.path, coin.event_id, coin.raw) == (1, 3, "1234567/all/1/1", shows(1, (1, 3)))
    assert again == []
    assert [event.event_id for event in second if isinstance(event, CoinAccepted)] == ["1234567/all/1/2"]


def test_coins_come_oldest_first_and_codes_take_their_place_in_the_count() -> None:
    talk = started()
    events = talk.exchange(CREDIT, shows(3, (2, 1), (0, 1), (1, 1)))
    assert [(e.coin, e.counter) for e in events if isinstance(e, CoinAccepted)] == [(1, 1), (2, 3)]
    (note,) = [e for e in events if isinstance(e, SensorFault)]
    assert (note.code, note.attention) == ("coin_note", False)


def test_bets_open_and_closed_are_desired_state_written_and_read_back() -> None:
    talk = started()
    talk.device.command(SetAccepting(True), talk.at_s)
    talk.exchange(ask(228, 1), ACK)
    assert talk.exchange(READ_INHIBIT, say(1))[0].outputs == {"accepting": True}
    assert talk.exchange(CREDIT, shows(0)) == []
    talk.device.command(SetAccepting(False), talk.at_s)
    talk.exchange(ask(228, 0), None)
    talk.exchange(READ_MASK, say(1, 0))
    talk.exchange(READ_INHIBIT, say(1))
    talk.exchange(ask(228, 0), ACK)
    assert kinds(talk.exchange(READ_INHIBIT, say(0))) == ["OutputConfirmed"]


def test_an_acceptor_that_refuses_228_is_told_by_its_mask() -> None:
    talk = started()
    talk.device.command(SetAccepting(True), talk.at_s)
    talk.exchange(ask(228, 1), NAK)
    talk.exchange(READ_MASK, say(1, 0))
    assert talk.exchange(CREDIT, shows(0)) == []
    talk.device.command(SetAccepting(False), talk.at_s)
    talk.exchange(ask(231, 0, 0), ACK)
    assert kinds(talk.exchange(READ_MASK, say(0, 0))) == ["OutputConfirmed"]


def test_a_wrap_is_believed_only_after_a_look_at_mask_and_inhibit() -> None:
    talk = at_counter(254)
    assert talk.exchange(CREDIT, shows(2, (1, 1), (1, 1), (1, 1))) == []
    talk.exchange(READ_MASK, say(1, 0))
    talk.exchange(READ_INHIBIT, say(0))
    events = talk.exchange(CREDIT, shows(2, (1, 1), (1, 1), (1, 1)))
    assert [(e.coin, e.counter) for e in events if isinstance(e, CoinAccepted)] == [(1, 1), (1, 2), (1, 3)]


def test_a_reset_with_new_coins_is_no_wrap() -> None:
    talk = at_counter(200)
    assert talk.exchange(CREDIT, shows(5, *[(1, 1)] * 5)) == []
    reset = talk.exchange(READ_MASK, say(0, 0))
    assert kinds(reset) == ["DeviceReset"]
    talk.exchange(READ_INHIBIT, say(1))
    (lost,) = talk.exchange(CREDIT, shows(5, *[(1, 1)] * 5))
    assert isinstance(lost, CountDiscontinuity)
    assert (lost.epoch, lost.expected, lost.got, lost.lost_min, lost.lost_max) == (2, 200, 5, 5, None)
    talk.exchange(WRITE_MASK, ACK)
    talk.exchange(READ_MASK, say(1, 0))
    talk.exchange(ask(228, 0), ACK)
    talk.exchange(READ_INHIBIT, say(0))
    (coin,) = talk.exchange(CREDIT, shows(6, *[(1, 1)] * 5))
    assert isinstance(coin, CoinAccepted)
    assert coin.event_id == "1234567/all/2/1"


@pytest.mark.parametrize("reply", [shows(0), shows(9, (1, 1))], ids=["fell to zero", "fewer events than counted"])
def test_a_reset_that_the_counter_gives_away(reply: bytes) -> None:
    talk = at_counter(7)
    assert kinds(talk.exchange(CREDIT, reply)) == ["DeviceReset"]
    talk.exchange(READ_MASK, say(0, 0))
    talk.exchange(READ_INHIBIT, say(0))
    (lost,) = talk.exchange(CREDIT, reply)
    assert isinstance(lost, CountDiscontinuity)
    assert (lost.lost_max, lost.epoch) == (None, 2)


def test_after_a_timeout_mask_and_inhibit_come_before_coins() -> None:
    talk = started()
    talk.exchange(CREDIT, None)
    talk.exchange(READ_MASK, say(1, 0))
    talk.exchange(READ_INHIBIT, say(0))
    assert kinds(talk.exchange(CREDIT, shows(1, (1, 1)))) == ["CoinAccepted"]


def test_more_events_than_the_buffer_holds_are_lost_within_bounds() -> None:
    talk = started()
    talk.exchange(CREDIT, shows(0))
    reply = shows(8, *[(1, 1)] * 5)
    assert talk.exchange(CREDIT, reply) == []
    talk.exchange(READ_MASK, say(1, 0))
    talk.exchange(READ_INHIBIT, say(0))
    lost, *coins = talk.exchange(CREDIT, reply)
    assert isinstance(lost, CountDiscontinuity)
    assert (lost.lost_min, lost.lost_max, lost.expected, lost.got, lost.counter) == (0, 3, 0, 8, 3)
    assert [e.counter for e in coins if isinstance(e, CoinAccepted)] == [4, 5, 6, 7, 8]


def test_coins_found_after_a_restart_are_a_loss_with_exact_bounds() -> None:
    before = started()
    before.exchange(CREDIT, shows(1, (1, 1)))
    rows = [*IDENTITY, (READ_MASK, say(1, 0)), (READ_INHIBIT, say(0))]
    after = talk_of(rows, memory=before.device.memory())
    lost, note = after.exchange(CREDIT, shows(4, (1, 1), (0, 2), (1, 1), (1, 1)))
    assert isinstance(note, SensorFault)
    assert isinstance(lost, CountDiscontinuity)
    assert (lost.epoch, lost.lost_min, lost.lost_max, lost.counter) == (1, 2, 2, 4)


def test_a_restart_with_nothing_new_is_silent_and_a_reset_meanwhile_is_not() -> None:
    memory = started().device.memory()
    quiet = talk_of([*IDENTITY, (READ_MASK, say(1, 0)), (READ_INHIBIT, say(0)), (CREDIT, shows(0))], memory=memory)
    assert kinds(quiet.events) == ["OutputConfirmed"]
    was_reset = talk_of([*IDENTITY, (READ_MASK, say(0, 0)), (READ_INHIBIT, say(1))], memory=memory)
    assert kinds(was_reset.events) == ["DeviceReset"]


def test_another_acceptor_in_the_same_place_has_its_own_epochs() -> None:
    memory = started().device.memory()
    rows = [IDENTITY[0], (ask(242), say(1, 0, 0)), *IDENTITY[2:], *START[4:]]
    talk = talk_of(rows, memory=memory)
    assert kinds(talk.events) == ["OutputConfirmed"]
    assert (talk.device.serial, talk.device.memory()["epoch"]) == ("1", 1)


def test_fraud_closes_the_slot_and_calls_for_a_person() -> None:
    talk = started()
    talk.device.command(SetAccepting(True), talk.at_s)
    talk.exchange(ask(228, 1), ACK)
    talk.exchange(READ_INHIBIT, say(1))
    (fault,) = talk.exchange(CREDIT, shows(1, (0, 17)))
    assert isinstance(fault, SensorFault)
    assert (fault.code, fault.attention) == ("coin_fraud", True)
    talk.exchange(ask(228, 0), ACK)


def test_fraud_is_told_again_once_the_slot_was_opened_again_and_no_coin_ends_it() -> None:
    talk = started()
    for counter in (1, 3):
        talk.device.command(SetAccepting(True), talk.at_s)
        talk.exchange(ask(228, 1), ACK)
        talk.exchange(READ_INHIBIT, say(1))
        (fault,) = talk.exchange(CREDIT, shows(counter, (0, 17), (1, 1)))[-1:]
        assert isinstance(fault, SensorFault)
        assert (fault.code, fault.cleared) == ("coin_fraud", False)
        talk.exchange(ask(228, 0), ACK)
        talk.exchange(READ_INHIBIT, say(0))
        (coin,) = [each for each in talk.exchange(CREDIT, shows(counter + 1, (1, 1), (0, 17))) if each is not None]
        assert isinstance(coin, CoinAccepted)


def test_trouble_is_told_once_and_is_over_when_a_coin_goes_through() -> None:
    talk = started()
    (fault,) = talk.exchange(CREDIT, shows(1, (0, 14)))
    assert isinstance(fault, SensorFault)
    assert (fault.code, fault.cleared, fault.detail) == ("coin_hardware", False, "event code 14")
    assert talk.exchange(CREDIT, shows(2, (0, 14), (0, 14))) == []
    coin, over = talk.exchange(CREDIT, shows(3, (1, 1), (0, 14), (0, 14)))
    assert isinstance(coin, CoinAccepted)
    assert isinstance(over, SensorFault)
    assert (over.code, over.cleared) == ("coin_hardware", True)


def test_busy_is_for_later_and_frames_of_others_are_no_answer() -> None:
    talk = started()
    assert talk.exchange(CREDIT, BUSY) == []
    assert talk.exchange(CREDIT, m(1, 3, 0) + shows(1, (1, 1)))[0].counter == 1


def test_while_noise_is_about_news_must_be_read_twice_alike() -> None:
    talk = started()
    talk.exchange(CREDIT, b"\xff\x00" + shows(0))
    false, true = shows(1, (9, 1)), shows(1, (1, 1))
    assert talk.exchange(CREDIT, false) == []
    assert talk.exchange(CREDIT, true) == []
    (coin,) = talk.exchange(CREDIT, true)
    assert isinstance(coin, CoinAccepted)
    assert coin.coin == 1
    talk.at_s += 10.0
    assert talk.exchange(CREDIT, b"\xff" + shows(2, (1, 1), (1, 1))) == []
    assert talk.exchange(CREDIT, shows(0)) == []
    assert kinds(talk.exchange(CREDIT, shows(0))) == ["DeviceReset"]


@pytest.mark.parametrize(
    ("settings", "rows", "trouble"),
    [
        ({"serial": "99"}, IDENTITY[:2], "serial 1234567 where 99 is configured"),
        ({}, [*IDENTITY[:2], (ask(245), say(*b"Payout"))], "'Payout' where a coin acceptor is configured"),
        ({"product": "SR5"}, IDENTITY, "product 'TK-100' where 'SR5' is configured"),
        ({"serial": "99"}, [IDENTITY[0], (ask(242), NAK)], "it does not tell its serial number (242), 99"),
    ],
)
def test_another_device_than_configured(settings: dict[str, Any], rows: list[Any], trouble: str) -> None:
    talk = talk_of(rows, **settings)
    assert not talk.device.identified
    assert trouble in talk.device.trouble


def test_an_acceptor_without_serial_number_goes_by_its_name() -> None:
    rows = [IDENTITY[0], (ask(242), None)] * 3 + [IDENTITY[0], *IDENTITY[2:]]
    talk = talk_of(rows)
    assert talk.device.identified
    assert talk.device.serial == "slot"


def test_a_silent_acceptor_is_tried_in_both_modes_and_told_once() -> None:
    talk = Talk(build("slot", Settings.from_dict({}), None), step_s=0.11)
    sent = []
    for _ in range(6):
        sent.append(talk.ask())
        talk.answer(None)
    assert sent[0] == ask(254) == sent[2]
    assert sent[1] == sent[3] == encode(2, 254, check=Check.CRC16)
    (told,) = talk.events
    assert isinstance(told, SensorFault)
    assert (told.code, "crc16 and sum8" in told.detail) == ("no_answer", True)
    talk.ask()
    (over,) = talk.answer(ACK)
    assert (over.code, over.cleared) == ("no_answer", True)


def test_silence_then_another_device_is_identified_again() -> None:
    talk = started()
    talk.exchange(CREDIT, None)
    talk.exchange(READ_MASK, None)
    talk.exchange(READ_MASK, None)
    assert not talk.device.identified
    talk.exchange(*IDENTITY[0])
    talk.exchange(*IDENTITY[1])


def test_a_reopened_port_starts_over_and_a_sign_is_no_slot() -> None:
    talk = started()
    talk.device.on_port(PortEvent.LOST, talk.at_s)
    talk.device.on_port(PortEvent.OPENED, talk.at_s)
    assert not talk.device.identified
    with pytest.raises(DriverError):
        talk.device.command(ShowText("amount", "1"), talk.at_s)


@pytest.mark.parametrize(
    "settings", [{"address": 1}, {"coins": []}, {"coins": [17]}, {"poll_s": 0.5}, {"check": "md5"}, {"colour": "red"}]
)
def test_bad_settings(settings: dict[str, Any]) -> None:
    with pytest.raises(SettingsError):
        Settings.from_dict(settings)


def test_the_registry_builds_it() -> None:
    assert PROTOCOL == "cctalk"
    assert registry.build("slot", "cctalk_coin", {"address": 7}, None).address == "7"


def slot(**settings: Any) -> Any:
    return build("slot", Settings.from_dict({"poll_s": 0.02, "timeout_s": 1.0, "check_every": 5, **settings}), None)


@pytest.mark.parametrize(
    "faults", [Faults(), Faults(bytewise=True), Faults(delay_s=0.005)], ids=["clean", "bytes", "slow"]
)
@pytest.mark.parametrize("crc", [False, True], ids=["sum8", "crc16"])
async def test_coins_over_a_line_that_echoes(faults: Faults, crc: bool) -> None:
    line = SimLine(echo=True, faults=faults)
    sim = Sim(line=line, crc=crc)
    async with tasks(sim.run()), running(sim.path, slot()) as seen:
        await seen.up("slot")
        await seen.until(lambda: sim.mask == 1 and not sim.accepting)
        assert not sim.insert(1)
        seen.bus.command("slot", SetAccepting(True))
        await seen.until(lambda: any(e.outputs["accepting"] for e in seen.of(OutputConfirmed)))
        for number in range(1, 5):
            assert sim.insert(1)
            await seen.until(lambda n=number: len(seen.of(CoinAccepted)) == n)
    assert [e.counter for e in seen.of(CoinAccepted)] == [2, 3, 4, 5]
    assert seen.of(CountDiscontinuity) == []


async def test_a_power_cycle_is_told_with_a_new_epoch_and_the_slot_is_set_again() -> None:
    sim = Sim()
    async with tasks(sim.run()), running(sim.path, slot()) as seen:
        await seen.up("slot")
        seen.bus.command("slot", SetAccepting(True))
        await seen.until(lambda: sim.accepting and sim.mask == 1 and bool(seen.of(OutputConfirmed)))
        sim.insert(1)
        await seen.until(lambda: len(seen.of(CoinAccepted)) == 1)
        sim.power_cycle(0.2)
        await seen.until(lambda: len(seen.of(DeviceReset)) == 1)
        await seen.until(lambda: sim.accepting and sim.mask == 1)
        sim.insert(1)
        await seen.until(lambda: len(seen.of(CoinAccepted)) == 2)
    assert [e.event_id for e in seen.of(CoinAccepted)] == ["1234567/all/1/1", "1234567/all/2/1"]
    assert [(e.lost_min, e.lost_max) for e in seen.of(CountDiscontinuity)] == [(0, None)]


async def test_noise_drops_and_repeats_never_make_or_lose_a_coin() -> None:
    line = SimLine(echo=True)
    sim = Sim(line=line)
    async with tasks(sim.run()), running(sim.path, slot(timeout_s=0.06)) as seen:

        def told() -> int:
            return len(seen.of(CoinAccepted)) + sum(e.lost_min for e in seen.of(CountDiscontinuity))

        await seen.up("slot")
        seen.bus.command("slot", SetAccepting(True))
        await seen.until(lambda: sim.accepting and sim.mask == 1)
        line.faults = Faults(drop_chunk=60, drop_byte=5, flip_bit=10, noise=60, repeat=60, cut=30, seed=7)
        for _ in range(12):
            sim.insert(1)
            await asyncio.sleep(0.12)
            await seen.until(lambda: len(sim.taken) - told() < 5)  # it keeps five events
        line.faults = Faults()
        await seen.until(lambda: told() == len(sim.taken))
    assert len({e.event_id for e in seen.of(CoinAccepted)}) == len(seen.of(CoinAccepted))
    assert seen.bus.link_state("slot") is not LinkState.DOWN or seen.bus.counters.timeouts > 0


async def test_unplugged_with_coins_inside_none_is_lost(tmp_path: Path) -> None:
    sim = Sim(line=SimLine(str(tmp_path / "by-id"), echo=True))
    async with tasks(sim.run()), running(sim.path, slot()) as seen:
        await seen.up("slot")
        seen.bus.command("slot", SetAccepting(True))
        await seen.until(lambda: sim.accepting and sim.mask == 1)
        sim.insert(1)
        await seen.until(lambda: len(seen.of(CoinAccepted)) == 1)
        sim.line.unplug()
        await seen.until(lambda: seen.bus.link_state("slot") is LinkState.DOWN)
        sim.insert(1)
        sim.insert(1)
        await asyncio.sleep(0.4)
        sim.line.replug()
        await seen.until(lambda: len(seen.of(CoinAccepted)) + sum(e.lost_min for e in seen.of(CountDiscontinuity)) == 3)
        await seen.up("slot")
    assert seen.states("slot")[:3] == [LinkState.UP, LinkState.DOWN, LinkState.UP]


async def test_seven_slots_on_one_line_and_one_of_them_dead() -> None:
    line = SimLine(echo=True)
    sims = [Sim(address, line=line, serial=address) for address in range(2, 9)]
    devices = [
        build(f"slot{a}", Settings.from_dict({"address": a, "timeout_s": wait_s, "check": "sum8"}), None)
        for a, wait_s in zip(range(2, 9), (1.0, 1.0, 1.0, 0.03, 1.0, 1.0, 1.0), strict=True)
    ]
    sims[3].silent = True
    alive = [sim for sim in sims if not sim.silent]
    async with tasks(line.run()), running(line.path, *devices) as seen:
        await seen.up(*(f"slot{sim.address}" for sim in alive))
        for device in devices:
            seen.bus.command(device.name, SetAccepting(True))
        await seen.until(lambda: all(sim.accepting and sim.mask == 1 for sim in alive))
        for sim in alive:
            assert sim.insert(1)
            assert sim.insert(1)
        await seen.until(lambda: len(seen.of(CoinAccepted)) == 12)
        await seen.until(lambda: seen.states("slot5") == [LinkState.DOWN])
    assert {(e.device, e.counter) for e in seen.of(CoinAccepted)} == {
        (f"slot{sim.address}", counter) for sim in alive for counter in (1, 2)
    }
