"""Which machine instructions came from which IR instructions."""

from __future__ import annotations

import re
from html.parser import HTMLParser

import pytest

import bitcodec
from bitcodec.builder import Builder, add_block, add_function
from bitcodec.errors import PCSectionsError
from bitcodec.ir import Linkage
from bitcodec.pcsections import PCSection
from bitcodec.pcsections.codegen.compiling import compile_module
from bitcodec.pcsections.mapping.html import page
from bitcodec.pcsections.mapping.instruction_map import InstructionMap, MachinePC, MappedInstruction, map_instructions
from bitcodec.pcsections.metadata.attaching import attach
from bitcodec.pcsections.objects.pieces import pieces

from .codegen.test_compiling import TARGETS, needs_llvmlite
from .malformed import node
from .samples import instruction, sample

ROWS = [
    MappedInstruction("f", "%entry", 0, "load", "%a = load i8, ptr %p", ((MachinePC("f", 4),), ())),
    MappedInstruction("f", "%entry", 1, "load", "%b = load i8, ptr %q", ((MachinePC("f", 7), MachinePC("g", 0)),) * 2),
    MappedInstruction("f", "%1", 2, "ret", "ret void", ((), ())),
    MappedInstruction('<f&"', "%1", 0, "store", 'store ptr @"<b>", ptr %p', ((MachinePC("", 1, ".mine"),), ())),
]
MADE = InstructionMap(ROWS, "x86_64-linux-gnu", (0, 2), optimize=False)


def test_tallies() -> None:
    assert {
        opcode: [(each.opt_level, each.instructions, each.with_pcs, each.without_pcs, each.pcs) for each in tallies]
        for opcode, tallies in MADE.tallies().items()
    } == {
        "load": [(0, 2, 2, 0, 3), (2, 2, 1, 1, 2)],
        "ret": [(0, 1, 0, 1, 0), (2, 1, 0, 1, 0)],
        "store": [(0, 1, 1, 0, 1), (2, 1, 0, 1, 0)],
        "all": [(0, 4, 3, 1, 4), (2, 4, 1, 3, 2)],
    }
    assert [tally.percent for tally in MADE.tallies()["load"]] == [100, 50]


def test_lost_and_found() -> None:
    assert list(MADE.lost(0)) == [ROWS[2]]
    assert list(MADE.lost(2)) == [ROWS[0], ROWS[2], ROWS[3]]
    assert MADE.by_pc(2) == {MachinePC("f", 7): [ROWS[1]], MachinePC("g", 0): [ROWS[1]]}
    assert (len(MADE), MADE[1], list(MADE)) == (4, ROWS[1], ROWS)
    assert repr(MADE) == "<InstructionMap of 4 for x86_64-linux-gnu, -O0, -O2>"
    assert [str(pc) for row in ROWS for pc in row.pcs[0]] == ["f+0x4", "f+0x7", "g+0x0", ".mine+0x1"]
    assert str(MachinePC("", 1)) == "?+0x1"


class Page(HTMLParser):
    """What a browser sees: elements still open, texts of PCs, and what would be fetched."""

    VOID = ("meta", "input", "link", "img")

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.chips: list[tuple[str, str]] = []
        self.texts: list[str] = []
        self.fetched: list[str] = []

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        values = dict(attributes)
        self.fetched += [value or "" for name, value in attributes if name in ("src", "href") and value != "#"]
        if tag not in self.VOID:
            self.open.append(tag)
        if values.get("class") == "pc":
            self.chips.append((values["data-pc"] or "", ""))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.open and self.open[-1] == "code":
            self.texts.append(data)
        if self.open and self.open[-1] == "a" and self.chips and not self.chips[-1][1]:
            self.chips[-1] = (self.chips[-1][0], data)


def test_page() -> None:
    text = "".join(page(MADE, title='<script>"a\udcff"'))
    seen = Page()
    seen.feed(text)
    assert (seen.open, seen.fetched) == ([], [])
    assert seen.texts == ["x86_64-linux-gnu", *(row.text for row in ROWS)]
    assert seen.chips == [
        ("0 f 4", "+4"),
        ("0 f 7", "+7"),
        ("0 g 0", "g+0"),
        ("2 f 7", "+7"),
        ("2 g 0", "g+0"),
        ("0 .mine 1", ".mine+1"),
    ]
    assert "<h1>&lt;script&gt;&quot;a\\xff&quot;</h1>" in text
    assert text.count('<tr class=lost data-opcode="ret">') == 1
    assert not re.search(r"https?:|@import|url\(", text)


@needs_llvmlite
@pytest.mark.parametrize("triple", TARGETS)
def test_every_target(triple: str) -> None:
    found = map_instructions(sample(), "stores,fence,loads", triple=triple, opt_levels=(1,))

    stores = [row for row in found if row.opcode == "store"]
    assert [row.text for row in stores] == [
        "store i32 %total, ptr %0, align 4",
        "store atomic i32 %total, ptr %0 release, align 4",
    ]
    pcs = [pc for row in stores for pc in row.pcs[0]]
    assert {pc.symbol for pc in pcs} == {"main"}
    assert all(pc.offset > 0 for pc in pcs)
    assert len(set(pcs)) == len(pcs)


@needs_llvmlite
def test_pcs_are_those_of_the_instructions() -> None:
    """Two functions of one instruction each: their code says where it is."""
    module = sample()
    types = module.context.types
    function = add_function(module, "f", types.function(types.void, []))
    builder = Builder(add_block(function))
    builder.fence("seq_cst")
    builder.unreachable()

    found = map_instructions(module, "f:all", opt_levels=(2,))

    assert [(row.function, row.block, row.number, row.opcode) for row in found] == [
        ("f", "%0", 0, "fence"),
        ("f", "%0", 1, "unreachable"),
    ]
    assert [row.pcs for row in found] == [((MachinePC("f", 0, ".text"),),), ((),)]


@needs_llvmlite
def test_the_module_stays_as_it_was() -> None:
    module = sample()
    attach(module, "fence", [PCSection.of("mine")])
    before = bitcodec.print_assembly(module)

    map_instructions(module, opt_levels=(2,))

    assert bitcodec.print_assembly(module) == before


@needs_llvmlite
def test_what_is_asked_for_already_is_still_there() -> None:
    module = sample()
    attach(module, "fence", [PCSection.of("mine")])
    assert len(pieces(compile_module(module), {"mine"})) == 1
    rows = [row for row in map_instructions(module, opt_levels=(2,)) if row.opcode == "fence"]
    assert [len(row.pcs[0]) for row in rows] == [1, 1]


@needs_llvmlite
def test_names_that_are_taken() -> None:
    module = sample()
    module.functions["load"].name = "bitcodec_map"
    assert any(row.pcs[0] for row in map_instructions(module, opt_levels=(2,)))


@needs_llvmlite
def test_inlined_instructions_are_in_another_function() -> None:
    module = sample()
    module.functions["helper"].linkage = Linkage.INTERNAL

    apart = map_instructions(module, "helper:loads", opt_levels=(2,))
    inlined = map_instructions(module, "helper:loads", opt_levels=(2,), optimize=True)

    assert [pc.symbol for pc in apart[0].pcs[0]] == ["helper"]
    assert [pc.symbol for pc in inlined[0].pcs[0]] == ["main"]


@needs_llvmlite
@pytest.mark.parametrize(
    "triple", ["x86_64-linux-gnu", "arm-linux-gnueabi", "riscv64-linux-gnu", "powerpc64-linux-gnu"]
)
def test_private_functions_have_names(triple: str) -> None:
    """Objects have no symbols of them; what they request already is requested all the same."""
    module = sample(triple)
    for name in ("helper", "load"):
        module.functions[name].linkage = Linkage.PRIVATE
    module.functions["helper"].section = ".mine"
    builder = Builder(module.functions["load"].blocks[0])
    builder.following = builder.block.instructions[0]
    builder.fence("seq_cst")
    attach(module, "helper,load", [PCSection.of("bitcodec_map_functions_of_others")])
    module.functions["main"].name = "bitcodec_map_functions"

    found = map_instructions(module, "helper:loads,load:fence", opt_levels=(1,))

    places = {(row.function, pc.symbol, pc.section) for row in found for pc in row.pcs[0]}
    assert places == {("helper", "helper", ".mine"), ("load", "load", ".text")}


@needs_llvmlite
def test_unnamed_functions_are_at_their_places_in_a_section() -> None:
    module = sample()
    module.functions["helper"].linkage = Linkage.PRIVATE
    module.functions["helper"].name = ""
    (row,) = [row for row in map_instructions(module, "loads", opt_levels=(1,)) if not row.function]
    ((pc,),) = row.pcs
    assert (pc.symbol, pc.section) == ("", ".text")


@needs_llvmlite
def test_attached_metadata_is_no_part_of_the_text() -> None:
    module = sample()
    load = instruction(module, "load")
    load.metadata["tbaa"] = load.metadata["my.own"] = node(module, "x")
    assert map_instructions(module, "main:loads", opt_levels=(2,))[0].text.endswith("align 4")


@needs_llvmlite
def test_what_cannot_be_mapped() -> None:
    with pytest.raises(PCSectionsError, match="no instruction is chosen"):
        map_instructions(sample(), "functions")
    with pytest.raises(PCSectionsError, match="has no PC sections"):
        map_instructions(sample("x86_64-apple-macosx"))
    module = sample()
    attach(module, "fence", [PCSection.of(".data")])
    with pytest.raises(PCSectionsError, match="one of the object format's own"):
        map_instructions(module)
