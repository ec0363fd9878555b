"""`bitcodec transform`: modules changed as passes of LLVM change them."""

from __future__ import annotations

from bitcodec.cli.declaring import group

__all__ = ["transform"]

_COMMANDS = ("atomic-expand",)


@group(package=__name__, names=_COMMANDS, short_help="Passes of LLVM: atomic-expand.")
def transform() -> None:
    """Change a module as a pass of LLVM 22 does, which the command is named after.

    FILE may be bitcode of any LLVM version, or an object or archive that holds some.

    \b
    Examples:
      bitcodec transform atomic-expand module.bc --target riscv64-linux-gnu --features +a -o expanded.bc
    """
