"""A deliberately broken carousel: what of it is replaced, and where the difference is seen."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from typing import Any
from unittest.mock import patch

from tests.engine.simulator import Faults

Behaviour = dict[str, Callable[..., Any]]


@dataclass(frozen=True)
class Mutant:
    """patches: (object, attribute, replacement); behaviour: parts of the simulated nodes and people replaced.

    faults, ends, story: where plain random lives hardly ever come to the state in which the mutant differs; a story is
    one life by hand, which ends well without the mutant.
    """

    name: str
    patches: tuple[tuple[Any, str, Any], ...] = ()
    behaviour: Behaviour = field(default_factory=dict)
    faults: Faults | None = None
    ends: bool | None = None
    story: Callable[[], None] = field(default=lambda: None)

    @contextmanager
    def at_work(self) -> Iterator[None]:
        with ExitStack() as stack:
            for target, name, changed in self.patches:
                stack.enter_context(patch.object(target, name, changed))
            yield


MANY_HOSTS = Faults(loss=5, doubling=10, partition=6, kill=0, promote=6, kill_after=0)
