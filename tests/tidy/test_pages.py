"""The pages made from the tests' marks are what their scripts write now: `make docs` brings them up to date."""

from types import ModuleType

import pytest

from scripts import articles, conformance


@pytest.mark.parametrize("script", [articles, conformance], ids=["articles", "conformance"])
def test_a_page_is_what_its_script_writes(script: ModuleType) -> None:
    assert script.PAGE.read_text(encoding="utf-8") == script.page(), "run `make docs` and commit what it wrote"
