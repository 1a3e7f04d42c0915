"""Which test carries which mark, read from the tests' decorators: `@pytest.mark.article("O-59")` and its like."""

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
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            continue
        for decorator in node.decorator_list:
            if not isinstance(decorator, ast.Call):
                continue
            called = ast.unparse(decorator.func)
            for argument in decorator.args:
                if called.startswith("pytest.mark.") and isinstance(argument, ast.Constant):
                    yield called.removeprefix("pytest.mark."), str(argument.value), node.name


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
