"""Which test carries which mark, read from decorators and `pytestmark`: `pytest.mark.article("O-59")` and its like."""

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parent.parent


@cache
def _marks() -> tuple[tuple[str, str, str], ...]:
    """(mark, name, `file::test`) of every test, in the order of the files."""
    return tuple(
        (mark, name, f"{file.relative_to(ROOT)}::{test}")
        for file in sorted((ROOT / "tests").rglob("test_*.py"))
        for mark, name, test in _marks_of(file)
    )


def _marks_of(file: Path) -> Iterator[tuple[str, str, str]]:
    """Marks of each test, those of its decorators and those of the whole module's `pytestmark`, each once."""
    module = ast.parse(file.read_text(encoding="utf-8"))
    of_all = [
        mark
        for node in module.body
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "pytestmark"
        for value in (node.value.elts if isinstance(node.value, ast.List) else [node.value])
        for mark in _named(value)
    ]
    for node in ast.walk(module):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name.startswith("test_"):
            own = [mark for decorator in node.decorator_list for mark in _named(decorator)]
            for mark, name in dict.fromkeys(own + of_all):
                yield mark, name, node.name


def _named(mark: ast.expr) -> Iterator[tuple[str, str]]:
    """("article", "O-59") for `pytest.mark.article("O-59")`; nothing for marks of other shapes."""
    if isinstance(mark, ast.Call):
        called = ast.unparse(mark.func)
        for argument in mark.args:
            if called.startswith("pytest.mark.") and isinstance(argument, ast.Constant):
                yield called.removeprefix("pytest.mark."), str(argument.value)


def shown_by(mark: str) -> dict[str, list[str]]:
    """`file::test` by what a mark of this kind names, over all tests."""
    found: dict[str, list[str]] = {}
    for kind, name, test in _marks():
        if kind == mark:
            found.setdefault(name, []).append(test)
    return found


def listed(tests: list[str]) -> str:
    """Tests as one cell of a table."""
    return "<br>".join(f"`{test}`" for test in tests)
