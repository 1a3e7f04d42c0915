"""Whom an act is told to: a table, a carousel, or the accounts of this node."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Target:
    """A machine of this node: `table` or `carousel` with its id, or the node's own accounts."""

    kind: str
    id: str = ""

    def __str__(self) -> str:
        return f"{self.kind}:{self.id}" if self.id else self.kind

    @classmethod
    def parse(cls, text: str) -> "Target":
        kind, _, name = text.partition(":")
        return cls(kind, name)


NODE = Target("node")


def table(table_id: str) -> Target:
    return Target("table", table_id)


def carousel(carousel_id: str) -> Target:
    return Target("carousel", carousel_id)
