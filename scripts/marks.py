"""Which test carries which mark, read from the tests' decorators: `@pytest.mark.article("O-59")` and its like."""

import ast
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parent.parent


def marked(file: Path, mark: str) -> Iterator[tuple[str, str]]:
    """Each name that a test of a file carries by a mark, with the test's own name."""
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            continue
        for decorator in node.decorator_list:
            if isinstance(decorator, ast.Call) and ast.unparse(decorator.func) == f"pytest.mark.{mark}":
                for argument in decorator.args:
                    if isinstance(argument, ast.Constant):
                        yield str(argument.value), node.name


def tests_by_name(mark: str) -> dict[str, list[str]]:
    """`file::test` by what the mark names, over all tests."""
    found: dict[str, list[str]] = {}
    for file in sorted((ROOT / "tests").rglob("test_*.py")):
        for name, test in marked(file, mark):
            found.setdefault(name, []).append(f"{file.relative_to(ROOT)}::{test}")
    return found


def listed(tests: list[str]) -> str:
    """Tests as one cell of a table."""
    return "<br>".join(f"`{test}`" for test in tests)
