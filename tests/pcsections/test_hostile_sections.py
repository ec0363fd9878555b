"""Sections and schemas that nobody would write: clear errors, and memory that goes with their size.

`BITCODEC_SECTION_MUTATIONS` says how many sections are changed; 20,000 take about a minute.
"""

from __future__ import annotations

import os
import random
import resource
import struct

import pytest

from answers import build
from bitcodec.errors import BitcodecError, PCSectionsError
from bitcodec.pcsections.decoding import matching
from bitcodec.pcsections.decoding.code import CodeFunction
from bitcodec.pcsections.decoding.decode import decode, decode_file
from bitcodec.pcsections.schemas.schema import Schema

from .sanitized import SOURCE

CHANGED = int(os.environ.get("BITCODEC_SECTION_MUTATIONS", "600"))
FUNCTIONS = [CodeFunction(f"f{index}", 0x1000 + 0x100 * index, 0x100) for index in range(16)]
ADDRESS = 0x8000
LARGE = 200_000 if matching.COMPILED else 4_000
SCHEMAS = [
    "hot=instruction",
    "hot=instruction:i32",
    "hot=function|instruction:i32:7|instruction:i8",
    "hot!C=function:i32|instruction:i64,i8:3|instruction:i16|instruction",
    "hot=function:5 x i8,ptr|function:double|instruction:i128",
]


def made(source: random.Random) -> bytes:
    """Return a section that is much like one."""
    data = bytearray()
    for _ in range(source.randint(0, 40)):
        data += struct.pack("<i", 0x1000 + source.choice([0, 0x100, source.randint(0, 0x1200)]) - ADDRESS - len(data))
        data += source.choice([b"", b"\0\1\0\0", b"\x80\x02", b"\7\0\0\0", source.randbytes(source.randint(0, 9))])
    for _ in range(source.randint(0, 3) if data else 0):
        data[source.randrange(len(data))] = source.randrange(256)
    return bytes(data)


def file_data() -> list[bytes]:
    """Return an object and a program with sections of the sanitizers."""
    options = "-ffreestanding -O2 -g -Wno-everything -fexperimental-sanitize-metadata=covered,atomics,uar"
    commands = [
        f"clang-22 --target=x86_64-linux-gnu {options} -fdebug-compilation-dir=. -DPART=1 -c hostile.cpp -o hostile.o",
        "ld.lld-22 hostile.o -e main --unresolved-symbols=ignore-all -o hostile",
    ]
    return list(build(commands, {"hostile.cpp": SOURCE}, ["hostile.o", "hostile"]).values())


def check(error: BitcodecError) -> None:
    assert str(error)
    assert "\n" not in str(error)
    assert len(str(error)) < 2000


def test_sections_at_random() -> None:
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    read = 0
    for index in range(CHANGED):
        source = random.Random(index)
        data = made(source)
        try:
            section = decode(
                data,
                ADDRESS,
                source.choice(SCHEMAS),
                pc_size=source.choice([4, 4, 4, 8]),
                byte_order=source.choice(["little", "little", "big"]),
                functions=source.choice([(), FUNCTIONS]),
            )
            assert len(list(section)) == len(section)
            read += 1
        except PCSectionsError as error:
            check(error)
    assert read > CHANGED // 50
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 200 << 10


def test_changed_files() -> None:
    files = file_data()
    read = 0
    for index in range(CHANGED // 4):
        source = random.Random(index)
        data = bytearray(source.choice(files))
        for _ in range(source.randint(1, 8)):
            # Tables of sections and symbols are at the end, headers at the start.
            place = source.choice(
                [source.randrange(64), source.randrange(len(data)), -source.randrange(1, len(data) // 3)]
            )
            data[place] = source.choice([0, 1, 0xFF, source.randrange(256)])
        try:
            decoded = decode_file(bytes(data), lines=index % 8 == 0)
            assert len(list(decoded)) == len(decoded)
            read += 1
        except BitcodecError as error:
            check(error)
    assert read


def outcome(data: bytes, schema: Schema | str) -> str:
    """Return how many readings are told of, or why there is none."""
    try:
        return "several" if decode(data, ADDRESS, schema).is_ambiguous else "one"
    except PCSectionsError as error:
        check(error)
        return "too many" if "there are too many ways to read it" in str(error) else "none"


@pytest.mark.parametrize(
    "schema",
    [
        "hot=instruction:i8",
        "hot=" + "|".join(f"instruction:{size} x i8" for size in range(1, 40)),
        "hot=" + "|".join("instruction:" + ",".join(["i8:0"] * size) for size in range(1, 200)),
        "hot!C=" + "|".join("instruction:" + ",".join(["i64"] * size) for size in range(1, 30)),
        "hot=function:1000 x i8|instruction",
    ],
)
def test_sections_with_a_great_many_readings(schema: str) -> None:
    """What is looked at, and kept, goes with the size of the section, whatever the number of readings."""
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    assert outcome(bytes(LARGE), schema) in {"one", "several", "too many"}
    kilobytes = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
    assert kilobytes << 10 < 1000 * LARGE + (64 << 20)


def test_a_schema_with_many_kinds_is_looked_up() -> None:
    kinds = "|".join(f"instruction:i32:{number},i32" for number in range(20_000))
    schema = Schema.of(f"hot={kinds}")
    data = bytearray()
    for number in range(0, 20_000, 7):
        data += struct.pack("<iII", 0x1000 - ADDRESS - len(data), number, 1)
    section = decode(bytes(data), ADDRESS, schema, functions=FUNCTIONS)
    assert [entry.aux[0].value for entry in section] == list(range(0, 20_000, 7))


def test_numbers_without_an_end() -> None:
    for data in (b"\x80" * 50_000, b"\xff" * 11, b"\x80" * 4 + b"\xff" * 9 + b"\x7f"):
        assert outcome(data, "hot!C=function") == "none"
