"""`bitcodec transform`: modules changed as passes of LLVM change them."""

from __future__ import annotations

from bitcodec.cli.declaring import group

__all__ = ["transform"]

_COMMANDS = ("atomic-expand",)


@group(package=__name__, names=_COMMANDS, short_help="Run a pass of LLVM: atomic-expand.")
def transform() -> None:
    """Run a pass of LLVM 22 on a module.

    FILE may be bitcode of any LLVM version, or an object or archive that contains some.

    \b
    Examples:
      bitcodec transform atomic-expand module.bc --target riscv64-linux-gnu --features +a -o expanded.bc
    """
