"""What became of nodes, in modules that were changed by known steps; and in files that LLVM made long ago."""

from __future__ import annotations

import gzip
import json
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bitcodec import mir
from bitcodec.builder import Builder, add_block, add_function, add_variable, constant, new_module
from bitcodec.errors import ContainerError, PCSectionsError
from bitcodec.ir import Linkage, Module
from bitcodec.pcsections import PCSection, PCSections, Target
from bitcodec.pcsections.auditing.audit import audit
from bitcodec.pcsections.auditing.carriers import Carriers, Group, Wanted
from bitcodec.pcsections.auditing.comparison import Comparison, Verdict
from bitcodec.pcsections.metadata.attaching import attach
from bitcodec.transforms import Rewriter

from .audited import copied, told
from .make_elf_goldens import EXPECTED, FOLDER
from .malformed import node
from .samples import instruction, sample

ATOMICS = Path(__file__).parents[2] / "examples" / "atomics.mir"


def seven(module: Module) -> PCSection:
    return PCSection.of("hot!C", [constant(module, module.context.types.integer(32), 7)])


def tagged(select: str = "stores,loads,functions") -> Module:
    module = sample()
    attach(module, select, [seven(module)])
    return module


# LLVM IR


def test_what_is_not_changed_is_kept() -> None:
    module = tagged("all,functions")
    assert told(audit(module, copied(module)), functions=True) == [
        (name, "hot!C: i32 7", "kept", "1 function", "1 function") for name in ("main", "helper", "load")
    ]
    found = audit(module, copied(module))
    assert set(found.counts()) == {Verdict.KEPT}
    assert sum(sum(counts.values()) for counts in found.by_opcode().values()) == 3 + sum(
        len(list(each.instructions)) for each in module.functions if each.name in ("main", "helper", "load")
    )
    assert repr(found).startswith("<Audit of LLVM IR: ")


def test_what_steps_of_a_pass_do_to_it() -> None:
    module = tagged("fence,atomicrmw,loads,add")
    after = copied(module)
    rewriter = Rewriter()
    rewriter.duplicate(instruction(after, "atomicrmw"))
    rewriter.erase(instruction(after, "fence"))

    found = audit(module, after)

    assert told(found) == [
        ("main", "hot!C: i32 7", "kept", "2 load", "2 load"),
        ("main", "hot!C: i32 7", "kept", "1 add", "1 add"),
        ("main", "hot!C: i32 7", "copied", "1 atomicrmw", "2 atomicrmw"),
        ("main", "hot!C: i32 7", "merged", "2 fence", "1 fence"),
        ("helper", "hot!C: i32 7", "kept", "1 load", "1 load"),
    ]
    assert [each.reason for each in found.of({Verdict.MERGED})] == ["replaced, made one with another, or deleted"]
    assert found.by_opcode()["fence"] == {Verdict.MERGED: 2}


def test_what_is_gone_is_lost() -> None:
    module = tagged("fence,functions")
    after = copied(module)
    for each in after.functions["main"].instructions:
        each.pcsections = None
    after.functions["helper"].pcsections = None

    found = audit(module, after).of({Verdict.LOST})

    assert [(each.function, each.wanted.of_function, each.attached, each.found) for each in found] == [
        ("main", False, 2, 0),
        ("helper", True, 1, 0),
    ]
    assert [each.reason for each in found] == ["replaced, made one with another, or deleted", ""]


def test_other_opcodes_are_told_as_they_are() -> None:
    """A node that one opcode had and another has now: nothing tells which became which."""
    module = tagged("main:fence,main:atomicrmw")
    after = copied(module)
    asked = instruction(after, "fence").pcsections
    instruction(after, "fence").pcsections = None
    instruction(after, "call").pcsections = asked

    assert told(audit(module, after)) == [
        ("main", "hot!C: i32 7", "kept", "1 atomicrmw 2 fence", "1 atomicrmw 1 fence 1 call")
    ]


@pytest.mark.parametrize("stays", [True, False])
def test_what_is_inlined(*, stays: bool) -> None:
    module = tagged("helper:loads")
    after = copied(module)
    asked = instruction(after, "load", "helper").pcsections
    instruction(after, "load", "main").pcsections = asked
    if not stays:
        instruction(after, "load", "helper").pcsections = None

    found = audit(module, after)

    assert [(each.function, each.verdict, each.elsewhere) for each in found] == [
        ("helper", Verdict.KEPT if stays else Verdict.MOVED, () if stays else ("main",)),
        ("main", Verdict.COPIED if stays else Verdict.MOVED, ("helper",)),
    ]


def test_what_nobody_asked_for_is_foreign() -> None:
    module = sample()
    after = copied(module)
    attach(after, "fence", [PCSection.of("cold")])
    assert told(audit(module, after)) == [("main", "cold", "foreign", "", "2 fence")]
    assert told(audit(module, copied(module))) == []
    assert repr(audit(module, module)) == "<Audit of LLVM IR: nothing>"


def test_functions_that_are_gone() -> None:
    module = tagged("functions")
    after = copied(module)
    helper = after.functions["helper"]
    helper.linkage = Linkage.INTERNAL
    call = next(
        each for each in after.functions["main"].instructions if each.opcode == "call" and helper in each.operands
    )
    call.replace_all_uses_with(after.context.constants.null(call.type))
    Rewriter().erase(call)
    helper.erase_from_parent()

    (lost,) = audit(module, after).of({Verdict.LOST})

    assert (lost.function, lost.reason) == ("helper", "the function is gone: inlined, deleted, or taken from elsewhere")


def test_malformed_nodes_are_compared_too() -> None:
    module = sample()
    for opcode in ("load", "fence"):
        instruction(module, opcode).metadata["pcsections"] = node(module, "s!X")
    after = copied(module)
    del instruction(after, "fence").metadata["pcsections"]

    found = audit(module, after)

    assert [(each.verdict, dict(each.before)) for each in found] == [
        (Verdict.KEPT, {"load": 1}),
        (Verdict.LOST, {"fence": 1}),
    ]
    assert str(found[0].wanted).startswith("malformed: operand 0: 's!X' has the unknown option 'X'")
    assert found[1].reason == "the node is malformed"


def test_what_a_function_asks_for_is_no_instruction() -> None:
    """The same node on a function and in it."""
    module = tagged("main,main:fence")
    after = copied(module)
    after.functions["main"].pcsections = None
    found = audit(module, after)
    assert [(each.wanted.of_function, each.verdict) for each in found] == [(True, Verdict.LOST), (False, Verdict.KEPT)]


# Comparison alone

NAMES = st.sampled_from("fgh")
WANTED = st.builds(Wanted, st.booleans(), st.sampled_from([(Group("a"),), (Group("b"),)]))
CARRIED = st.dictionaries(
    st.tuples(NAMES, WANTED), st.dictionaries(st.sampled_from(["load", "store"]), st.integers(1, 3), min_size=1)
)


def carriers(carried: dict[tuple[str, Wanted], dict[str, int]], functions: set[str]) -> Carriers:
    made = Carriers(functions)
    for (function, wanted), opcodes in carried.items():
        for opcode, count in opcodes.items():
            made.add(function, wanted, opcode, count)
    return made


@given(CARRIED, CARRIED, st.sets(NAMES))
def test_verdicts(
    before: dict[tuple[str, Wanted], dict[str, int]], after: dict[tuple[str, Wanted], dict[str, int]], left: set[str]
) -> None:
    left |= {function for function, _ in after}
    findings = list(
        Comparison(carriers(before, set("fgh")), carriers(after, left)).findings(lambda _key, _opcodes, n: f"{n} less")
    )

    sides = ([(each, each.before) for each in findings], [(each, each.after) for each in findings])
    for carried, side in zip((before, after), sides, strict=True):
        counted: Counter[tuple[str, Wanted, str]] = Counter()
        for each, opcodes in side:
            for opcode, count in opcodes.items():
                counted[each.function, each.wanted, opcode] += count
        assert counted == {(*key, opcode): n for key, opcodes in carried.items() for opcode, n in opcodes.items()}
    wanted_before = {wanted for _, wanted in before}
    for each in findings:
        n, m = each.attached, each.found
        missing = n - m
        assert (each.verdict is Verdict.FOREIGN) == (each.wanted not in wanted_before)
        assert each.reason == (f"{missing} less" if missing > 0 else "")
        assert bool(each.elsewhere) == (each.verdict is Verdict.MOVED or (n == 0 and each.verdict is Verdict.COPIED))
        assert each.function not in each.elsewhere
        match each.verdict:
            case Verdict.KEPT:
                assert n == m
            case Verdict.COPIED:
                assert m > n
            case Verdict.MERGED:
                assert 0 < m < n
            case Verdict.LOST:
                assert m == 0 < n


@given(CARRIED)
def test_what_stays_is_kept(carried: dict[tuple[str, Wanted], dict[str, int]]) -> None:
    same = carriers(carried, set("fgh"))
    assert all(each.verdict is Verdict.KEPT for each in Comparison(same, same).findings(lambda *_: ""))


# Machine IR


def atomics() -> Module:
    """Return a module that asks for what the example of machine IR has."""
    module = new_module("atomics", target_triple="x86_64-unknown-linux-gnu")
    types = module.context.types
    i32 = types.integer(32)
    add = add_function(module, "add", types.function(i32, [types.ptr, i32]))
    builder = Builder(add_block(add))
    builder.ret(builder.atomicrmw("add", *add.arguments, ordering="seq_cst"))
    load = add_function(module, "load", types.function(i32, [types.ptr]))
    builder = Builder(add_block(load))
    builder.ret(builder.load(i32, load.arguments[0], ordering="acquire"))
    attach(module, "atomics", [PCSection.of("atomics")])
    attach(module, "@add", [PCSection.of("functions!C", [constant(module, i32, 7)])])
    return module


def test_machine_ir() -> None:
    found = audit(atomics(), mir.open(ATOMICS))
    assert told(found) == [
        ("add", "atomics", "kept", "1 atomicrmw", "1 LXADD32"),
        ("load", "atomics", "kept", "1 load", "1 MOV32rm"),
    ]
    assert told(found, functions=True) == [("add", "functions!C: i32 7", "kept", "1 function", "1 function")]


def test_machine_ir_that_was_rewritten() -> None:
    machine = mir.open(ATOMICS)
    rewriter = mir.MachineRewriter()
    add, load = (
        next(each for each in machine.function(name).instructions if each.pcsections_node) for name in ("add", "load")
    )
    rewriter.duplicate(add)
    rewriter.erase(load)

    found = audit(atomics(), mir.loads(machine.dumps()))

    assert told(found) == [
        ("add", "atomics", "copied", "1 atomicrmw", "2 LXADD32"),
        ("load", "atomics", "lost", "1 load", ""),
    ]


def test_a_function_that_machine_ir_has_not() -> None:
    text = ATOMICS.read_text(encoding="utf-8")
    head, _, _ = text.partition("---\nname:            load\n")
    (lost,) = audit(atomics(), mir.loads(head)).of({Verdict.LOST})
    assert (lost.function, lost.reason) == ("load", "the function is gone: inlined, deleted, or taken from elsewhere")


@pytest.mark.parametrize(
    ("definition", "expected"),
    [
        ('!{!"atomics", !1, !"b!C"}', "atomics: i32 7; b!C"),
        ('!{!"atomics", !1, !1}', "atomics: i32 7, i32 7"),
        ('!{!"atomics", i32 7}', "malformed"),
        ('!{!1, !"atomics"}', "malformed"),
        ('!{!"a!X"}', "malformed"),
    ],
)
def test_nodes_of_machine_ir(definition: str, expected: str) -> None:
    text = ATOMICS.read_text(encoding="utf-8").replace('!2 = !{!"atomics"}', f"!2 = {definition}")
    found = audit(new_module("empty"), mir.loads(text))
    assert {str(each.wanted).partition(": !")[0] for each in found if not each.wanted.of_function} == {expected}
    assert set(found.counts()) == {Verdict.FOREIGN}


@pytest.mark.parametrize("suffix", ["pcsections !9", "pcsections !DILocation(line: 1, scope: !0)"])
def test_machine_ir_whose_nodes_are_not_there(suffix: str) -> None:
    text = ATOMICS.read_text(encoding="utf-8").replace("pcsections !2", suffix)
    with pytest.raises(PCSectionsError, match="the IR part defines no node"):
        audit(atomics(), mir.loads(text))


# Objects


def goldens_module(triple: str) -> Module:
    """Return the module that the golden objects were made of."""
    module = new_module("m", target_triple=triple)
    types = module.context.types
    i32, pointer = types.integer(32), types.ptr
    variable = add_variable(module, "v", i32, 7)
    of_f = PCSections([PCSection.of("fc!C", [constant(module, i32, 300), variable])])
    of_others = PCSections([PCSection.of("fs", [constant(module, types.integer(16), 5)])])
    of_instructions = PCSections([PCSection.of("is")])
    f, g, h = (
        add_function(module, name, types.function(result, [pointer]))
        for name, result in (("f", i32), ("g", types.void), ("h", types.void))
    )
    f.pcsections, g.pcsections, h.pcsections = of_f, of_others, of_others
    builder = Builder(add_block(f))
    loads = [builder.load(i32, f.arguments[0]) for _ in range(2)]
    builder.ret(loads[1])
    builder = Builder(add_block(g))
    store = builder.store(constant(module, i32, 1), g.arguments[0])
    builder.ret()
    builder = Builder(add_block(h))
    builder.call(g, [h.arguments[0]])
    builder.ret()
    for each in (*loads, store):
        each.pcsections = of_instructions
    return module


GOLDENS = {
    "x86_64-small": "x86_64-linux-gnu",
    "x86_64-large": "x86_64-linux-gnu",
    "i386": "i386-linux-gnu",
    "aarch64_be": "aarch64_be-linux-gnu",
    "armv7": "armv7-linux-gnueabihf",
    "riscv32-relax": "riscv32-linux-gnu",
    "loongarch64-relax": "loongarch64-linux-gnu",
    "mips64el-large": "mips64el-linux-gnuabi64",
    "s390x": "s390x-linux-gnu",
    "sparcv9": "sparcv9-linux-gnu",
}


@pytest.mark.parametrize(("name", "triple"), GOLDENS.items())
def test_objects_of_many_processors(name: str, triple: str) -> None:
    sections = json.loads(EXPECTED.read_text(encoding="utf-8"))[f"{name}.o"]["pc_sections"]
    pcs = {
        section: sum(len(each["pcs"]) for each in sections if each["name"] == section) for section in ("fc", "fs", "is")
    }

    found = audit(goldens_module(triple), (FOLDER / f"{name}.o").read_bytes())

    assert told(found, functions=True) == [
        ("f", "fc!C: i32 300, ptr @v", "kept", "1 function", "1 function"),
        ("g", "fs: i16 5", "kept", "1 function", "1 function"),
        ("h", "fs: i16 5", "kept", "1 function", "1 function"),
    ]
    assert (pcs["fc"], pcs["fs"]) == (1, 2)
    instructions = [each for each in found if not each.wanted.of_function]
    assert [(each.function, each.attached) for each in instructions] == [("f", 2), ("g", 1)]
    assert sum(each.found for each in instructions) == pcs["is"]
    assert found.after == "object"


def test_another_code_model_is_noted() -> None:
    found = audit(goldens_module("x86_64-linux-gnu"), (FOLDER / "x86_64-large.o").read_bytes())
    assert found.notes == ("PC fields have 8 bytes, where the module says 4: another code model was chosen",)


def test_an_object_of_another_module() -> None:
    """Sections nobody asked for, and constants that nobody asked for in a section."""
    data = (FOLDER / "x86_64-small.o").read_bytes()
    module = goldens_module("x86_64-linux-gnu")
    module.functions["h"].pcsections = PCSections(
        [PCSection.of("fs", [constant(module, module.context.types.integer(16), 6)])]
    )
    module.functions["g"].pcsections = None
    module.functions["f"].pcsections = None

    found = audit(module, data)

    assert told(found, functions=True) == [("h", "fs: i16 6", "lost", "1 function", "")]
    assert told(found) == [
        ("f", "is", "kept", "2 load", "2"),
        ("g", "is", "kept", "1 store", "1"),
        ("f", "fc", "foreign", "", "1"),
        ("g", "fs: other constants", "foreign", "", "1"),
        ("h", "fs: other constants", "foreign", "", "1"),
    ]


def test_functions_without_code() -> None:
    module = goldens_module("x86_64-linux-gnu")
    types = module.context.types
    declared = add_function(module, "declared", types.function(types.void, []))
    other = add_function(module, "other", types.function(types.void, []), linkage="available_externally")
    Builder(add_block(other)).ret()
    declared.pcsections = other.pcsections = PCSections([PCSection.of("x")])

    lost = audit(module, (FOLDER / "x86_64-small.o").read_bytes()).of({Verdict.LOST})

    assert [(each.function, each.reason.partition(":")[0]) for each in lost] == [
        ("declared", "the function has no code here"),
        ("other", "the function has no code here"),
    ]
    assert set(audit(module, copied(module)).counts()) == {Verdict.KEPT}


def test_what_is_found_under_another_name() -> None:
    module = goldens_module("x86_64-linux-gnu")
    module.functions["h"].name = "other"
    found = audit(module, (FOLDER / "x86_64-small.o").read_bytes())
    assert [(each.function, each.verdict, each.elsewhere) for each in found if each.function in ("h", "other")] == [
        ("other", Verdict.MOVED, ("h",)),
        ("h", Verdict.MOVED, ("other",)),
    ]


def test_malformed_nodes_and_objects() -> None:
    module = goldens_module("x86_64-linux-gnu")
    module.functions["h"].metadata[:] = [("pcsections", node(module, "s!X"))]
    found = audit(module, (FOLDER / "x86_64-small.o").read_bytes())
    assert [each.reason for each in found.of({Verdict.LOST})] == ["the node is malformed"]


def test_constants_with_the_same_bytes_are_one() -> None:
    module = goldens_module("x86_64-linux-gnu")
    types = module.context.types
    first, second = module.functions["g"], module.functions["h"]
    second.pcsections = PCSections(
        [PCSection.of("fs", [constant(module, types.integer(8), 5), constant(module, types.integer(8), 0)])]
    )
    found = audit(module, (FOLDER / "x86_64-small.o").read_bytes())
    assert [
        (each.function, str(each.wanted), each.verdict)
        for each in found
        if each.function in (first.name, second.name) and each.wanted.of_function
    ] == [
        ("g", "fs: i16 5", Verdict.KEPT),
        ("h", "fs: i16 5", Verdict.KEPT),
    ]


def test_a_target_is_needed_for_objects() -> None:
    module = goldens_module("x86_64-linux-gnu")
    module.target_triple = ""
    data = (FOLDER / "x86_64-small.o").read_bytes()
    with pytest.raises(PCSectionsError, match="no target triple"):
        audit(module, data)
    assert set(audit(module, data, Target.of("x86_64-linux-gnu")).counts()) == {Verdict.KEPT}


def test_what_is_no_object() -> None:
    with pytest.raises(ContainerError):
        audit(goldens_module("x86_64-linux-gnu"), b"\x7fELF")
    with pytest.raises(ContainerError):
        audit(goldens_module("x86_64-linux-gnu"), (FOLDER / "x86_64-small.o").read_bytes()[:200])


@given(st.data())
def test_broken_objects_are_refused(data: st.DataObject) -> None:
    """Whatever is in the file: an answer or one of bitcodec's errors."""
    whole = bytearray((FOLDER / "x86_64-small.o").read_bytes())
    for _ in range(data.draw(st.integers(1, 6))):
        whole[data.draw(st.integers(16, len(whole) - 1))] = data.draw(st.integers(0, 255))
    try:
        attached = sum(each.attached for each in audit(goldens_module("x86_64-linux-gnu"), bytes(whole)))
    except (ContainerError, PCSectionsError):
        attached = 6
    assert attached == 6


@pytest.mark.parametrize(
    "path", sorted((Path(__file__).parents[1] / "data" / "mir").glob("*.mir.gz")), ids=lambda each: each.name
)
def test_machine_ir_of_llc(path: Path) -> None:
    """Every function and node of it is found, and none that is not there."""
    text = gzip.decompress(path.read_bytes())
    found = audit(new_module("empty"), mir.loads(text))
    assert set(found.counts()) <= {Verdict.FOREIGN}
    assert sum(each.found for each in found if not each.wanted.of_function) == text.count(b" pcsections !")
