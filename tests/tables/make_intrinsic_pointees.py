"""Makes `tables/intrinsic_pointees.txt` by asking the verifiers of LLVM 14 and older.

python -m tests.tables.make_intrinsic_pointees

An intrinsic of LLVM 22 with pointers that such a version refuses is written again with each pointee of the table in
the place of bytes. All readers must be here (`shared/oracles`). `make_intrinsic_history` is to follow.
"""

from __future__ import annotations

import sys
import textwrap
from collections.abc import Mapping
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

import bitcodec.tables
from bitcodec.downgrade.constructs import OPAQUE_POINTERS
from bitcodec.downgrade.pointers import intrinsics
from bitcodec.ir.context import Context
from bitcodec.ir.types import PointerType
from bitcodec.tables.intrinsic_pointees import ELEMENT, POINTER, VALUE
from bitcodec.tables.versions import OLDEST

from .intrinsic_instances import Instance
from .intrinsic_readers import KNOWN, OTHER_FORM, accepted_instances, verdicts

TABLE = Path(bitcodec.tables.__file__).with_name("intrinsic_pointees.txt")
VERSIONS = range(OPAQUE_POINTERS - 1, OLDEST - 1, -1)
POINTEES = ("i64", "i32", VALUE, ELEMENT, POINTER, "i16")
WIDTH = 116
HEAD = """\
# The types that parameters and results of LLVM 22's intrinsics point to before LLVM 15, made by
# tests/tables/make_intrinsic_pointees.py: the newest version that refuses pointers to bytes accepts these.
#
# A pointee (`tables/intrinsic_pointees` explains them) and the names of intrinsics.

"""


def main() -> None:
    context = Context()
    instances = {
        base: some[:1]
        for base, some in accepted_instances(context).items()
        if any(isinstance(part, PointerType) for part in some[0].type.element_types)
    }
    found: dict[str, str] = {}
    for version in VERSIONS:
        left = [each for base, some in instances.items() for each in some if base not in found]
        refused = [each for each, letter in accepted_by(version, left, {}, context).items() if letter == OTHER_FORM]
        for pointee in POINTEES:
            letters = accepted_by(version, refused, dict.fromkeys([each.base for each in refused], pointee), context)
            found |= {each.base: pointee for each, letter in letters.items() if letter == KNOWN}
            refused = [each for each in refused if each.base not in found]
        print(f"LLVM {version}: {len(found)} found, refused: {' '.join(each.base for each in refused)}", flush=True)
    TABLE.write_text(HEAD + "".join(lines(found)), encoding="utf-8")


def accepted_by(
    version: int, instances: list[Instance], pointees: Mapping[str, str], context: Context
) -> dict[Instance, str]:
    """Return the verdicts of a version about intrinsics with some pointees."""
    before = intrinsics.pointees
    intrinsics.pointees = lambda: pointees  # type: ignore[assignment]
    try:
        return verdicts(instances, version, context)
    finally:
        intrinsics.pointees = before


def lines(found: Mapping[str, str]) -> list[str]:
    by_pointee = {pointee: sorted(base for base in found if found[base] == pointee) for pointee in POINTEES}
    return [
        f"{line}\n"
        for pointee, names in by_pointee.items()
        for line in textwrap.wrap(" ".join(names), WIDTH, initial_indent=f"{pointee} ", subsequent_indent=f"{pointee} ")
        if names
    ]


if __name__ == "__main__":
    main()
