"""A line on which the sender hears itself: its own bytes are taken out of what is received, byte by byte."""

from __future__ import annotations


class EchoFilter:
    """For one request. Bytes equal to the sent ones are held back; the first unequal one ends the search.

    A partial echo (some bytes lost) is given back whole as received: the codec scans over it as over any noise.
    """

    def __init__(self, sent: bytes, *, active: bool) -> None:
        self._left = sent if active else b""
        self._held = bytearray()
        self.removed = False

    def strip(self, data: bytes) -> bytes:
        """What of `data` is not echo."""
        for index, byte in enumerate(data):
            if not self._left:
                return data[index:]
            if byte != self._left[0]:
                held, self._left = bytes(self._held), b""
                return held + data[index:]
            self._held.append(byte)
            self._left = self._left[1:]
            self.removed = not self._left
        return b""
