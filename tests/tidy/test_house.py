"""The house rules hold for every file, and each rule catches what it bans."""

import re

import pytest

from tests.tidy import rules, unused
from tests.tidy.rules import Rule
from tests.tidy.source_files import PRODUCT, PURE, committed, parsed, python_files, text, tree

MAXIMUM_LINES = 400

EVERYWHERE = python_files()
PRODUCT_FILES = python_files(*PRODUCT)
PURE_FILES = tuple(path for path in PRODUCT_FILES if path.startswith(PURE))
EDGE = "controller/main.py"


def offences(rule: Rule, paths: tuple[str, ...]) -> list[str]:
    return [
        f"{path}:{line}: {found}; write instead: {rule.instead}"
        for path in paths
        for line, found in rule.find(path, tree(path), text(path))
    ]


@pytest.mark.requirement("R30")
@pytest.mark.parametrize(
    ("rule", "paths"),
    [
        pytest.param(rules.ROUND, PURE_FILES, id="no floats in core and engine"),
        pytest.param(rules.DIVIDE, PURE_FILES, id="no true division in core and engine"),
        pytest.param(rules.RANDOM, EVERYWHERE, id="no random"),
        pytest.param(rules.PACKAGE, PRODUCT_FILES, id="only listed packages in each room"),
        pytest.param(rules.EXCEPT, tuple(path for path in PRODUCT_FILES if path != EDGE), id="no broad except"),
        pytest.param(rules.UNFINISHED_WORK, EVERYWHERE, id="nothing unfinished"),
        pytest.param(rules.IGNORES, EVERYWHERE, id="ignores give a reason"),
        pytest.param(rules.DOCSTRING, EVERYWHERE, id="every module says what lives there"),
        pytest.param(rules.VAGUE_NAME, EVERYWHERE, id="no vague names"),
    ],
)
def test_every_file_keeps_the_rule(rule: Rule, paths: tuple[str, ...]) -> None:
    assert paths
    found = offences(rule, paths)
    assert not found, "\n" + "\n".join(found)


IGNORE = "# type: " + "ignore"


@pytest.mark.parametrize(
    ("rule", "path", "source", "caught"),
    [
        (rules.ROUND, "controller/core/x.py", "rate = 0.7", 1),
        (rules.ROUND, "controller/core/x.py", "rate = float(bets)", 1),
        (rules.ROUND, "controller/core/x.py", "def share(rate: float): ...", 1),
        (rules.ROUND, "controller/core/x.py", "rate_bp = 7_000", 0),
        (rules.DIVIDE, "controller/core/x.py", "half = pot / 2", 1),
        (rules.DIVIDE, "controller/core/x.py", "pot /= 2", 1),
        (rules.DIVIDE, "controller/core/x.py", "half = pot // 2", 0),
        (rules.RANDOM, "tests/x.py", "import random", 1),
        (rules.RANDOM, "tests/x.py", "from random import choice", 1),
        (rules.RANDOM, "controller/core/x.py", "import numpy as np\nnp.random.default_rng()", 1),
        (rules.RANDOM, "controller/odds/x.py", "import numpy as np\nnp.random.default_rng(7)", 0),
        (rules.RANDOM, "controller/odds/x.py", "import random", 1),
        (rules.RANDOM, "tests/x.py", "import secrets", 0),
        (rules.PACKAGE, "controller/core/x.py", "import numpy", 1),
        (rules.PACKAGE, "controller/odds/x.py", "import numpy", 0),
        (rules.PACKAGE, "display/x.py", "from fastapi import FastAPI", 1),
        (rules.PACKAGE, "drivers/x.py", "import asyncio, drivers.events", 0),
        (rules.EXCEPT, "drivers/x.py", "try: pass\nexcept Exception: pass", 1),
        (rules.EXCEPT, "drivers/x.py", "try: pass\nexcept (OSError, BaseException): pass", 1),
        (rules.EXCEPT, "drivers/x.py", "try: pass\nexcept: pass", 1),
        (rules.EXCEPT, "drivers/x.py", "with contextlib.suppress(Exception): pass", 1),
        (rules.EXCEPT, "drivers/x.py", "try: pass\nexcept OSError: pass", 0),
        (rules.EXCEPT, "drivers/x.py", "try: pass\nexcept BaseException:\n    port.close()\n    raise", 0),
        (rules.EXCEPT, "drivers/x.py", "try: pass\nexcept Exception as error:\n    raise KeyError from error", 1),
        (rules.UNFINISHED_WORK, "drivers/x.py", "raise NotImplementedError", 1),
        (rules.UNFINISHED_WORK, "drivers/x.py", "# TO" + "DO: later", 1),
        (rules.UNFINISHED_WORK, "drivers/x.py", "try: pass\nexcept NotImplementedError: pass", 0),
        (rules.UNFINISHED_WORK, "drivers/x.py", "# todo el pozo", 0),
        (rules.IGNORES, "drivers/x.py", f"x = y  {IGNORE}", 1),
        (rules.IGNORES, "drivers/x.py", f"x = y  {IGNORE}[attr-defined]", 1),
        (rules.IGNORES, "drivers/x.py", f"x = y  {IGNORE}[attr-defined]  # the stubs lack it", 0),
        (rules.DOCSTRING, "drivers/x.py", "x = 1", 1),
        (rules.DOCSTRING, "drivers/x.py", '"""What lives here."""', 0),
        (rules.VAGUE_NAME, "drivers/utils.py", "", 1),
        (rules.VAGUE_NAME, "drivers/resync.py", "", 0),
    ],
)
def test_a_rule_catches_what_it_bans(rule: Rule, path: str, source: str, caught: int) -> None:
    assert len(list(rule.find(path, parsed(source, path), source))) == caught


def test_modules_are_short_or_say_why_not() -> None:
    lengths = {path: len(text(path).splitlines()) for path in PRODUCT_FILES}
    long = {path for path, lines in lengths.items() if lines > MAXIMUM_LINES}
    assert long == set(), "split them"


def test_nothing_is_kept_that_nothing_uses() -> None:
    pages = [text(path) for path in committed() if path.split("/")[0] in PRODUCT and path.endswith((".html", ".js"))]
    modules = {path: tree(path) for path in python_files(*PRODUCT, "scripts")}
    assert unused.unused(modules, pages) == [], "delete it, or move what only tests use to the tests"


def test_a_name_is_used_that_code_a_text_or_a_page_names() -> None:
    source = """
def called(): "kept in prose"
def asked_by_text(): called()
def drawn(): getattr(x, "asked_by_text")
@router.get("/")
def served(): ...
class Kept:
    def prose(self): return Kept
    @property
    def dead(self): ...
"""
    assert unused.unused({"x.py": parsed(source, "x.py")}, ["{{ drawn }}"]) == ["x.py:8: prose", "x.py:10: dead"]


# Spelled in pieces, as this file is held to its own rule.
LEAKS = re.compile(
    "|".join(
        (
            r"(?<![\w.])/wo" r"rk(?:/|\b(?!ing|er|s))",
            r"/tmp/ho" r"use",
            r"/ro" r"ot/",
            r"/ho" r"me/\w",
            r"py" r"pi\.org",
            r"python" r"hosted\.org",
            r"np" r"mjs\.(?:org|com)",
            r"(?:deb|security)\.deb" r"ian\.org",
            r"archive\.ub" r"untu\.com",
            r"crates" r"\.io",
        )
    )
)


@pytest.mark.parametrize(
    ("line", "leaks"),
    [
        ("cd /wo" + "rk/main", True),
        ("read /wo" + "rk", True),
        ("/ho" + "me/ana/carrusel", True),
        ("--index-url https://py" + "pi.org/simple", True),
        ("the network/workers page", False),
        ("/opt/carrusel/venv/bin/carrusel", False),
    ],
)
def test_what_counts_as_a_leak(line: str, leaks: bool) -> None:
    assert bool(LEAKS.search(line)) is leaks


def test_nothing_committed_names_this_machine_or_a_registry() -> None:
    found = []
    for path in committed():
        try:
            lines = text(path).splitlines()
        except UnicodeDecodeError:  # a picture or a font
            continue
        found += [
            f"{path}:{number}: {line.strip()[:100]}" for number, line in enumerate(lines, 1) if LEAKS.search(line)
        ]
    assert not found, "\n" + "\n".join(found)
