"""Instructions and debug records of the corpus' older files, against what llvm-dis 22 prints of them."""

from __future__ import annotations

import gzip
import re

import pytest

import bitcodec
import corpus
from bitcodec.ir.debug_records import DbgLabelRecord, DebugRecord
from bitcodec.ir.module import Module

_WORDS = ("upgrade", "arm", "aarch64", "objc", "arc", "intrinsic", "apple-clang", "dbg", "debug-info")
_RECORD = re.compile(r" +#(\w+)\(")
_INSTRUCTION = re.compile(r"  (?:%[^=]+ = )?(?:(?:tail|musttail|notail) )?(\w+)\b")
_FUNCTION = re.compile(r"define .*@(?P<name>[\w.$]+|\"[^\"]*\")\(")


def files() -> list[corpus.File]:
    return [
        file
        for file in corpus.accepted_streams()
        if file.path.startswith("legacy/") and file.path.endswith(".bc") and any(word in file.name for word in _WORDS)
    ]


def bodies_of_golden(file: corpus.File) -> dict[str, list[str]]:
    """Return opcodes and records of each function, in order."""
    text = gzip.decompress((corpus.FOLDER / f"{file.path}.ll.gz").read_bytes()).decode(errors="surrogateescape")
    bodies: dict[str, list[str]] = {}
    body: list[str] = []
    for line in text.splitlines():
        definition = _FUNCTION.match(line)
        found = _RECORD.match(line) or _INSTRUCTION.match(line)
        if definition is not None:
            body = bodies.setdefault(definition["name"].strip('"'), [])
        elif found is not None:
            body.append(found[1])
    return bodies


def bodies(module: Module) -> dict[str, list[str]]:
    """Return the same of a module as we have it."""
    found: dict[str, list[str]] = {}
    for function in module.functions:
        if not function.is_declaration:
            body = found[function.name] = []
            for instruction in function.instructions:
                body += [*map(kind_of, instruction.debug_records), instruction.opcode]
    return found


def kind_of(record: DebugRecord) -> str:
    return "dbg_label" if isinstance(record, DbgLabelRecord) else record.kind.spelling


@pytest.mark.parametrize("file", corpus.parameters(files()))
def test_bodies(file: corpus.File) -> None:
    module = bitcodec.loads(file.data)
    module.materialize()
    assert bodies(module) == bodies_of_golden(file)
