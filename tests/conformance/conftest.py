"""A running node for the tests that need one."""

from tests.api.conftest import office, rooms_by_the_loop

__all__ = ["office", "rooms_by_the_loop"]
