"""`dump --json`: flat lists of blocks and records."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from bits import Bits
from containers.builders import gnu_archive
from corpus import FOLDER, File, accepted_streams, parameters

from .documents import document
from .running import succeed

PLAIN = [
    file for file in accepted_streams() if file.kind in {"pch", "diagnostics", "remarks", "profile", "multi-module"}
]


def streams_of(path: Path) -> list[dict[str, Any]]:
    return list(document(succeed("dump", "--json", path))["streams"])


def test_a_stream_in_words(tmp_path: Path) -> None:
    fields = (9, ("vbr", 6), "blob")
    bits = Bits(b"TEST").enter_block(8, width=4).unabbreviated(300, [1, 2**64 - 1]).define(*fields)
    first = 32 + 64
    second = bits.size
    bits.abbreviated(4, fields, [9, 5], b"\x00hi")
    third = bits.size
    bits.enter_block(70).end_block().end_block()
    path = tmp_path / "a"
    path.write_bytes(bits.stream())
    (stream,) = streams_of(path)
    assert stream == {
        "file": str(path),
        "member": None,
        "kind": "unknown",
        "magic": b"TEST".hex(),
        "bits": bits.size,
        "blocks": [
            {
                "block": 0,
                "id": 8,
                "name": None,
                "parent": None,
                "start": 32,
                "end": bits.size,
                "abbreviation_width": 4,
                "words": bits.size // 32 - 3,
            },
            {
                "block": 1,
                "id": 70,
                "name": None,
                "parent": 0,
                "start": third,
                "end": bits.size - 32,
                "abbreviation_width": 3,
                "words": 1,
            },
        ],
        "records": [
            {
                "block": 0,
                "code": 300,
                "name": None,
                "abbreviation": 3,
                "start": first,
                "end": first + 4 + 12 + 6 + 6 + 78,
                "operands": [1, 2**64 - 1],
            },
            {
                "block": 0,
                "code": 9,
                "name": None,
                "abbreviation": 4,
                "start": second,
                "end": third,
                "operands": [5],
                "blob": b"\x00hi".hex(),
            },
        ],
    }


@pytest.mark.parametrize("file", parameters(PLAIN))
def test_it_says_what_the_text_says(file: File) -> None:
    shown = re.findall(r"^ *<([^/].*?)(?: abbrevid=| op0=|/>)", file.golden_dump().decode("latin-1"), re.MULTILINE)
    (stream,) = streams_of(FOLDER / file.path)
    ids = [block["id"] for block in stream["blocks"]]
    records = [record for record in stream["records"] if ids[record["block"]] != 0]
    names = [record["name"] or f"UnknownCode{record['code']}" for record in records]
    assert names == [name for name in shown if name != "BLOCKINFO_BLOCK"]
    assert ids.count(0) == shown.count("BLOCKINFO_BLOCK")


@pytest.mark.parametrize("file", parameters(PLAIN[::4]))
def test_operands_are_those_of_the_text(file: File) -> None:
    lines = [line for line in file.golden_dump().decode("latin-1").splitlines() if " op" in line and "/>" in line]
    (stream,) = streams_of(FOLDER / file.path)
    ids = [block["id"] for block in stream["blocks"]]
    records = [record for record in stream["records"] if ids[record["block"]] != 0 and record["operands"]]
    for line, record in zip(lines, records, strict=True):
        assert [int(number) for number in re.findall(r" op\d+=(\d+)", line.partition("/>")[0])] == record["operands"]


def test_streams_of_an_archive(small: bytes, tmp_path: Path) -> None:
    path = tmp_path / "lib.a"
    path.write_bytes(gnu_archive(("one.bc", small), ("two.bc", small)))
    assert [(stream["member"], len(stream["records"])) for stream in streams_of(path)] == [("one.bc", 1), ("two.bc", 1)]
