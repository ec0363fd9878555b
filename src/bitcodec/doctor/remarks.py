"""Remarks on unusual properties of a file."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from bitcodec.bitcode.newer import newer_lines
from bitcodec.bitcode.schema.blocks import SUMMARY_BLOCKS, BlockId
from bitcodec.doctor.keys import ConstructKind, Key
from bitcodec.doctor.rules import OLDEST

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bitcodec.bitcode.summary import ModuleSummary
    from bitcodec.bitstream import Bitstream, Columns
    from bitcodec.doctor.examining import Sighting
    from bitcodec.doctor.findings import Damage

__all__ = ["remarks_on"]

_VERSION = re.compile(r"^LLVM(\d+)")
_OWN = "bitcodec"
_NAMES_IN_STRTAB = 2


def remarks_on(
    stream: Bitstream,
    columns: Columns,
    modules: list[ModuleSummary],
    rejection: str,
    found: dict[Key, Sighting],
    needs: int | None,
    damage: Damage | None,
) -> Iterator[str]:
    """Yield remarks on rare properties.

    Args:
        stream: the bitstream.
        columns: the bitstream, decoded.
        modules: producer and target of each module.
        rejection: the first violation that LLVM 22's verifier reports, "" for none.
        found: the constructs that readers differ in.
        needs: the oldest version that reads everything, None if no version does.
        damage: where it is malformed, None if it is sound.
    """
    if stream.wrapper is not None:
        yield f"a wrapper of {stream.wrapper.offset} bytes is around it, as files of Apple's tools have"
    if rejection:
        yield f"LLVM's verifier rejects it: {rejection}"
    if damage is None and len(stream.trailing):
        yield f"{len(stream.trailing)} bytes follow the last block"
    if len(modules) > 1:
        yield f"it contains {len(modules)} modules: tools that expect one refuse it"
    for module in modules:
        yield from _about_writer(module, needs)
    ids = set(columns.blocks.id)
    if any(block in ids for block in SUMMARY_BLOCKS):
        yield "it contains a ThinLTO summary: llvm-dis and ThinLTO of older versions refuse newer summaries"
    yield from newer_lines(columns, [module.producer for module in modules])
    if damage is not None:
        return  # what it lacks is behind the damage
    if BlockId.STRTAB_BLOCK not in ids and any(module.version >= _NAMES_IN_STRTAB for module in modules):
        yield "it has no string table, so that its symbols have no names"
    if any(key.kind is ConstructKind.SYMBOL_TABLE_OFFSET for key in found):
        yield "its VSTOFFSET record does not lead to its symbol table"


def _about_writer(module: ModuleSummary, needs: int | None) -> Iterator[str]:
    if module.producer is None:
        is_old = module.version < _NAMES_IN_STRTAB
        yield "it does not name its producer" + (", like files of LLVM 3.7 and older" if is_old else "")
        return
    version = _VERSION.match(module.producer)
    if version is None and not module.producer.startswith(_OWN):
        yield f"its producer {module.producer!r} is not a release of LLVM"
    elif version is not None and needs is not None and int(version[1]) < needs > OLDEST:
        yield f"it names LLVM {version[1]} as its producer, but contains constructs of LLVM {needs}"
