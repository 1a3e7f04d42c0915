"""A running node for the tests that need one."""

from tests.api.conftest import office

__all__ = ["office"]
