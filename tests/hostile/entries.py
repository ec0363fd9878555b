"""Entry points whose results are compared between forms, or which need more than the bytes of one file.

A function takes a `random.Random` and data, and returns pieces of text or bytes that say what came of it.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator

from bitcodec import BitcodecError, asm, bitstream, transforms
from bitcodec.bitcode.loading import loads_all
from bitcodec.bitcode.proving import expected_lines, lines_as_read
from bitcodec.bitcode.saving import dumps
from bitcodec.bitstream import Columns
from bitcodec.bitstream.dump import dump_chunks
from bitcodec.bitstream.names import NO_NAMES
from bitcodec.bitstream.statistics import block_statistics
from bitcodec.containers import open_streams
from bitcodec.diff import differences, unified_diff
from bitcodec.ir import Instruction, Module
from bitcodec.ir.data_layout import DataLayout
from bitcodec.linker import Linker
from bitcodec.symbols import symbols_of
from bitcodec.transforms import Rewriter
from bitcodec.upgrade.data_layout import upgraded_data_layout
from bitcodec.verifier import verify

Pieces = Iterator[str | bytes]
TRIPLES = [
    "x86_64-unknown-linux-gnu",
    "i386-unknown-linux-gnu",
    "aarch64-unknown-linux-gnu",
    "riscv64-unknown-linux-gnu",
    "armv7-unknown-linux-gnueabihf",
    "powerpc64le-unknown-linux-gnu",
    "s390x-unknown-linux-gnu",
    "x86_64-pc-windows-msvc",
    "nonsense-triple",
]
FEATURES = ["", "+cx16", "+lse", "+lse128", "+a", "-a", "+zabha,+zacas", "+outline-atomics", "+nonsense", "junk", ","]
MAX_INSTRUCTIONS = 12


def text_of_modules(_source: random.Random, data: bytes) -> Pieces:
    for module in loads_all(data):
        yield from asm.module_text(module)


def parts_as_text(source: random.Random, data: bytes) -> Pieces:
    """Print parts of modules in any order, each of which materializes what it needs."""
    for module in loads_all(data):
        parts = [*module.globals, *module.named_metadata.values()]
        for _ in range(min(len(parts), 6)):
            yield str(source.choice(parts))
        for function in source.sample(list(module.functions), min(3, len(module.functions))):
            yield from asm.function_assembly(function)


def findings(_source: random.Random, data: bytes) -> Pieces:
    for module in loads_all(data):
        for finding in verify(module):
            yield str(finding)


def symbols(_source: random.Random, data: bytes) -> Pieces:
    for symbol in symbols_of(*loads_all(data)):
        yield f"{symbol.letter} {symbol.name}"


def dump(_source: random.Random, data: bytes) -> Pieces:
    for found in open_streams(memoryview(data)):
        columns = found.stream.decode()
        yield from dump_chunks(found.stream.payload, columns, table=NO_NAMES)
        yield str(columns.error)


def columns(_source: random.Random, data: bytes) -> Pieces:
    """Decode, and encode again what was decoded."""
    stream = bitstream.loads(data)
    decoded = stream.decode()
    yield from _bytes_of(decoded)
    yield str(decoded.error)
    yield repr(block_statistics(decoded))
    if decoded.error is None:
        again = bitstream.loads(bitstream.encode(stream.payload, decoded)).decode()
        assert again.operands.tobytes() == decoded.operands.tobytes(), "what was encoded has other operands"
    yield stream.edit().dumps()


def _bytes_of(decoded: Columns) -> Iterator[bytes]:
    for table in (decoded.blocks, decoded.records, decoded.blobs, decoded.definitions):
        for name in table.__match_args__:
            yield getattr(table, name).tobytes()
    yield decoded.operands.tobytes()


def written(source: random.Random, data: bytes) -> Pieces:
    """Write modules, read them again, and compare the texts: what was written must say the same."""
    for module in loads_all(data):
        copies = source.random() < 0.5
        if source.random() < 0.5:
            module.materialize()
        file = dumps(module, copies_unchanged=copies)
        yield file
        try:
            lines = lines_as_read(module)
        except BitcodecError:
            continue  # unread parts are copied with their faults
        try:
            again = "".join(map(str, loads_all(file)))
        except BitcodecError as error:
            raise AssertionError(f"what was written cannot be read: {error}") from error
        assert expected_lines(again) == lines, "what was written says something else"


def diff(source: random.Random, data: bytes, other: bytes) -> Pieces:
    pair = [data, other] if source.random() < 0.5 else [other, data]
    for before, after in zip(*map(loads_all, pair), strict=False):
        for difference in differences(before, after):
            yield f"{difference.change} {difference.category} {difference.name}"
            yield from unified_diff(difference, source.randrange(4))


def expanded(source: random.Random, data: bytes) -> Pieces:
    triple, features = source.choice(TRIPLES), source.choice(FEATURES)
    for module in loads_all(data):
        try:
            DataLayout(upgraded_data_layout(str(module.data_layout), triple))
        except ValueError:
            continue  # neither LLVM nor bitcodec reads a module of that target with that layout
        transforms.expand_atomics(module, triple, features=features.split(",") if features else ())
        yield from _written_and_read(module)


def rewritten(source: random.Random, data: bytes) -> Pieces:
    """Do what a rewriter can to instructions chosen at random, then write."""
    for module in loads_all(data):
        rewriter = Rewriter()
        for function in list(module.functions)[:5]:
            for _ in range(3):
                # What begins and ends blocks has to stay there.
                instructions = [
                    each for each in function.instructions if not each.is_terminator and each.opcode != "phi"
                ]
                if instructions:
                    _rewrite(rewriter, source, instructions)
        yield from _written_and_read(module)


def _rewrite(rewriter: Rewriter, source: random.Random, instructions: list[Instruction]) -> None:
    one, two = source.choice(instructions), source.choice(instructions)
    verbs: list[Callable[[], object]] = [
        lambda: rewriter.replace(one, rewriter.duplicate(one)),
        lambda: rewriter.duplicate(one, two),
        lambda: rewriter.merge(one, two, moves=source.random() < 0.5),
        lambda: rewriter.hoist(one, two),
        lambda: rewriter.erase(one),
    ]
    try:
        source.choice(verbs)()
    except (ValueError, TypeError):
        return  # documented: the instructions are not such as the verb takes


def stripped(source: random.Random, data: bytes) -> Pieces:
    for module in loads_all(data):
        for verb in source.sample(_STRIPPING, source.randrange(1, 4)):
            verb(module)
        yield from _written_and_read(module)


def linked(source: random.Random, data: bytes) -> Pieces:
    """Link modules, with bodies that stay records or are read; one function of them is read before it is written."""
    linker = Linker(reads_bodies=source.random() < 0.2)
    linker.add(data)
    module = linker.finish()
    defined = [function for function in module.functions if not function.is_declaration]
    if defined and source.random() < 0.5:
        source.choice(defined).materialize()
    yield from _written_and_read(module)


def _extract_first(module: Module) -> None:
    names = [function.name for function in module.functions if function.name and not function.is_declaration]
    if names:
        transforms.extract_functions(module, names[:1], recursive=True)


_STRIPPING: list[Callable[[Module], object]] = [
    transforms.strip_debug_info,
    transforms.strip_names,
    lambda module: transforms.strip_metadata(module, ["tbaa", "prof", "srcloc", "nonsense"]),
    _extract_first,
]


def _written_and_read(module: Module) -> Pieces:
    file = dumps(module)
    yield file
    try:
        module.materialize()
    except BitcodecError:
        return  # unread parts are copied with their faults
    try:
        for again in loads_all(file):
            yield str(again)
    except BitcodecError as error:
        raise AssertionError(f"what was written cannot be read: {error}") from error


def arrow(_source: random.Random, data: bytes) -> Pieces:
    try:
        tables = bitstream.loads(data).to_arrow()
    except ImportError:
        return
    for table in tables:
        yield str(table.num_rows)


Entry = Callable[[random.Random, bytes], Pieces]

OF_FILES: list[tuple[int, Entry]] = [(5, text_of_modules), (4, dump), (4, columns), (2, parts_as_text), (1, arrow)]
"""With how often each is chosen."""

OF_MODULES: list[tuple[int, Entry]] = [
    (4, findings),
    (6, written),
    (2, symbols),
    (2, expanded),
    (4, rewritten),
    (3, stripped),
    (4, linked),
]
