"""What threads and interrupted readers do with a module, and what it must say then.

Files are those of `tests/data` and, where it is there, a sample of the corpus; `BITCODEC_READINGS=all` takes all of it,
a number takes as many files.
"""

from __future__ import annotations

import hashlib
import os
import re
from collections import Counter
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import NamedTuple

import bitcodec
import corpus
from bitcodec import diff
from bitcodec.asm import Printer
from bitcodec.errors import BitcodecError
from bitcodec.ir.construction.deferring import read_content
from bitcodec.ir.construction.present import raw_parts
from bitcodec.ir.metadata import MDNode
from bitcodec.ir.module import Module

DATA = Path(__file__).parents[1] / "data"
_SAMPLE = 10
_MOST_BYTES = 200_000
"""Larger files take longer, and have nothing in them that smaller ones have not."""

_HASH = re.compile(r", hash: \([\d, ]*\)")


class Reading(NamedTuple):
    """Something to do with a fresh module.

    Attributes:
        name: of it.
        do: does it, and returns what must be the same whatever was done before or meanwhile.
    """

    name: str
    do: Callable[[Module], object]


def data_files() -> list[Path]:
    """Return the files with one module that come with the tests."""
    return [path for path in sorted(DATA.glob("*.bc")) if _modules(path) == 1]


def files() -> list[Path]:
    """Return the files that are asked for."""
    wanted = os.environ.get("BITCODEC_READINGS", str(_SAMPLE))
    found = sorted((corpus.FOLDER / "modules").rglob("*.bc")) + sorted((corpus.FOLDER / "legacy").rglob("*.bc"))
    found = [path for path in found if path.stat().st_size <= _MOST_BYTES]
    if wanted != "all":
        found = found[:: max(1, len(found) // max(1, int(wanted)))]
    return data_files() + [path for path in found if _modules(path) == 1]


def _modules(path: Path) -> int:
    try:
        return len(bitcodec.open_all(path))
    except BitcodecError:
        return 0


@cache
def expected(path: Path, reading: Reading) -> str | None:
    """Return the digest of a reading in one thread.

    It is None where it depends on what has been read: of old modules, some declarations go away when all is read.
    """
    whole = bitcodec.open(path)
    whole.materialize()
    fresh = digest(reading.do(bitcodec.open(path)))
    is_the_same = fresh == digest(reading.do(whole))
    assert is_the_same or reading.name in ("bodies", "users", "globals", "metadata")
    return fresh if is_the_same else None


def digest(result: object) -> str:
    """Return something short that differs if a result does."""
    return hashlib.sha256(repr(result).encode("utf-8", "surrogateescape")).hexdigest()


def _text(module: Module) -> object:
    return str(module)


def _written(module: Module) -> object:
    return bitcodec.dumps(module, copies_unchanged=False)


def _copied(module: Module) -> object:
    # Which bytes are copied depends on what has been read, but not what they say, beside the hash of the bytes.
    return _HASH.sub("", str(bitcodec.loads(bitcodec.dumps(module), module.identifier)))


def _verified(module: Module) -> object:
    return [str(finding) for finding in bitcodec.verify(module)]


def _flags(module: Module) -> object:
    return [(flag.behavior, flag.key, str(flag.value)) for flag in module.flags.entries.values()]


def _bodies(module: Module) -> object:
    """Walk through bodies, last first, and touch what is read at the first touch."""
    found = []
    for function in reversed(module.functions):
        printer = Printer()
        found.append(str(function.attributes))
        found += [f"{kind} {printer.text_of(node)}" for kind, node in function.metadata.items()]
        found += [f"{argument.name} {len(argument.users)}" for argument in function.arguments]
        for instruction in function.instructions:
            location = instruction.debug_location
            found.append(f"{instruction.name} {instruction.opcode} {len(instruction.debug_records)}")
            found.append("" if location is None else f"{location.line}:{location.column}")
            found += [f"{kind} {printer.text_of(node)}" for kind, node in instruction.metadata.items()]
    return found


def _users(module: Module) -> object:
    """Count users; which user comes first depends on what was read first."""
    return [
        (value.name, sorted(Counter(type(user).__name__ for user in value.users).items()))
        for value in list(module.globals)
    ]


def _globals(module: Module) -> object:
    printer = Printer(module)
    found = [*module.symbol_names, *module.comdats, *module.metadata_kinds]
    found += [printer.text_of(variable) for variable in module.global_variables]
    attached = [pair for value in module.global_variables for pair in value.metadata.items()]
    found += [f"{kind} {type(node).__name__}" for kind, node in attached]
    found += [part.name for part in raw_parts(module)]
    return [*found, module.summary is None]


def _metadata(module: Module) -> object:
    """Walk through all nodes that named metadata leads to."""
    seen: dict[MDNode, None] = {}
    pending = [node for named in module.named_metadata.values() for node in named.operands]
    while pending:
        node = pending.pop()
        if node not in seen:
            seen[node] = None
            read_content(node)
            pending += [operand for operand in node.operands if isinstance(operand, MDNode)]
    return sorted(Counter((type(node).__name__, node.is_distinct) for node in seen).items())


def _compared(module: Module) -> object:
    other = bitcodec.loads(bitcodec.dumps(module), module.identifier)
    return [str(found) for found in diff.differences(module, other)]


TEXT = Reading("str", _text)
READINGS = (
    TEXT,
    Reading("bodies", _bodies),
    Reading("dumps", _written),
    Reading("verify", _verified),
    Reading("users", _users),
    Reading("flags", _flags),
    Reading("globals", _globals),
    Reading("metadata", _metadata),
    Reading("copy", _copied),
    Reading("diff", _compared),
)
