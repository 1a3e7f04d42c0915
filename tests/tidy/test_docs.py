"""What a page tells to open or to type is there: files, folders, links, commands and their options, make's targets."""

import importlib.util
import re
from collections.abc import Iterator
from pathlib import PurePosixPath

import click
import pytest
from typer.main import get_command

from controller.cli import app
from tests.tidy.source_files import ROOT, committed, text

PAGES = tuple(path for path in committed() if path.endswith(".md"))
FILES = frozenset(committed())
NAMES = frozenset(PurePosixPath(path).name for path in FILES)
FOLDERS = frozenset(str(folder) for path in FILES for folder in PurePosixPath(path).parents)
ROOMS = (*(f"controller/{room}" for room in ("", "adapters/", "api/", "core/", "engine/")), "", "display/")
"""Where a path of a page may begin, besides the page's own folder."""
BEGINNINGS = frozenset(
    folder.removeprefix(room).split("/")[0] for room in ROOMS for folder in FOLDERS if folder.startswith(room)
)
CODE = re.compile(r"`([^`\n]+)`|^ {4,}(\S.*)$", re.MULTILINE)
FILE_NAME = re.compile(r"[\w*-]+(?:\.[\w-]+)*\.(?:py|md|toml|js|css|html|json|yaml|lock|service|rules|conf)")
PATH = re.compile(r"[\w.*-]+(?:/[\w.*-]+)+/?")
ELSEWHERE = frozenset({"board.py", "carrusel.toml", "postgresql.conf"})
"""Names of files that a site has or makes for itself; a name in capitals is a blank to fill in."""


def code_of(page: str) -> Iterator[str]:
    """What a page sets as code: between backticks, or indented as a block."""
    for inline, block in CODE.findall(text(page)):
        yield inline or block


def words_of(code: str) -> Iterator[str]:
    """Its words, a placeholder as a star, alternatives in braces one by one."""
    for word in re.split(r"[\s,]+(?![^{]*\})", re.sub(r"<\w+>\*?", "*", code)):
        choice = re.fullmatch(r"(.*)\{([\w,-]+)\}(.*)", word)
        yield from (f"{choice[1]}{each}{choice[3]}" for each in choice[2].split(",")) if choice else (word,)


def is_there(page: str, word: str) -> bool:
    if "/" not in word:
        return word in NAMES | ELSEWHERE or any(PurePosixPath(name).match(word) for name in NAMES)
    rooms = (*ROOMS, f"{PurePosixPath(page).parent}/")
    wanted = [PurePosixPath(f"{room}{word}{end}") for room in rooms for end in ("", ".py")]
    return any(str(path) in FILES | FOLDERS or any(ROOT.glob(str(path))) for path in wanted)


def missing(page: str) -> list[str]:
    found = []
    for code in code_of(page):
        for word in words_of(code):
            is_path = PATH.fullmatch(word) and word.split("/")[0] in BEGINNINGS
            is_blank = any(part.isupper() for part in word.split(".")[:-1]) and word not in NAMES
            if (is_path or FILE_NAME.fullmatch(word)) and not is_blank and not is_there(page, word):
                found.append(word)
    return found


@pytest.mark.parametrize("page", PAGES)
def test_every_file_that_a_page_names_exists(page: str) -> None:
    assert missing(page) == []


@pytest.mark.parametrize("page", PAGES)
def test_every_link_leads_somewhere(page: str) -> None:
    links = [link for link in re.findall(r"\]\(([^)#\s]+)\)", text(page)) if not link.startswith("http")]
    assert [link for link in links if not (ROOT / page).parent.joinpath(link).exists()] == []


def faults_of(typed: str) -> list[str]:
    """What the command line does not know of `carrusel …`: a command, or an option of it."""
    command: click.Command = get_command(app)  # type: ignore[assignment]  # typer brings its own copy of click
    words = typed.split()[1:]
    while words and hasattr(command, "commands"):
        if words[0].startswith("-") or words[0] in {"…", "NAME"}:
            break
        name = words.pop(0).strip("();:")
        if name not in command.commands:
            return [f"no command {name}"]
        command = command.commands[name]
    known = {option for parameter in command.params for option in parameter.opts} | {"--help"}
    return [word for word in words if word.startswith("--") and word.split("=")[0] not in known]


def commands_of(page: str) -> Iterator[str]:
    """Every `carrusel …` that a page types, up to whatever ends a command; `show\\|export` as one each."""
    for code in code_of(page):
        typed = re.match(r"(?:\$ |sudo -u carrusel )?(?:\S*/bin/)?(carrusel [^|;&#>`]*)", code.replace("\\|", "¦"))
        if typed is None:
            continue
        *before, alternatives = re.split(r"(?<=\s)(?=\S*¦)", typed[1], maxsplit=1) if "¦" in typed[1] else [typed[1]]
        first, *rest = alternatives.split(" ", 1)
        yield from (" ".join([*(each.strip() for each in before), each, *rest]) for each in first.split("¦"))


def test_every_command_that_a_page_types_exists() -> None:
    typed = {(page, command) for page in PAGES for command in commands_of(page)}
    assert len(typed) > 20
    assert [(page, command, faults) for page, command in sorted(typed) if (faults := faults_of(command))] == []


@pytest.mark.parametrize("typed", ["carrusel journal sweep t1.db", "carrusel check-config --twice FILE"])
def test_a_command_that_is_not_there_is_found(typed: str) -> None:
    assert faults_of(typed)


def test_every_target_and_module_that_a_page_runs_exists() -> None:
    targets = set(re.findall(r"^(\w+):", text("Makefile"), re.MULTILINE))
    told = [(page, code) for page in PAGES for code in code_of(page)]
    made = {(page, name) for page, code in told for name in re.findall(r"(?:^|\s)make ([a-z]+)", code)}
    run = {(page, name) for page, code in told for name in re.findall(r"python -m ([\w.]+)", code)}
    assert made and run
    assert [(page, name) for page, name in sorted(made) if name not in targets] == []
    assert [(page, name) for page, name in sorted(run) if importlib.util.find_spec(name) is None] == []
