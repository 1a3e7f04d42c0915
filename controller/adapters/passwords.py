"""Argon2 hashing of PINs and passwords in threads, with a bound on how many run at once (each takes 64 MiB)."""

import asyncio
from dataclasses import dataclass

from pwdlib.hashers.argon2 import Argon2Hasher

AT_ONCE = 2


@dataclass(frozen=True, slots=True)
class Cost:
    """Argon2's parameters; the default is pwdlib's."""

    time: int = 3
    memory_kib: int = 65_536
    lanes: int = 4


class ArgonPasswords:
    """Implements the port `Passwords`."""

    def __init__(self, cost: Cost | None = None) -> None:
        cost = cost or Cost()
        self._hasher = Argon2Hasher(cost.time, cost.memory_kib, cost.lanes)
        self._slots = asyncio.Semaphore(AT_ONCE)
        self._nobody = self._hasher.hash("nobody")

    def hash_now(self, secret: str, salt: bytes) -> str:
        """`hash`, in the calling thread, for commands."""
        return self._hasher.hash(secret, salt=salt)

    async def hash(self, secret: str, salt: bytes) -> str:
        async with self._slots:
            return await asyncio.to_thread(self.hash_now, secret, salt)

    async def verify(self, secret: str, stored: str | None) -> bool:
        async with self._slots:
            good = await asyncio.to_thread(self._hasher.verify, secret, stored or self._nobody)
        return good and stored is not None
