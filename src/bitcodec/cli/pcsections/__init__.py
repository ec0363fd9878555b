"""`bitcodec pcsections`: PC sections requested, compiled, found again."""

from __future__ import annotations

from bitcodec.cli.declaring import group

__all__ = ["pcsections"]

_COMMANDS = ("attach", "compile", "decode", "lookup", "show", "map", "audit", "lint", "diff")


@group(package=__name__, names=_COMMANDS, short_help="PC sections: attach, compile, decode, look up, map, audit, lint.")
def pcsections() -> None:
    """Record addresses of chosen instructions and functions, with your own data, in an object file, and decode them.

    FILE may be bitcode of any LLVM version, or an object or archive that contains some.

    \b
    Examples:
      bitcodec pcsections attach module.bc --select atomics --section hot -o tagged.bc
      bitcodec pcsections compile tagged.bc -o tagged.o
      bitcodec pcsections decode tagged.o
      bitcodec pcsections lookup program 0x13ef
      bitcodec pcsections map module.bc --html map.html
      bitcodec pcsections audit tagged.bc tagged.o --fail-on lost
      bitcodec pcsections lint program
    """
