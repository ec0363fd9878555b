"""`bitcodec flags set`: flags given another value, without compiling again."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.cli.declaring import argument, command, option
from bitcodec.cli.flags.saving import encode_flags
from bitcodec.cli.problems import Failure, UsageError, reported, warn
from bitcodec.cli.rewriting import modules_to_change, place_options, require_one_place, write_changed

if TYPE_CHECKING:
    from collections.abc import Set as AbstractSet

    from bitcodec.cli.rewriting import Opened
    from bitcodec.ir.module import Module
    from bitcodec.ir.module_flags import FlagValue
    from bitcodec.tables.module_flags import Behavior

__all__ = ["set"]

_SPELLED = ("!", "i", "null")


@command(short_help="Set flags.")
@argument("file")
@argument("assignments", nargs=-1, required=True, metavar="KEY=VALUE...")
@option("--behavior", metavar="NAME", help="error, warning, override, append, append-unique, max or min.")
@place_options
def set(file: str, assignments: tuple[str, ...], behavior: str | None, output: str | None, *, in_place: bool) -> None:  # noqa: A001
    """Set flags of the module in FILE; missing flags are added.

    VALUE is a number, a text, or a value as in LLVM assembly: 2, small, i64 7, '!"text"', '!{!"a", i32 3}'.  A number
    gets the type of the previous value, else the known flag's, else i32.  Without --behavior, the behavior is the
    previous one, else the known flag's, else error.

    The version of the file and all other records stay.  If the file has no constant for the new value, the whole module
    is rewritten for LLVM 22, with a warning if another LLVM wrote it.

    \b
    Examples:
      bitcodec flags set module.bc 'PIC Level=1' --in-place
      bitcodec flags set lib.a 'PIC Level=2' --in-place
      bitcodec flags set module.bc wchar_size=4 --behavior warning -o fixed.bc
      bitcodec flags set module.bc 'target-abi=lp64d' 'riscv-isa=!{!"rv64i2p1"}' -o fixed.bc
    """
    require_one_place(file, output, in_place=in_place)
    changed = []
    for opened in modules_to_change(file, in_place=in_place, reads_all=False):
        chosen = None if behavior is None else _behavior(behavior)
        with reported(file):
            keys = {_assign(opened.module, assignment, chosen) for assignment in assignments}
        _warn_of_doubts(opened, keys)
        changed.append((opened, encode_flags(opened)))
    write_changed(changed, output)


def _warn_of_doubts(opened: Opened, keys: AbstractSet[str]) -> None:
    """Warn of values that no compiler would write, and no rule forbids."""
    from bitcodec.flags import lint  # noqa: PLC0415 - `--help` need not wait for it

    for doubt in lint(opened.module.flags):
        if doubt.key in keys:
            warn(f"{opened.file}: {doubt}")


def _assign(module: Module, assignment: str, behavior: Behavior | None) -> str:
    """Set a flag, and return its key."""
    from bitcodec.flags import set_flag  # noqa: PLC0415

    key, equals, text = assignment.partition("=")
    if not equals:
        raise UsageError(f"expected KEY=VALUE, such as wchar_size=4; got {assignment!r}")
    try:
        set_flag(module, key, _value(module, key, text), behavior)
    except ValueError as error:
        raise Failure(f"{assignment}: {error}") from error
    return key


def _value(module: Module, key: str, text: str) -> FlagValue:
    from bitcodec.flags import KNOWN_FLAGS  # noqa: PLC0415
    from bitcodec.flags.parsing import parse_value  # noqa: PLC0415

    row, found = KNOWN_FLAGS.get(key), module.flags.get(key)
    is_text = found.string is not None if found is not None else row is not None and row.type == "string"
    try:
        return text if is_text and not text.startswith("!") else int(text, 0)
    except ValueError:
        if not text.startswith(_SPELLED):
            return text
        try:
            return parse_value(text, module.context)
        except ValueError:
            # A text like `inline-asm` may begin as a type does.
            if text.startswith("!"):
                raise
            return text


def _behavior(name: str) -> Behavior:
    from bitcodec.tables.module_flags import Behavior, behavior_of  # noqa: PLC0415

    try:
        found = behavior_of(name)
    except ValueError:
        found = Behavior.REQUIRE
    if found is Behavior.REQUIRE:
        raise UsageError(f"--behavior {name}: there are error, warning, override, append, append-unique, max and min")
    return found
