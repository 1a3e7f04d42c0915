"""A damaged cable: it sits between the program under test and a port, and loses, delays or changes bytes."""

import asyncio
import os
from collections.abc import Callable

from drivers.simulator import Mangler, Pty, read_some, write_some


class FaultProxy:
    """Sits between the program under test and a port: opens `target`, offers `path`, damages both ways.

    `kill` closes the near side as a pulled adapter does, `replug` brings it back under another node, `stall` keeps
    bytes until it is set back to False.
    """

    def __init__(self, target: str, link: str | None = None) -> None:
        self.near = Pty(link)
        self.to_device = Mangler()
        self.to_host = Mangler()
        self.echo = False
        self.stall = False
        self._target = target

    @property
    def path(self) -> str:
        return self.near.path

    def kill(self) -> None:
        if self.near.plugged:
            asyncio.get_running_loop().remove_reader(self.near.master)
        self.near.unplug()

    def replug(self) -> None:
        self.kill()
        self.near.replug()

    async def run(self) -> None:
        """Pump until cancelled."""
        far = os.open(self._target, os.O_RDWR | os.O_NOCTTY | os.O_NONBLOCK)
        try:
            async with asyncio.TaskGroup() as group:
                group.create_task(self._pump(lambda: self.near.master, lambda: far, self.to_device, self._echo_back))
                group.create_task(self._pump(lambda: far, lambda: self.near.master, self.to_host, None))
        finally:
            self.kill()
            asyncio.get_running_loop().remove_reader(far)
            os.close(far)

    def _echo_back(self, data: bytes) -> None:
        if self.echo:
            write_some(self.near.master, data)

    async def _pump(
        self,
        source: Callable[[], int],
        sink: Callable[[], int],
        mangler: Mangler,
        heard: Callable[[bytes], None] | None,
    ) -> None:
        while True:
            data = b"" if self.stall or source() < 0 else read_some(source())
            if not data:
                await asyncio.sleep(0.001)
                continue
            if heard is not None:
                heard(data)
            if mangler.faults.delay_s:
                await asyncio.sleep(mangler.faults.delay_s)
            for piece in mangler.mangle(data):
                if sink() >= 0:
                    write_some(sink(), piece)
                if mangler.faults.byte_gap_s or mangler.faults.bytewise:
                    await asyncio.sleep(mangler.faults.byte_gap_s)
