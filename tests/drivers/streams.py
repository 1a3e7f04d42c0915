"""Every way to feed one codec the same bytes: whole, byte by byte, cut anywhere, with noise around."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from drivers.device import Codec


def frames(codec: Codec, *parts: bytes, at_s: float = 0.0) -> list[Any]:
    return [frame for part in parts for frame in codec.feed(part, at_s).frames]


def check_codec(
    make: Callable[[], Codec],
    good: Sequence[tuple[bytes, Any]],
    noise: bytes,
    settle: bytes = b"",
    drain_s: float = 0.0,
) -> None:
    """`good`: frames as bytes and as the codec tells them. `settle` ends what noise may have left open.

    With `drain_s` the codec is fed nothing after that silence, so that it gives up a head that noise made.
    """

    def all_of(*parts: bytes) -> list[Any]:
        codec = make()
        found = frames(codec, *parts)
        if drain_s:
            found += codec.feed(b"", drain_s).frames
        return found

    wanted = [frame for _, frame in good]
    stream = b"".join(raw for raw, _ in good)
    assert all_of(stream) == wanted
    assert all_of(*(stream[at : at + 1] for at in range(len(stream)))) == wanted
    for at in range(len(stream) + 1):
        assert all_of(stream[:at], stream[at:]) == wanted, f"cut after {at}"
    noisy = noise + settle + b"".join(raw + noise + settle for raw, _ in good)
    assert all_of(noisy) == wanted
    assert all_of(*(noisy[at : at + 1] for at in range(len(noisy)))) == wanted


def check_any_bytes(make: Callable[[], Codec], parts: Sequence[bytes], longest: int) -> None:
    """Never raises, forgets nothing silently, holds at most `longest` bytes; a split changes nothing."""
    codec, whole = make(), make()
    told = frames(codec, *parts)
    assert told == frames(whole, b"".join(parts))
    held = codec.counters.junk_bytes
    codec.clear()
    assert codec.counters.junk_bytes - held <= longest
