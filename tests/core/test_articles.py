"""Every article has a test that names it, and no test names an article that is not there."""

import pytest

from scripts.articles import PEOPLES, REGULATIONS, known_articles, marks_by_article, page

NAMED = marks_by_article()


def test_no_test_names_an_unknown_article() -> None:
    assert NAMED.keys() <= known_articles().keys()


@pytest.mark.parametrize("regulation", ["O", "B", "C"])
def test_every_article_is_named_by_a_test(regulation: str) -> None:
    articles = {f"{regulation}-{key}" for key in REGULATIONS[regulation][1]}
    assert articles - NAMED.keys() == set()


@pytest.mark.parametrize(("regulation", "first", "last"), [("O", 1, 71), ("B", 7, 13), ("C", 1, 102)])
def test_no_article_of_a_regulation_is_left_out(regulation: str, first: int, last: int) -> None:
    """Each is the software's, with a test, or people's. Of the Peruvian text we hold articles 7 to 13."""
    ours = {int(key) for key in REGULATIONS[regulation][1] if key.isdigit()}
    theirs = {int(key) for key in PEOPLES[regulation]}
    assert ours & theirs == set()
    assert ours | theirs == set(range(first, last + 1))


def test_the_page_lists_every_article_with_its_tests() -> None:
    rows = {line.split("|")[1].strip(): line for line in page().splitlines() if line.startswith("| ")}
    assert all(article in rows for article in known_articles())
    assert "tests/core/test_prizes.py::test_straight_flushes_take_ten_percent" in rows["O-59"]
