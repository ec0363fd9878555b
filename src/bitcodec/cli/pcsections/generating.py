"""Options of commands that have LLVM generate code."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bitcodec.cli.declaring import WordChoice, option
from bitcodec.cli.problems import warn

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["Said", "generator_options"]


def generator_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command the options `optimize`, `code_model`, `relocation_model` and `triple`."""
    options = (
        option("--optimize", is_flag=True, help="First run LLVM's optimization pipeline of that level."),
        option(
            "--code-model",
            type=WordChoice(("small", "kernel", "medium", "large")),
            help="Default: that of the module, else of the target.",
        ),
        option("--relocation-model", type=WordChoice(("static", "pic")), help="Default: that of the module."),
        option("--target", "triple", metavar="TRIPLE", help="Default: that of the module."),
    )
    for add in reversed(options):
        command = add(command)
    return command


class Said:
    """Prints messages of LLVM as warnings, each line once."""

    def __init__(self, file: str) -> None:
        self._file = file
        self._lines: set[str] = set()

    def __call__(self, line: str) -> None:
        """Take a line."""
        line = line.removeprefix("warning: ").strip()
        if line and line not in self._lines:
            self._lines.add(line)
            warn(f"{self._file}: {line}")
