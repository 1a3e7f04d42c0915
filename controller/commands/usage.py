"""The command line's root: its language is settled first, and what is wrong with what was typed is said in it."""

import sys
from collections.abc import Sequence
from io import TextIOWrapper
from typing import Any, NoReturn

import typer
from typer._click import exceptions as wrongs
from typer.core import TyperGroup

from controller.commands.console_words import FINDING, USAGE, asked_for, complain, speak_as, spoken, words
from controller.commands.help_words import speak_help
from controller.config.recognized import recognized
from controller.config.texts import said


class Root(TyperGroup):
    """The tree of commands; typer writes its own errors in English alone, so they are caught and said here."""

    def main(
        self,
        args: Sequence[str] | None = None,
        prog_name: str | None = None,
        complete_var: str | None = None,
        standalone_mode: bool = True,
        windows_expand_args: bool = True,
        **extra: Any,
    ) -> NoReturn:
        """Run a command and end with its exit code, whatever the mode: nobody calls it for its result."""
        for stream in (sys.stdout, sys.stderr):
            if isinstance(stream, TextIOWrapper):
                stream.reconfigure(errors="backslashreplace")  # an odd terminal still gets its answer
        asked_for(None)
        speak_as(None)
        speak_help(self)
        try:
            code = super().main(args, prog_name, complete_var, standalone_mode=False, **extra)
        except wrongs.NoArgsIsHelpError:
            sys.exit(USAGE)  # its help was the answer
        except wrongs.ClickException as wrong:
            _explain(wrong)
            sys.exit(wrong.exit_code)
        except typer.Abort:
            complain(said("interrupted"))
            sys.exit(FINDING)
        except OSError as world:
            if not world.filename and not isinstance(world, PermissionError):
                raise
            complain(world)  # a file or folder that this user may not use, or nobody can
            sys.exit(USAGE)
        sys.exit(code or 0)


def _explain(wrong: wrongs.ClickException) -> None:
    """What is wrong, how the command is written, and where its help is."""
    complain(_reason(wrong))
    context = getattr(wrong, "ctx", None)
    if context is not None:
        print(spoken(context.get_usage()), file=sys.stderr)
        print(words("Help: {command} --help", command=context.command_path), file=sys.stderr)


def _reason(wrong: wrongs.ClickException) -> object:
    """Said where the value was refused by us or by the models; the library's own words otherwise."""
    if not isinstance(wrong, wrongs.BadParameter) or isinstance(wrong, wrongs.MissingParameter):
        return wrong.format_message()
    why = _why(wrong)
    if wrong.param is None:
        return said("Invalid value: {why}", why=why)
    return said("Invalid value for {place}: {why}", place=wrong.param.get_error_hint(), why=why)


def _why(wrong: wrongs.BadParameter) -> str:
    from pydantic import ValidationError

    from controller.config.loader import reason_of

    if isinstance(wrong.__cause__, ValidationError):
        first = wrong.__cause__.errors(include_url=False)[0]
        if wrong.message == first["msg"]:  # the library passes the models' words on
            return reason_of(first)
    return recognized(wrong.message)
