"""How a promise is found broken."""


class Violation(AssertionError):
    """A promise is broken."""


def hold(true: bool, what: str) -> None:
    """Raise Violation, naming what is wrong, where something is not true."""
    if not true:
        raise Violation(what)
