"""The service manager's side: ready, stopping and watchdog messages (sd_notify(3)); nothing where there is none."""

import asyncio
import gc
import os
import socket


def notify(message: str) -> bool:
    """Send one state line to the service manager; False when the process was not started by one."""
    address = os.environ.get("NOTIFY_SOCKET", "")
    if not address:
        return False
    if address.startswith("@"):
        address = "\0" + address[1:]
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC) as sender:
        sender.connect(address)
        sender.sendall(message.encode())
    return True


def watchdog_interval_s() -> float | None:
    """Half of what the manager waits, or None when it does not watch this process."""
    if os.environ.get("WATCHDOG_PID", str(os.getpid())) != str(os.getpid()):
        return None
    timeout_us = os.environ.get("WATCHDOG_USEC", "")
    return int(timeout_us) / 2_000_000 if timeout_us.isdigit() else None


async def keep_watchdog() -> None:
    """Tell the manager that the loop still turns; ends at once when nobody asks."""
    interval_s = watchdog_interval_s()
    while interval_s is not None:
        notify("WATCHDOG=1")
        await asyncio.sleep(interval_s)


def settle_memory() -> None:
    """What a start has built stays for the life of the process: the collector need not look at it again and again.

    A collection of everything costs a tenth of a second and more, in the middle of whatever the loop does.
    """
    gc.collect()
    gc.freeze()
