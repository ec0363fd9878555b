"""`bitcodec flags`: module flags shown, checked, merged, compared, set."""

from __future__ import annotations

from bitcodec.cli.declaring import group

__all__ = ["flags"]

_COMMANDS = ("show", "check", "merge", "conflicts", "lint", "set", "remove", "explain")


@group(package=__name__, names=_COMMANDS, short_help="Module flags: show, merge, conflicts, set.")
def flags() -> None:
    """Print, check, merge and change the flags of modules (`!llvm.module.flags`).

    FILE may be bitcode of any LLVM version, or an object or archive that contains some.

    \b
    Examples:
      bitcodec flags show module.bc
      bitcodec flags conflicts *.o lib*.a
      bitcodec flags set module.bc 'wchar_size=4' --in-place
    """
