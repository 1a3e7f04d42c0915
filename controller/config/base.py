"""Shared ground of the models: strict numbers, identifiers, and a frozen model that refuses unknown keys."""

from typing import Annotated

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

LARGEST_MINOR = 100_000_000_000_000
"""10^12 currency units of two decimals: amounts above are refused everywhere."""

Count = Annotated[int, Field(strict=True, ge=0)]
Positive = Annotated[int, Field(strict=True, ge=1, le=1_000_000_000)]
"""A number of something, or a multiple."""
Amount = Annotated[int, Field(strict=True, ge=0, le=LARGEST_MINOR)]
"""Minor units of the site's currency (centavos)."""
PositiveAmount = Annotated[int, Field(strict=True, ge=1, le=LARGEST_MINOR)]
RateBp = Annotated[int, Field(strict=True, ge=0, le=10_000)]
"""Basis points of a bet."""
Switch = Annotated[bool, Field(strict=True)]
Seat = Annotated[int, Field(strict=True, ge=1, le=10)]
IDENTIFIER_FORM = r"^[a-z0-9][a-z0-9_-]{0,31}$"
Identifier = Annotated[str, Field(pattern=IDENTIFIER_FORM)]
"""Goes into topics, addresses and file names: lower case, digits, - and _."""
Text = Annotated[str, Field(min_length=1, max_length=120)]
FINGERPRINT_FORM = r"^([0-9A-Fa-f]{4} ?){15}[0-9A-Fa-f]{4}$"


def _plain(fingerprint: str) -> str:
    return fingerprint.replace(" ", "").lower()


Fingerprint = Annotated[str, Field(pattern=FINGERPRINT_FORM), AfterValidator(_plain)]
"""A public key or a SHA-256 in hex, also in the groups in which people are shown it; kept without them."""


class Model(BaseModel):
    """A frozen section of the file; an unknown key is a fault."""

    model_config = ConfigDict(frozen=True, extra="forbid", str_strip_whitespace=True)
