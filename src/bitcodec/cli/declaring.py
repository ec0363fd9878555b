"""Declarations of commands and groups: converted to click's, with a quick way past click.

A command line that is plainly right is read here, which saves a small job the time of importing click and of declaring
options to it.  All else (help, errors, joined options) is left to click, which takes the same declarations.
"""

from __future__ import annotations

import functools
import os
from typing import TYPE_CHECKING, Any

from bitcodec.cli.problems import UsageError, show_usage_error
from bitcodec.files import STANDARD_INPUT, has_stream
from bitcodec.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    import click

__all__ = ["Command", "CommandGroup", "IntRange", "Parameter", "WordChoice", "argument", "command", "group", "option"]

_PARAMETERS = "__bitcodec_parameters__"
_FILE_METAVARS = ("FILE", "DIR", "MODULE|", "BEFORE", "AFTER")
"""How help calls names of files."""
_OR_STREAM = "or_standard_input"
_UNDERSTOOD = {
    "default", "help", "is_flag", "metavar", "multiple", "nargs", _OR_STREAM, "required", "show_default", "type",
}  # fmt: skip
"""Settings that this module supports; a command with others is left to click."""


class WordChoice(NamedTuple):
    """The type of an option that takes one of several words."""

    words: tuple[str, ...]

    def of(self, text: str) -> str | None:
        """Return the value of a text, None if the text is invalid."""
        return text if text in self.words else None

    def for_click(self) -> Any:
        """Return click's type."""
        import click  # noqa: PLC0415 - imported for help and errors only, here and below

        return click.Choice(self.words)


class IntRange(NamedTuple):
    """The type of an option that takes a number, bounds included."""

    least: int
    most: int | None = None

    def of(self, text: str) -> int | None:
        """Return the value of a text, None if the text is invalid."""
        if not (text.isascii() and text.isdigit()):
            return None
        number = int(text)
        return number if self.least <= number and (self.most is None or number <= self.most) else None

    def for_click(self) -> Any:
        """Return click's type, with a message that names the range for texts that are not numbers, too."""
        import click  # noqa: PLC0415

        bounds = f", {self.least} or more" if self.most is None else f" from {self.least} to {self.most}"

        class Range(click.IntRange):
            def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
                try:
                    return super().convert(value, param, ctx)
                except click.BadParameter:
                    self.fail(f"expected a number{bounds}, got {str(value)!r}", param, ctx)

        return Range(self.least, self.most)


class Parameter(NamedTuple):
    """An option or an argument.

    Attributes:
        spellings: of an option; the name of an argument.
        settings: as click has them, but for the type.
        is_option: whether it is an option.
    """

    spellings: tuple[str, ...]
    settings: dict[str, Any]
    is_option: bool

    @property
    def name(self) -> str:
        """The parameter of the function that takes its value."""
        plain = [each for each in self.spellings if not each.startswith("-")]
        long = [each for each in self.spellings if each.startswith("--")]
        return (plain + long + [*self.spellings])[0].lstrip("-").replace("-", "_").lower()

    @property
    def default(self) -> Any:
        """Its value if it is not given."""
        if self.settings.get("is_flag"):
            return False
        return () if self.settings.get("multiple") else self.settings.get("default")

    @property
    def is_understood(self) -> bool:
        """Whether it can be read here."""
        default, type_ = self.settings.get("default"), self.settings.get("type")
        is_plain = (
            default is None or (isinstance(default, str) and type_ is None) or isinstance(type_, WordChoice | IntRange)
        )
        is_single = default is None or not (self.settings.get("is_flag") or self.settings.get("multiple"))
        is_plain = is_plain and (self.is_option or type_ is None)  # types of arguments are left to click
        is_there = self.is_option or self.settings.get("required", True) or self.settings.get("nargs") == -1
        return self.settings.keys() <= _UNDERSTOOD and is_plain and is_single and is_there

    @property
    def may_be_stream(self) -> bool:
        """Whether it is an argument that standard input replaces if it is not given."""
        return bool(self.settings.get(_OR_STREAM))

    @property
    def is_file_name(self) -> bool:
        """Whether its value is the name of a file, or of a folder."""
        metavar = self.settings.get("metavar") or ("" if self.is_option else self.name.upper())
        return "type" not in self.settings and (metavar.startswith(_FILE_METAVARS) or metavar in {"A", "B"})

    def value(self, text: str) -> Any:
        """Return the value of a text, None if the text is invalid."""
        type_ = self.settings.get("type")
        return text if type_ is None else type_.of(text)

    def declare(self, function: Callable[..., Any]) -> Callable[..., Any]:
        """Declare it to click."""
        import click  # noqa: PLC0415

        settings = dict(self.settings)
        if settings.pop(_OR_STREAM, False):
            from bitcodec.cli.file_names import FileOrStream  # noqa: PLC0415

            settings["cls"] = FileOrStream
        if self.is_file_name:
            from bitcodec.cli.file_names import FileName  # noqa: PLC0415

            settings["type"] = FileName(is_folder=settings.get("metavar") == "DIR")
        elif isinstance(settings.get("type"), WordChoice | IntRange):
            settings["type"] = settings["type"].for_click()
        return (click.option if self.is_option else click.argument)(*self.spellings, **settings)(function)


def option(*spellings: str, **settings: Any) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Return a decorator that gives a command an option; the settings are click's."""
    return _recorder(Parameter(spellings, settings, is_option=True))


def argument(name: str, **settings: Any) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Return a decorator that gives a command an argument.

    Args:
        name: of the parameter of the function.
        settings: click's; and `or_standard_input`, of the only argument of a command: whether it is `-` if it is not
            given and standard input is not a terminal.
    """
    return _recorder(Parameter((name,), settings, is_option=False))


def _recorder(parameter: Parameter) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    def record(function: Callable[..., Any]) -> Callable[..., Any]:
        vars(function).setdefault(_PARAMETERS, []).insert(0, parameter)
        return function

    return record


class Command:
    """A command, made by `command`.

    Attributes:
        function: called with the values of the parameters.
        parameters: options and arguments, in the order of `--help`.
    """

    def __init__(self, function: Callable[..., Any], settings: dict[str, Any], *, passes_context: bool = False) -> None:
        self.function = function
        self.parameters: list[Parameter] = vars(function).get(_PARAMETERS, [])
        self._settings = settings
        self._passes_context = passes_context

    @functools.cached_property
    def click_command(self) -> click.Command:
        """The command as click has it."""
        import click  # noqa: PLC0415

        function = _with_click_errors(self.function)
        if self._passes_context:
            function = click.pass_context(function)
        for parameter in reversed(self.parameters):
            function = parameter.declare(function)
        made: click.Command = click.command(**self._settings)(function)
        return made

    def read(self, texts: Sequence[str]) -> dict[str, Any] | None:
        """Return the values of the parameters, None if the texts are not plainly right."""
        if self._passes_context or "cls" in self._settings or not all(each.is_understood for each in self.parameters):
            return None
        options = {spelling: each for each in self.parameters if each.is_option for spelling in each.spellings}
        values = {each.name: each.default for each in self.parameters}
        given: set[str] = set()
        positional = []
        pending = iter(texts)
        for text in pending:
            if not text.startswith("-") or text == "-":
                positional.append(text)
                continue
            spelling, equals, rest = text.partition("=") if text.startswith("--") else (text, "", "")
            found = options.get(spelling)
            if found is None or (equals and found.settings.get("is_flag")):
                return None
            value = True if found.settings.get("is_flag") else found.value(rest if equals else next(pending, ""))
            if value is None or value == "" or (isinstance(value, str) and value[0] == "-" != value):
                return None
            values[found.name] = (*values[found.name], value) if found.settings.get("multiple") else value
            given.add(found.name)
        if any(each.settings.get("required") and each.name not in given for each in options.values()):
            return None
        if not positional and any(each.may_be_stream for each in self.parameters) and has_stream():
            positional = [STANDARD_INPUT]
        return values if "" not in positional and self._take(positional, values) else None

    def _take(self, positional: list[str], values: dict[str, Any]) -> bool:
        """Give arguments their values, and return whether there are as many as the command takes."""
        arguments = [each for each in self.parameters if not each.is_option]
        several = [each for each in arguments if each.settings.get("nargs") == -1]
        left = len(positional) - len(arguments) + len(several)
        if left < sum(bool(each.settings.get("required")) for each in several) or (left and not several):
            return False
        for each in arguments:
            count = left if each in several else 1
            taken, positional = positional[:count], positional[count:]
            values[each.name] = tuple(taken) if each in several else taken[0]
        return True


def command(*, passes_context: bool = False, **settings: Any) -> Callable[[Callable[..., Any]], Command]:
    """Return a decorator that makes a command of a function.

    Args:
        passes_context: whether click's context is the first argument; such a command always needs click.
        settings: as `click.command` has them.
    """
    return lambda function: Command(function, settings, passes_context=passes_context)


class CommandGroup:
    """A group of commands, each in a file with its name.  Made by `group`.

    Attributes:
        package: the package that the files are in.
        names: of the commands, in the order of `--help`.
    """

    def __init__(
        self, function: Callable[..., Any], package: str, names: Sequence[str], settings: dict[str, Any]
    ) -> None:
        self._function = function
        self.package = package
        self.names = names
        self._settings = settings

    @functools.cached_property
    def click_command(self) -> click.Command:
        """The group as click has it."""
        import click  # noqa: PLC0415

        from bitcodec.cli.lazy import LazyGroup  # noqa: PLC0415

        function = self._function
        for parameter in reversed(vars(function).get(_PARAMETERS, [])):
            function = parameter.declare(function)
        made: click.Command = click.group(cls=LazyGroup, declared=self, **self._settings)(function)
        return made

    def find(self, name: str) -> Command | CommandGroup | None:
        """Return a command or a group inside, None if no member has that name."""
        if name not in self.names:
            return None
        from importlib import import_module  # noqa: PLC0415
        from keyword import iskeyword  # noqa: PLC0415

        attribute = name.replace("-", "_")
        if iskeyword(attribute):
            attribute += "_"
        found = getattr(import_module(f"{self.package}.{attribute}"), attribute)
        return found if isinstance(found, Command | CommandGroup) else None

    def run_plainly(self, program: str, texts: Sequence[str]) -> bool:
        """Run the command that texts name, if they are plainly right; return whether they are."""
        if os.name == "nt" or f"_{program.upper()}_COMPLETE" in os.environ:
            return False  # click expands patterns there, and completes words for shells
        if any(text.startswith("@") for text in texts):
            return False  # arguments in files are taken from them there
        path: list[CommandGroup] = []
        found: Command | CommandGroup | None = self
        while isinstance(found, CommandGroup):
            path.append(found)
            found = found.find(texts[len(path) - 1]) if len(texts) >= len(path) else None
        values = None if found is None else found.read(texts[len(path) :])
        if found is None or values is None:
            return False
        try:
            found.function(**values)
        except UsageError as error:
            show_usage_error(str(error), " ".join((program, *texts[: len(path)])))
            raise SystemExit(UsageError.exit_code) from error
        return True


def group(*, package: str, names: Sequence[str], **settings: Any) -> Callable[[Callable[..., Any]], CommandGroup]:
    """Return a decorator that makes a group of a function.

    Args:
        package: the package that the files of the commands are in.
        names: of the commands, in the order of `--help`.
        settings: as `click.group` has them.
    """
    return lambda function: CommandGroup(function, package, names, settings)


def _with_click_errors(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function that raises click's usage error instead of this package's."""
    import click  # noqa: PLC0415

    @functools.wraps(function)
    def call(*arguments: Any, **values: Any) -> Any:
        try:
            return function(*arguments, **values)
        except UsageError as error:
            raise click.UsageError(str(error)) from error

    return call
