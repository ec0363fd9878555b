"""`bitcodec flags remove`: flags taken out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.cli.declaring import argument, command
from bitcodec.cli.flags.saving import encode_flags
from bitcodec.cli.problems import Failure, reported
from bitcodec.cli.rewriting import modules_to_change, place_options, require_one_place, write_changed
from bitcodec.cli.tables import short

if TYPE_CHECKING:
    from bitcodec.cli.rewriting import Opened

__all__ = ["remove"]


@command(short_help="Remove flags.")
@argument("file")
@argument("keys", nargs=-1, required=True, metavar="KEY...")
@place_options
def remove(file: str, keys: tuple[str, ...], output: str | None, *, in_place: bool) -> None:
    """Remove all flags with the name KEY from the module in FILE, requirements included.

    \b
    Examples:
      bitcodec flags remove module.bc 'PIE Level' --in-place
      bitcodec flags remove module.bc EnableSplitLTOUnit ThinLTO -o fixed.bc
    """
    require_one_place(file, output, in_place=in_place)
    changed = []
    for opened in modules_to_change(file, in_place=in_place, reads_all=False):
        _remove(opened, keys)
        changed.append((opened, encode_flags(opened)))
    write_changed(changed, output)


def _remove(opened: Opened, keys: tuple[str, ...]) -> None:
    from bitcodec.ir.module_flags import flag_key  # noqa: PLC0415 - `--help` need not wait for the model

    file = opened.file
    with reported(file):
        flags = opened.module.flags
        for key in keys:
            named = [flag_key(node) for node in flags.nodes]
            numbers = [number for number, name in enumerate(named) if name == key]
            if not numbers:
                known = ", ".join(dict.fromkeys(short(name) for name in named if name))
                raise Failure(f"{file}: no flag {key!r}; the module has {known or 'none'}")
            for number in reversed(numbers):
                flags.remove_entry(number)
