"""The files of the house as its rules see them: what git would commit, read and parsed once."""

import ast
import functools
import gc
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PRODUCT = ("controller", "drivers", "display")
PURE = ("controller/core/", "controller/engine/")


@functools.cache
def committed() -> tuple[str, ...]:
    """Paths from the root of everything that is committed or about to be, in order."""
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, check=True, text=True).stdout
    return tuple(sorted(path for path in listed.split("\0") if path and (ROOT / path).is_file()))


def python_files(*rooms: str) -> tuple[str, ...]:
    """Python files, of the given top-level folders only where any are given."""
    files = (path for path in committed() if path.endswith(".py"))
    return tuple(path for path in files if not rooms or path.split("/")[0] in rooms)


@functools.cache
def text(path: str) -> str:
    return (ROOT / path).read_text(encoding="utf-8")


@functools.cache
def tree(path: str) -> ast.Module:
    return parsed(text(path), path)


def parsed(source: str, path: str) -> ast.Module:
    """The tree of a source, with the garbage collector waiting.

    Once, in a run of the whole suite on Python 3.11, a parse ended with "AST constructor recursion depth mismatch";
    code that the collector runs in the middle of it is the likeliest cause.
    """
    collects = gc.isenabled()
    gc.disable()
    try:
        return ast.parse(source, filename=path)
    finally:
        if collects:
            gc.enable()
