"""What the configuration says of one coin acceptor."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from drivers.settings import read_settings


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """One acceptor.

    `coins`: positions (1-16) it may take. `check`: how the line's frames are closed; auto tries both. `serial`,
    `product`: what the acceptor must answer, empty takes any. `serial_order`: low byte first (ccTalk) or high byte
    first (ITL). `inhibit_by`: how it is told that bets are closed: by header 228 or, where an acceptor refuses that, by
    an empty coin mask (231). `check_every`: mask and inhibit are read again after so many credit polls.
    """

    address: int = 2
    coins: tuple[int, ...] = (1,)
    check: Literal["sum8", "crc16", "auto"] = "auto"
    serial: str = ""
    product: str = ""
    serial_order: Literal["low_first", "high_first"] = "low_first"
    inhibit_by: Literal["master", "mask"] = "master"
    poll_s: float = 0.1
    check_every: int = 10
    timeout_s: float = 0.1
    gap_s: float = 0.002

    def __post_init__(self) -> None:
        if not 2 <= self.address <= 255:
            raise ValueError("address must be 2..255")
        if not self.coins or any(not 1 <= coin <= 16 for coin in self.coins):
            raise ValueError("coins are positions 1..16, at least one")
        if not 0 < self.poll_s <= 0.2:
            raise ValueError("poll_s must be positive and at most 0.2: the acceptor keeps five events")
        if self.check_every < 1 or self.timeout_s <= 0 or self.gap_s < 0:
            raise ValueError("check_every must be at least 1, timeout_s positive, gap_s not negative")

    @property
    def mask(self) -> bytes:
        """Coin positions as the two bytes of header 231, coin 1 in bit 0."""
        return sum(1 << (coin - 1) for coin in set(self.coins)).to_bytes(2, "little")

    @classmethod
    def from_dict(cls, data: Mapping[str, Any], where: str = "cctalk_coin") -> "Settings":
        """SettingsError names unknown and missing keys."""
        return read_settings(cls, data, where)
