"""Databases for the tests of the adapters."""

from pathlib import Path

import pytest

from tests.adapters.journal_places import Place, new_place
from tests.api.conftest import rooms_by_the_loop

__all__ = ["rooms_by_the_loop"]

DATABASES = ["sqlite", pytest.param("postgresql", marks=pytest.mark.postgres)]


@pytest.fixture(params=DATABASES)
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Place:
    """Where a new journal can be made: a file, and a database of its own in a real PostgreSQL."""
    return new_place(request.param, tmp_path, lambda: request.getfixturevalue("postgres_server"))


@pytest.fixture
def journal_url(place: Place) -> str:
    return place.url


@pytest.fixture(scope="module", params=DATABASES)
def module_place(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Place:
    """A place without a journal yet, for all tests of a module."""
    directory = tmp_path_factory.mktemp("place")
    return new_place(request.param, directory, lambda: request.getfixturevalue("postgres_server"))
