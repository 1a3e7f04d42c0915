"""The help of the command line in one language: texts, frames, and the kinds of what is typed."""

from typing import Any

from controller.commands.console_words import language
from controller.config.texts import translated

OPTIONS, COMMAND, USAGE = "[OPTIONS]", "COMMAND [ARGS]...", "Usage: "
"""What the library writes around the texts."""
TITLES = {
    "ARGUMENTS_PANEL_TITLE": "Arguments",
    "OPTIONS_PANEL_TITLE": "Options",
    "COMMANDS_PANEL_TITLE": "Commands",
    "REQUIRED_LONG_STRING": "[required]",
    "DEFAULT_STRING": "[default: {}]",
}
"""The library's names of its frames to what they are called."""
KINDS = {
    "str": "<text>",
    "int": "<number>",
    "int range": "<number>",
    "list[str]": "<text>",
    "path": "<file>",
    "list[path]": "<file>",
    "dir": "<folder>",
    "bool": "",
}
"""The library's kinds of values to what people call them; a switch has none."""


def speak_help(command: Any) -> None:
    """Put the help of a tree of commands into the command's language."""
    command.help = _spoken(command.help)
    command.options_metavar = _spoken(OPTIONS)
    command.context_class = _context_class(command.context_class)
    asks_help = command.get_help_option(command.context_class(command))
    for parameter in (*command.params, *([] if asks_help is None else [asks_help])):
        _speak_parameter(parameter)
    below = getattr(command, "commands", {})
    if below:
        command.subcommand_metavar = _spoken(COMMAND)
    for each in below.values():
        speak_help(each)


def _speak_parameter(parameter: Any) -> None:
    if getattr(parameter, "help", None):
        parameter.help = _spoken(parameter.help)
    if parameter.param_type_name == "argument":
        parameter.metavar = _spoken(parameter.metavar or parameter.name.removesuffix("_file").upper())
    kind = parameter.display_type

    def shown(ctx: Any) -> str | None:
        told = kind(ctx)
        return _spoken(KINDS.get(told[1:-1], told)) or None

    parameter.display_type_rich = shown


def _spoken(text: str) -> str:
    return translated(text, language())


def _context_class(known: Any) -> Any:
    """A command's context that writes `Usage:` in the command's language, and names the frames before it shows help."""

    class Formatter(known.formatter_class):  # type: ignore[misc]  # the library's own class, known when it runs
        def write_usage(self, prog: str, args: str = "", prefix: str | None = None) -> None:
            super().write_usage(prog, args, prefix or _spoken(USAGE))

    class Context(known):  # type: ignore[misc]  # as above
        formatter_class = Formatter

        def get_help(self) -> str:
            _name_frames()
            return str(super().get_help())

    return Context


def _name_frames() -> None:
    """Name the frames of a help text that is about to be shown; the library behind them is slow to load."""
    from typer import rich_utils

    for name, title in TITLES.items():
        setattr(rich_utils, name, _spoken(title))
