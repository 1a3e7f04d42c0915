"""A simulated LED sign on a pseudo-terminal; it refuses what a sign refuses. Written from the protocol document."""

from __future__ import annotations

import asyncio
import re

from drivers.simulator import SimLine

TIMEOUT_S = 1.0
STRING_LIMIT = 125
_PACKET = re.compile(rb"\x00{5,}\x01(.)(..)\x02([^\x01\x04]*)\x04", re.DOTALL)


class Sim:
    """TEXT and STRING files as configured, a priority file, a run order. Alone it makes its own line.

    `blanked` counts how often the display went dark, `refused` names what was not done.
    """

    def __init__(
        self, type_code: str = "^", address: str = "01", *, line: SimLine | None = None, replies: bool = True
    ) -> None:
        self.line = line or SimLine()
        self.line.attach(self)
        self.silent = False
        self.blanked = 0
        self.refused: list[str] = []
        self.commands: list[str] = []
        self.times_s: list[float] = []
        self._types, self._addresses = {type_code, "Z"}, {address, "00", "??"}
        self._replies = replies
        self._sizes: dict[tuple[str, str], int] = {}
        self._texts: dict[str, str] = {}
        self._strings: dict[str, str] = {}
        self._priority: str | None = None
        self._order = ""
        self._buffer = bytearray()
        self._heard_s = 0.0
        self._boot_until_s = 0.0

    @property
    def path(self) -> str:
        return self.line.path

    async def run(self) -> None:
        await self.line.run()

    @property
    def display(self) -> str:
        """What passes by read: the priority message, else the TEXT files in run order with their STRING files."""
        if self._priority is not None:
            return self._priority
        text = "".join(self._texts.get(label, "") for label in self._order)
        return re.sub("\x10(.)", lambda call: self._strings.get(call[1], ""), text, flags=re.DOTALL)

    def power_cycle(self, off_s: float = 0.3) -> None:
        """A sign without battery: all files are gone, silent for `off_s`."""
        self._sizes, self._texts, self._strings, self._priority, self._order = {}, {}, {}, None, ""
        self._buffer.clear()
        self._boot_until_s = asyncio.get_running_loop().time() + off_s

    def receive(self, data: bytes, now_s: float) -> bytes:
        """A packet ends by EOT; a pause over 1 s drops what came before."""
        if now_s - self._heard_s > TIMEOUT_S:
            self._buffer.clear()
        self._heard_s = now_s
        self._buffer += data
        if self.silent or now_s < self._boot_until_s:
            self._buffer.clear()
            return b""
        replies = b""
        while (end := self._buffer.find(b"\x04")) >= 0:
            raw = bytes(self._buffer[: end + 1])
            del self._buffer[: end + 1]
            found = _PACKET.search(raw)
            if found is None or not raw.isascii():
                self.refused.append("no packet")
                continue
            if found[1].decode() in self._types and found[2].decode() in self._addresses:
                self.times_s.append(now_s)
                replies += self._packet(found[3])
        return replies

    def _packet(self, body: bytes) -> bytes:
        replies = b""
        for block in body.split(b"\x02"):
            data, etx, digits = block.partition(b"\x03")
            if etx and digits and int(digits, 16) != (2 + sum(data) + 3) % 65536:
                self.refused.append("bad sum")
                continue
            replies += self._command(data.decode("ascii"))
        return replies

    def _command(self, data: str) -> bytes:
        self.commands.append(data)
        code, rest = data[0], data[1:]
        if code == "A":
            self._write_text(rest[0], rest[1:])
        elif code == "G":
            self._write_string(rest[0], rest[1:])
        elif data.startswith("E$"):
            self._configure(data[2:])
        elif data.startswith("E."):
            self._order = data[4:]
        elif code == "H" and self._replies:
            held = f"G{rest}{self._strings.get(rest, '')}"
            total = 2 + sum(held.encode()) + 3
            return b"\0" * 20 + f"\x01000\x02{held}\x03{total:04X}\x04".encode()
        elif code != "H":
            self.refused.append(f"command {data[:2]!r}")
        return b""

    def _write_text(self, label: str, content: str) -> None:
        text = content[3:] if content.startswith("\x1b") else content
        self.blanked += 1
        if label == "0":
            self._priority = text if content else None
        elif ("A", label) not in self._sizes:
            self.refused.append(f"TEXT {label} has no memory")
        elif len(content) > self._sizes["A", label]:
            self.refused.append(f"TEXT {label} too long")
            self._texts[label] = ""
        else:
            self._texts[label] = text

    def _write_string(self, label: str, text: str) -> None:
        size = self._sizes.get(("B", label))
        if size is None:
            self.refused.append(f"STRING {label} has no memory")
        elif len(text) > min(size, STRING_LIMIT):
            self.refused.append(f"STRING {label} too long")
            self._strings[label] = ""
        else:
            self._strings[label] = text

    def _configure(self, table: str) -> None:
        self.blanked += 1
        self._sizes, self._texts, self._strings = {}, {}, {}
        for at in range(0, len(table), 11):
            entry = table[at : at + 11]
            self._sizes[entry[1], entry[0]] = int(entry[3:7], 16)
