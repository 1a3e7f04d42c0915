"""How often what may happen in one step of a simulated pit happens."""

from __future__ import annotations

from collections.abc import Callable

from tests.engine.sim_network import deliver_some, reconnect, repeat_some, revive, wipe_broker
from tests.engine.sim_office import (
    accept_step,
    adjust,
    enrol_new,
    exclude,
    promote,
    release,
    replace_table,
    seal_running,
    settle_sealed,
)
from tests.engine.sim_tables import (
    advance_prize,
    change_terms,
    correct_card,
    finish_hand,
    hear_or_not,
    leave_carousel,
    lock_hand,
    pay_prize,
    press_twice,
    void_hand,
)
from tests.engine.simulator import World

ACTIONS: tuple[tuple[int, Callable[[World], None]], ...] = (
    (24, lock_hand),
    (22, finish_hand),
    (3, press_twice),
    (6, void_hand),
    (4, correct_card),
    (16, pay_prize),
    (2, advance_prize),
    (3, hear_or_not),
    (60, deliver_some),
    (16, repeat_some),
    (5, reconnect),
    (1, wipe_broker),
    (8, revive),
    (5, release),
    (4, accept_step),
    (4, settle_sealed),
    (2, adjust),
    (3, replace_table),
    (3, seal_running),
    (4, leave_carousel),
    (4, change_terms),
    (3, enrol_new),
    (5, promote),
    (3, exclude),
)
