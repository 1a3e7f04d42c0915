"""When a table hears its host, and when beats that answer nothing are an attack and not a host that is behind."""

import pytest

from controller.adapters.link.hearing import Hearing
from controller.adapters.link.pace import SILENCE_S, UNPROVEN_S


class Machine:
    """A table's start that is told beats at times of the test."""

    def __init__(self) -> None:
        self.now_s = 0.0
        self.hearing = Hearing(lambda: self.now_s)

    def unanswered(self, seconds: float, every: float = 1.0) -> bool:
        """Beats that answer nothing for so long: whether the last of them was refused by name."""
        refused, end_s = False, self.now_s + seconds
        while self.now_s < end_s:
            self.now_s += every
            refused = self.hearing.unanswered()
        return refused


def test_only_an_answer_is_a_word_and_it_lasts_as_long_as_silence_may() -> None:
    machine = Machine()
    machine.unanswered(3)
    assert not machine.hearing.up
    machine.hearing.answered()
    machine.now_s += SILENCE_S - 0.1
    assert machine.hearing.up
    machine.now_s += 0.1
    assert not machine.hearing.up
    machine.hearing.answered()
    machine.hearing.gone()
    assert not machine.hearing.up


@pytest.mark.promise("P13")
def test_beats_that_answer_nothing_for_long_are_refused() -> None:
    machine = Machine()
    assert not machine.unanswered(UNPROVEN_S - 1)
    assert machine.unanswered(3)
    machine.hearing.answered()
    assert not machine.unanswered(UNPROVEN_S - 1)


def test_a_host_that_comes_back_after_a_pause_may_say_some_before_it_hears_of_this_start() -> None:
    machine = Machine()
    for _ in range(4):
        assert not machine.unanswered(UNPROVEN_S - 1)
        machine.now_s += SILENCE_S + 0.1
