"""`bitcodec flags remove`: flags taken out."""

from __future__ import annotations

from bitcodec.cli.declaring import argument, command
from bitcodec.cli.flags.saving import save_flags
from bitcodec.cli.problems import Failure, reported
from bitcodec.cli.rewriting import only_module, place_options, require_one_place
from bitcodec.cli.tables import short

__all__ = ["remove"]


@command(short_help="Take flags out.")
@argument("file")
@argument("keys", nargs=-1, required=True, metavar="KEY...")
@place_options
def remove(file: str, keys: tuple[str, ...], output: str | None, *, in_place: bool) -> None:
    """Take flags out of the module in FILE, all that have the name KEY, those that require something too.

    \b
    Examples:
      bitcodec flags remove module.bc 'PIE Level' --in-place
      bitcodec flags remove module.bc EnableSplitLTOUnit ThinLTO -o fixed.bc
    """
    require_one_place(file, output, in_place=in_place)
    opened = only_module(file, reads_all=False)
    with reported(file):
        flags = opened.module.flags
        for key in keys:
            numbers = [number for number, flag in flags.entries.items() if flag.key == key]
            if not numbers:
                known = ", ".join(dict.fromkeys(short(flag.key) for flag in flags.entries.values()))
                raise Failure(f"{file}: there is no flag {key!r}; there are {known or 'none'}")
            for number in reversed(numbers):
                flags.remove_entry(number)
    save_flags(opened, output)
