"""sd_notify over a real datagram socket."""

import asyncio
import contextlib
import os
import socket
from pathlib import Path

import pytest

from controller.adapters.service import keep_watchdog, notify, watchdog_interval_s


@pytest.fixture
def manager(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> socket.socket:
    receiver = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
    receiver.bind(str(tmp_path / "notify"))
    receiver.settimeout(60)
    monkeypatch.setenv("NOTIFY_SOCKET", str(tmp_path / "notify"))
    return receiver


def test_ready_reaches_the_manager(manager: socket.socket) -> None:
    assert notify("READY=1")
    assert manager.recv(100) == b"READY=1"
    manager.close()


def test_nothing_is_sent_without_a_manager(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NOTIFY_SOCKET", raising=False)
    assert not notify("READY=1")


@pytest.mark.parametrize(
    ("usec", "pid", "expected"),
    [("10000000", "own", 5.0), ("", "own", None), ("10000000", "1", None)],
)
def test_watchdog_interval(monkeypatch: pytest.MonkeyPatch, usec: str, pid: str, expected: float | None) -> None:
    monkeypatch.setenv("WATCHDOG_USEC", usec)
    monkeypatch.setenv("WATCHDOG_PID", str(os.getpid()) if pid == "own" else pid)
    assert watchdog_interval_s() == expected


async def test_the_loop_keeps_the_watchdog(manager: socket.socket, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WATCHDOG_USEC", "20000")
    monkeypatch.setenv("WATCHDOG_PID", str(os.getpid()))
    keeper = asyncio.create_task(keep_watchdog())
    received = await asyncio.to_thread(lambda: [manager.recv(100) for _ in range(3)])
    keeper.cancel()
    with contextlib.suppress(asyncio.CancelledError):
        await keeper
    assert received == [b"WATCHDOG=1"] * 3
    manager.close()
