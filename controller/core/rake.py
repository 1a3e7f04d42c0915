"""The house's part of a pot: at most 5 %, each pot apart, rounded down to the smallest chip (art. C 5, 95-96)."""

MOST_RAKE_BP = 500
BASIS_POINTS = 10_000


def rake_of(pot: int, rate_bp: int, unit: int) -> int:
    """What the house keeps of one pot, in whole chips of `unit`; ValueError above 5 % (reading C-a)."""
    if not 0 <= rate_bp <= MOST_RAKE_BP:
        raise ValueError(f"a rake of {rate_bp} basis points is outside 0 to {MOST_RAKE_BP}")
    return pot * rate_bp // (BASIS_POINTS * unit) * unit
