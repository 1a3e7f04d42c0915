"""House rules over one file's source: each finds what is banned and names what to write instead."""

import ast
import dataclasses
import re
import sys
from collections.abc import Callable, Iterator

Found = Iterator[tuple[int, str]]

# Room -> third-party packages that it may import. A package is written here when a room starts to need it.
PACKAGES: dict[str, frozenset[str]] = {
    "controller/core": frozenset({"msgspec", "phevaluator"}),
    "controller/engine": frozenset({"msgspec"}),
    "controller/config": frozenset({"numpy", "pydantic", "pydantic_settings"}),
    "controller/settle": frozenset({"msgspec", "pydantic"}),
    "controller/odds": frozenset({"numpy", "phevaluator", "pydantic"}),
    "controller/adapters": frozenset(
        {"aiomqtt", "alembic", "amqtt", "cryptography", "msgspec", "prometheus_client", "psycopg", "sqlalchemy"}
        | {"httpx", "pwdlib", "sqlmodel", "starlette", "structlog", "uvicorn"}
    ),
    "controller/api": frozenset(
        {"argon2", "cryptography", "fastapi", "fontpkg", "fpdf", "jinja2", "markupsafe", "msgspec", "prometheus_client"}
        | {
            "pwdlib",
            "pydantic",
            "pydantic_core",
            "segno",
            "sqlalchemy",
            "sqlmodel",
            "sse_starlette",
            "starlette",
            "structlog",
        }
    ),
    "controller/commands": frozenset({"httpx", "msgspec", "pydantic", "rich", "typer"}),
    "controller": frozenset({"cryptography", "prometheus_client", "rich", "structlog", "typer", "uvicorn"}),
    "drivers": frozenset({"evdev", "serial", "serial_asyncio_fast"}),
    "display": frozenset({"fontpkg", "jinja2", "markupsafe", "segno", "sse_starlette", "starlette", "uvicorn"}),
}
HOUSE = frozenset({"controller", "drivers", "display"})


@dataclasses.dataclass(frozen=True)
class Rule:
    """A ban: what `find` finds in a file, and what to do instead."""

    find: Callable[[str, ast.Module, str], Found]
    instead: str


def imports(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """Line and full name of every absolute import."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.level == 0 and node.module:
            yield node.lineno, node.module


def find_floats(_: str, tree: ast.Module, __: str) -> Found:
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, float | complex):
            yield node.lineno, f"the literal {node.value!r}"
        elif isinstance(node, ast.Name) and node.id in {"float", "complex"}:
            yield node.lineno, node.id


def find_true_division(_: str, tree: ast.Module, __: str) -> Found:
    for node in ast.walk(tree):
        if isinstance(node, ast.BinOp | ast.AugAssign) and isinstance(node.op, ast.Div):
            yield node.lineno, "the operator /"


def find_random(path: str, tree: ast.Module, __: str) -> Found:
    """numpy's generators are for the simulated meters of odds; nothing there decides a draw."""
    if path.startswith("controller/odds/"):
        tree = ast.Module([node for node in ast.walk(tree) if isinstance(node, ast.Import | ast.ImportFrom)], [])
    for line, name in imports(tree):
        if name.split(".")[0] == "random" or name == "numpy.random":
            yield line, f"import {name}"
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and ast.unparse(node) in {"np.random", "numpy.random"}:
            yield node.lineno, ast.unparse(node)


def room_of(path: str) -> str:
    """The longest listed room that holds the file."""
    return max((room for room in PACKAGES if path.startswith(room + "/")), key=len)


def find_unlisted_packages(path: str, tree: ast.Module, _: str) -> Found:
    room = room_of(path)
    for line, name in imports(tree):
        package = name.split(".")[0]
        if package not in sys.stdlib_module_names and package not in HOUSE | PACKAGES[room]:
            yield line, f"import {package} in {room}"


def find_broad_except(_: str, tree: ast.Module, __: str) -> Found:
    """One that ends by raising the same exception again only cleans up, and is let be."""
    broad = {"Exception", "BaseException"}
    for node in ast.walk(tree):
        if isinstance(node, ast.ExceptHandler):
            last = node.body[-1]
            if isinstance(last, ast.Raise) and last.exc is None:
                continue
            names = node.type.elts if isinstance(node.type, ast.Tuple) else [node.type]
            if any(name is None or (isinstance(name, ast.Name) and name.id in broad) for name in names):
                yield node.lineno, "a broad except"
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute | ast.Name):
            called = node.func.attr if isinstance(node.func, ast.Attribute) else node.func.id
            if called == "suppress" and any(isinstance(name, ast.Name) and name.id in broad for name in node.args):
                yield node.lineno, "a broad suppress"


UNFINISHED = re.compile(r"\b(?:TO" r"DO|FIX" r"ME)\b")


def find_unfinished(_: str, tree: ast.Module, source: str) -> Found:
    for number, line in enumerate(source.splitlines(), start=1):
        for match in UNFINISHED.finditer(line):
            yield number, match.group()
    for node in ast.walk(tree):
        if isinstance(node, ast.Raise) and node.exc and "NotImplementedError" in ast.unparse(node.exc):
            yield node.lineno, ast.unparse(node)


def find_unexplained_ignores(_: str, __: ast.Module, source: str) -> Found:
    for number, line in enumerate(source.splitlines(), start=1):
        found = re.search(r"#\s*(?:type:\s*ignore|noqa)\b(.*)", line)
        if found and not re.match(r"(?:\[[\w, -]+\]|: ?[A-Z]+\d+(?:, ?[A-Z]+\d+)*)\s*(?:#|—|-)\s*\w", found.group(1)):
            yield number, found.group().strip()


def find_missing_docstring(_: str, tree: ast.Module, __: str) -> Found:
    if not ast.get_docstring(tree):
        yield 1, "no docstring"


VAGUE = frozenset({"common", "helper", "helpers", "manager", "managers", "misc", "util", "utils"})


def find_vague_name(path: str, _: ast.Module, __: str) -> Found:
    for part in path.removesuffix(".py").split("/"):
        if part in VAGUE:
            yield 1, f"the name {part}"


ROUND = Rule(find_floats, "int micros and basis points; exact ratios are pairs of ints")
DIVIDE = Rule(find_true_division, "// or divmod, beside the line that says who keeps the remainder")
RANDOM = Rule(find_random, "controller.adapters.entropy for draws, hypothesis or a sha256 stream for tests")
PACKAGE = Rule(find_unlisted_packages, "a room that may import it, or a line in PACKAGES of tests/tidy/rules.py")
EXCEPT = Rule(find_broad_except, "the exceptions that can come: DriverError, ConfigError, OSError and so on")
UNFINISHED_WORK = Rule(find_unfinished, "the finished thing, or nothing")
IGNORES = Rule(find_unexplained_ignores, "a code in brackets and then the reason after another #")
DOCSTRING = Rule(find_missing_docstring, "one line that says what lives here")
VAGUE_NAME = Rule(find_vague_name, "the name of the one thing that lives there")
