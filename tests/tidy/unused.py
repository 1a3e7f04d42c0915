"""Dead code: what the product defines and nothing of the product names again. Tests alone keep no code alive."""

import ast
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

PLAIN = frozenset(
    {"asynccontextmanager", "cache", "cached_property", "classmethod", "contextmanager", "dataclass", "final"}
    | {"lru_cache", "override", "property", "runtime_checkable", "staticmethod"}
)
"""Decorators that call nothing. Any other one registers what it decorates: a route, a command, a validator."""

CALLED_BY_OTHERS = {
    "_fields_": "ctypes reads it",
    "_wait_for": "aiomqtt calls it",
    "branch_labels": "alembic reads it",
    "capture_signals": "uvicorn calls it",
    "depends_on": "alembic reads it",
    "down_revision": "alembic reads it",
    "is_newer": "the rule of boards that take the meter from the broker",
    "parse_cards": "the inverse of how cards are written; a hand of a test is a line",
    "power_cycle": "what a person may do to a simulated device",
    "read_tag": "what a person may do to a simulated device",
}
"""Name -> who uses it, where the product does not."""


@dataclass(frozen=True, slots=True)
class Definition:
    """A function, class, method or module's constant."""

    name: str
    line: int


def definitions(tree: ast.Module) -> Iterator[Definition]:
    """What a module defines, the methods of its classes too; what a decorator registers is left out."""
    for node in tree.body:
        yield from _defined(node)
        if isinstance(node, ast.Assign | ast.AnnAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            yield from (Definition(each.id, node.lineno) for each in targets if isinstance(each, ast.Name))


def _defined(node: ast.stmt) -> Iterator[Definition]:
    if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        return
    if all(_decorator(each) in PLAIN for each in node.decorator_list):
        yield Definition(node.name, node.lineno)
    if isinstance(node, ast.ClassDef):
        for inner in node.body:
            yield from _defined(inner)


def _decorator(node: ast.expr) -> str:
    called = node.func if isinstance(node, ast.Call) else node
    return called.attr if isinstance(called, ast.Attribute) else getattr(called, "id", "")


def named_in(tree: ast.Module) -> Iterator[str]:
    """Every name that code reads, and every word of its texts that are no docstrings (names asked for by text)."""
    told = {id(node.body[0].value) for node in ast.walk(tree) if _has_docstring(node)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Name | ast.Attribute) and isinstance(node.ctx, ast.Load):
            yield node.id if isinstance(node, ast.Name) else node.attr
        elif isinstance(node, ast.alias) and node.asname is not None:
            yield node.name
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in told:
            yield from words_of(node.value)


def _has_docstring(node: ast.AST) -> bool:
    documented = ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef
    return isinstance(node, documented) and ast.get_docstring(node, clean=False) is not None


def words_of(text: str) -> Iterable[str]:
    return re.findall(r"\w+", text)


def unused(modules: dict[str, ast.Module], pages: Iterable[str]) -> list[str]:
    """Places of what no module and no page (template, script) names."""
    named = {name for tree in modules.values() for name in named_in(tree)}
    named |= {word for page in pages for word in words_of(page)}
    return [
        f"{path}:{each.line}: {each.name}"
        for path, tree in modules.items()
        for each in definitions(tree)
        if each.name not in named | CALLED_BY_OTHERS.keys() and not each.name.startswith("__")
    ]
