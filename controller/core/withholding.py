"""What the tax office takes of a prize: a rate on a part of it, from a sum on."""

from dataclasses import dataclass

_WHOLE_BP = 10_000


@dataclass(frozen=True, slots=True)
class Withholding:
    """Rate and taxed part in basis points; prizes below `from_minor` (minor units) are not taxed."""

    rate_bp: int = 0
    part_bp: int = _WHOLE_BP
    from_minor: int = 0

    def of(self, amount_minor: int) -> int:
        """The sum to withhold in minor units; what does not divide (less than a minor unit) stays with the player."""
        if amount_minor < self.from_minor:
            return 0
        return amount_minor * self.part_bp * self.rate_bp // (_WHOLE_BP * _WHOLE_BP)
