"""Sections at random, made by `encode`, with what is to be read from them."""

from __future__ import annotations

from typing import NamedTuple

from hypothesis import strategies as st

from bitcodec.ir.context import Context
from bitcodec.ir.pcsections import PCSection, PCSections
from bitcodec.pcsections.decoding.code import CodeFunction
from bitcodec.pcsections.encoding.encode import Address, FunctionEntry, InstructionEntry, Layout, encode
from bitcodec.pcsections.encoding.targets import Target

TARGETS = [
    ("x86_64-linux-gnu", "small"),
    ("x86_64-linux-gnu", "large"),
    ("i386-linux-gnu", None),
    ("aarch64_be-linux-gnu", "small"),
    ("powerpc64-linux-gnu", None),
    ("s390x-linux-gnu", None),
]
WIDTHS = [1, 7, 8, 9, 16, 17, 24, 32, 33, 40, 63, 64, 65, 100, 128]
FUNCTION_SIZE = 0x100
TEXT = 0x10000
FIRST_MARK = 1000


class Row(NamedTuple):
    """What is to be read of a PC: where it is, the size of a function, and types and values of constants."""

    pc: int
    size: int | None
    aux: tuple[tuple[str, int], ...]


class Made(NamedTuple):
    """A section, its address, its schema as text, how it was made, and what is in it."""

    data: bytes
    address: int
    schema: str
    target: Target
    layout: Layout
    functions: list[CodeFunction]
    rows: list[Row]


Constants = tuple[tuple[str, int], ...]


class Node(NamedTuple):
    is_function: bool
    constants: Constants
    pcs: list[int]


def constants() -> st.SearchStrategy[tuple[str, int]]:
    return st.sampled_from(WIDTHS).flatmap(
        lambda width: st.tuples(
            st.just(f"i{width}"),
            st.integers(-(1 << (width - 1)), (1 << (width - 1)) - 1) if width > 1 else st.integers(0, 1),
        )
    )


@st.composite
def nodes(draw: st.DrawFn, function: int) -> list[Node]:
    """What one function asks for: its own entry, if any, and runs of instructions."""
    start = TEXT + FUNCTION_SIZE * function
    found = []
    for is_function in (True, *([False] * draw(st.integers(0, 3)))):
        if is_function and draw(st.booleans()):
            continue
        places = draw(st.sets(st.integers(0, FUNCTION_SIZE - 1), min_size=1, max_size=4))
        pcs = [start] if is_function else [start + place for place in sorted(places)]
        found.append(Node(is_function, tuple(draw(st.lists(constants(), max_size=3))), pcs))
    return found


@st.composite
def made_sections(draw: st.DrawFn, layouts: tuple[Layout, ...] = ("backend", "document")) -> Made:
    """A section whose constants begin with a number of their own, so that there is one reading."""
    target = Target.of(*draw(st.sampled_from(TARGETS)))
    layout = draw(st.sampled_from(layouts))
    spelling = draw(st.sampled_from(["hot", "hot!C"]))
    count = draw(st.integers(1, 4))
    asked = [node for function in range(count) for node in draw(nodes(function))]
    marked = [
        node._replace(constants=(("i32", FIRST_MARK + index), *node.constants)) for index, node in enumerate(asked)
    ]
    address = draw(st.sampled_from([0x9001, 0x20000, 0x40003]))
    return Made(
        _encoded(marked, spelling, target, layout, address),
        address,
        f"{spelling}={'|'.join(map(_kind, marked)) or 'instruction'}",
        target,
        layout,
        [CodeFunction(f"f{index}", TEXT + FUNCTION_SIZE * index, FUNCTION_SIZE) for index in range(count)],
        [row for node in marked for row in _rows(node, layout)],
    )


def _kind(node: Node) -> str:
    fields = ",".join(f"{type_}:{value}" for type_, value in node.constants)
    return f"{'function' if node.is_function else 'instruction'}:{fields}"


def _encoded(found: list[Node], spelling: str, target: Target, layout: Layout, address: int) -> bytes:
    context = Context()
    entries: list[FunctionEntry | InstructionEntry] = []
    for node in found:
        values = [
            context.constants.integer(context.types.integer(int(type_[1:])), value) for type_, value in node.constants
        ]
        wanted = PCSections([PCSection.of(spelling, values)])
        pcs = [Address("text", pc) for pc in node.pcs]
        entries.append(
            FunctionEntry(wanted, pcs[0], FUNCTION_SIZE) if node.is_function else InstructionEntry(wanted, pcs)
        )
    sections = encode(entries, target, layout=layout)
    return sections["hot"].at(address, {"text": 0}) if sections else b""


def _rows(node: Node, layout: Layout) -> list[Row]:
    size = FUNCTION_SIZE if node.is_function else None
    shares = layout == "backend"
    return [
        Row(pc, size, () if shares and index < len(node.pcs) - 1 else node.constants)
        for index, pc in enumerate(node.pcs)
    ]
