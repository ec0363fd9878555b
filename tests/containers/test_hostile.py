"""Input that lies: a ContainerError or a result, in bounded time and memory, whatever the bytes."""

from __future__ import annotations

import gc
import random
import struct
import time
import tracemalloc
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from amounts import amount
from bitcodec.containers import Findings, find, scan
from bitcodec.errors import ContainerError

from .builders import (
    ARM64,
    BITSTREAM,
    X86_64,
    archive,
    bsd_member,
    coff,
    custom,
    data_section,
    elf,
    gnu_archive,
    linking,
    macho,
    member,
    offload,
    pe,
    segment,
    universal,
    wasm,
)

STRINGS = {"triple": "amdgcn-amd-amdhsa", "arch": "gfx906"}

BUILT = [
    elf((".text", b"...."), (".llvmbc", BITSTREAM)),
    elf((".llvm.lto", BITSTREAM), bits=32, order=">", extended=True),
    macho(("__LLVM,__bitcode", BITSTREAM), ("__LLVM,__remarks", b"RMRK....")),
    macho(("__LLVM,__bitcode", BITSTREAM), bits=32, order=">"),
    coff((".llvm.lto", BITSTREAM), (".llvmbc", BITSTREAM)),
    coff((".llvm.lto", BITSTREAM), big=True, base64=True),
    pe((".llvmbc", BITSTREAM)),
    wasm(custom(".llvmbc", BITSTREAM), data_section(segment(BITSTREAM)), linking(".llvm.lto")),
    offload((STRINGS, BITSTREAM), version=1) * 2,
    offload((STRINGS, BITSTREAM), (STRINGS, elf((".llvmbc", BITSTREAM)))),
    universal((X86_64, BITSTREAM), (ARM64, archive(member(b"a.bc/", BITSTREAM)))),
    universal((X86_64, BITSTREAM), wide=True),
    gnu_archive(("a long name for the table.bc", BITSTREAM), ("b.o", elf((".llvmbc", BITSTREAM)))),
    archive(bsd_member("a.bc", BITSTREAM), bsd_member("b.o", coff((".llvm.lto", BITSTREAM)))),
]

NASTY = [0, 1, 0x7F, 0xFF, 0xFFFF, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF]


def mutated(data: bytes, seed: int) -> bytes:
    """Return `data` cut short, with bits flipped or with numbers overwritten, at places that follow from `seed`."""
    rng = random.Random(seed)
    changed = bytearray(data)
    if rng.random() < 0.1:
        del changed[rng.randrange(4, len(changed)) :]
    for _ in range(rng.choice([1, 1, 2, 5])):
        if rng.random() < 0.3:
            changed[rng.randrange(len(changed))] ^= 1 << rng.randrange(8)
            continue
        size = rng.choice([2, 4, 4, 8])
        number = rng.choice([*NASTY, len(data), rng.randrange(len(data)), rng.getrandbits(64)])
        at = rng.randrange(len(changed))
        number &= (1 << (8 * size)) - 1
        changed[at : at + size] = number.to_bytes(size, rng.choice(["little", "big"]))[: len(changed) - at]
    return bytes(changed)


def outcome(data: bytes) -> Findings | str:
    """Return what was found, or the message of the error, after looking at its form."""
    try:
        return scan(data)
    except ContainerError as error:
        message = str(error)
    assert message.isprintable()
    assert len(message) < 2000
    return message


@pytest.mark.parametrize("index", range(len(BUILT)))
def test_mutations_of_built_files(index: int) -> None:
    data = BUILT[index]
    assert isinstance(outcome(data), Findings)
    for seed in range(amount(120, 2000)):
        outcome(mutated(data, seed))


def test_mutations_of_real_files(corpus: Path) -> None:
    for file in sorted(corpus.iterdir()):
        if file.suffix in {".o", ".obj", ".a", ".lib", ".offload"} or file.name == "universal.bc":
            data = file.read_bytes()
            for seed in range(100):
                outcome(mutated(data, seed))


@pytest.mark.parametrize("data", BUILT)
def test_every_truncation(data: bytes) -> None:
    for size in range(len(data)):
        outcome(data[:size])


@given(st.sampled_from([data[:8] for data in BUILT]), st.binary(max_size=300))
def test_any_bytes_after_a_magic(magic: bytes, rest: bytes) -> None:
    outcome(magic + rest)


@given(st.binary(max_size=100))
def test_any_bytes(data: bytes) -> None:
    outcome(data)


names = st.text(st.characters(codec="ascii", exclude_characters="/#\n\0", categories=["L", "N", "P"]), min_size=1)
bitstreams = st.binary(max_size=40).map(lambda rest: b"BC\xc0\xde" + rest)


@given(st.lists(st.tuples(names, bitstreams)))
def test_what_goes_into_an_archive_comes_out(contents: list[tuple[str, bytes]]) -> None:
    data = gnu_archive(*contents)
    found = find(data)
    assert [bytes(part.data) for part in found] == [content for _, content in contents]
    assert len({part.path for part in found}) == len(contents)
    for part in found:
        assert part.offset is not None
        assert part.data == data[part.offset : part.offset + len(part.data)]


Boxed = tuple[bytes, list[bytes]]


def boxes(children: st.SearchStrategy[Boxed]) -> st.SearchStrategy[Boxed]:
    """Return containers of the given things, each with the bitstreams that are in it."""
    builders: list[Callable[[list[bytes]], bytes]] = [
        lambda contents: gnu_archive(*((f"{i}.o", content) for i, content in enumerate(contents))),
        lambda contents: elf(*((".llvmbc", content) for content in contents)),
        lambda contents: coff(*((".llvm.lto", content) for content in contents)),
        lambda contents: wasm(*(custom(".llvmbc", content) for content in contents)),
        lambda contents: offload(*((STRINGS, content) for content in contents)),
        lambda contents: universal(*((ARM64, content) for content in contents)),
    ]
    return st.tuples(st.sampled_from(builders), st.lists(children, max_size=3)).map(
        lambda drawn: (drawn[0]([data for data, _ in drawn[1]]), [leaf for _, leaves in drawn[1] for leaf in leaves])
    )


@settings(max_examples=amount(30, 200))
@given(st.recursive(bitstreams.map(lambda data: (data, [data])), boxes, max_leaves=8))
def test_containers_in_containers(boxed: Boxed) -> None:
    data, leaves = boxed
    result = outcome(data)
    if isinstance(result, str):
        assert "nested more than 8 deep" in result
    else:
        assert [bytes(part.data) for part in result.found] == leaves


def many_elf_sections(count: int, size: int) -> bytes:
    """Return an ELF file whose section headers are all the same one."""
    data = elf((".llvmbc", BITSTREAM.ljust(size, b".")))
    rows_end = 64 + 64 * 3
    row = bytearray(data[rows_end - 64 : rows_end])
    shift = 64 * (count - 1)
    row[24:32] = struct.pack("<Q", struct.unpack_from("<Q", row, 24)[0] + shift)
    names = bytearray(data[128:192])
    names[24:32] = struct.pack("<Q", struct.unpack_from("<Q", names, 24)[0] + shift)
    head = bytearray(data[:128])
    head[60:62] = struct.pack("<H", count + 2)
    return bytes(head) + bytes(names) + bytes(row) * count + data[rows_end:]


HEAVY = {
    "sections that are all one": lambda: many_elf_sections(amount(4_000, 50_000), amount(240_000, 3_000_000)),
    "empty sections": lambda: elf(*[(".llvmbc", b"")] * amount(2_000, 20_000)),
    "tiny members": lambda: archive(member(b"a/", BITSTREAM) * amount(2_000, 20_000)),
    "long names that overlap": lambda: archive(
        member(b"//", b"x" * 4000), *(member(b"/%d" % at, BITSTREAM) for at in range(amount(1900, 3900)))
    ),
    "one name for all": lambda: archive(
        member(b"//", b"x" * 4000), *[member(b"/0", BITSTREAM)] * amount(1_500, 10_000)
    ),
    "one section for all": lambda: wasm(custom(".llvmbc", b"") * amount(4_000, 50_000)),
    "zero bytes": lambda: offload() + bytes(amount(5_000_000, 20_000_000)),
}


@pytest.mark.parametrize("case", HEAVY)
def test_work_and_memory_stay_in_proportion(case: str) -> None:
    data = HEAVY[case]()
    tracemalloc.start()
    outcome(data)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    started = time.process_time()
    outcome(data)
    assert peak < 60 * len(data) + 1_000_000
    assert time.process_time() - started < 5


def test_a_refused_file_leaves_no_cycles() -> None:
    """Views in a reference cycle have crashed CPython 3.11 when it was collected."""
    for data in BUILT:
        outcome(data[:-1])
    gc.collect()
    gc.disable()
    try:
        for data in BUILT:
            outcome(data[: len(data) // 2])
        assert gc.collect() == 0
    finally:
        gc.enable()
