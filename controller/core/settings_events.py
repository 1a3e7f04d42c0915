"""What happens to the settings a table is played by: read from the site's file, changed by two people, confirmed."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class SettingChange:
    """One setting by its name in the site's file (`limits.minimum`): its value before and after, as JSON holds it."""

    key: str
    before: Any
    after: Any


@dataclass(frozen=True, slots=True)
class SettingsRead:
    """The daemon started and the site's file says these settings; terms: SHA-256 of the jackpot terms among them.

    confirm: a table whose terms the file changed takes no jackpot bet until two people confirm the new ones.
    """

    settings: Mapping[str, Any]
    confirm: bool = True


@dataclass(frozen=True, slots=True)
class SettingsChanged:
    """People change settings of a table. base: digest of the settings in force that the changes were made on.

    terms: SHA-256 of the jackpot terms afterwards. Without changes: what waits is taken back. day: not before it, as
    2026-12-31 by the site's calendar; "" = between hands.
    """

    base: str
    changes: tuple[SettingChange, ...]
    terms: str
    reason: str
    day: str = ""


@dataclass(frozen=True, slots=True)
class SettingsDayCame:
    """By the site's calendar the day has begun from which a change may take effect."""

    day: str


@dataclass(frozen=True, slots=True)
class TermsConfirmed:
    """Two people have compared the jackpot terms that the site's file changed; terms: the SHA-256 they confirm."""

    terms: str
    reason: str
