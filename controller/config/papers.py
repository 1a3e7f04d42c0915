"""Section of the papers of prizes: what the tax office takes, and what is checked before a large prize is paid."""

from controller.config.base import Amount, Model, RateBp
from controller.core.withholding import Withholding


class Papers(Model):
    """Amounts in minor units, rates in basis points."""

    withholding_bp: RateBp = 0
    """Rate that is withheld of a prize; 0: nothing is proposed."""
    withholding_part_bp: RateBp = 10_000
    """Part of the prize that the rate is taken of."""
    withholding_from: Amount = 0
    """Prizes of less are not taxed."""
    checklist_from: Amount | None = None
    """Prizes of at least this sum are paid after the list: cards to the camera, deck counted, hand sealed."""

    @property
    def withholding(self) -> Withholding:
        return Withholding(self.withholding_bp, self.withholding_part_bp, self.withholding_from)
