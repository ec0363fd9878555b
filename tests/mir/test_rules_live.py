"""The four rules of PC sections, end to end: LLVM IR, machine IR by llc, our rewrite, an object by llc, its PCs.

The audits of machine IR and of the object say what the listeners of the rewrite were told.

Rules: PC Sections Metadata, "Note for Code Generation".
"""

from __future__ import annotations

from pathlib import Path

import pytest

import bitcodec
from bitcodec import mir
from bitcodec.ir.pcsections import PCSection, PCSections
from bitcodec.ir.propagation import Outcome, Recorder
from bitcodec.mir import MachineFunction, MachineInstr, MachineRewriter, MIBuilder, Register
from bitcodec.pcsections import audit

from .tools import AARCH64, LLC, X86, machine_ir, program_counters, run

NODES = '\n!0 = !{!"s0"}\n!1 = !{!"s1"}\n'


def compiled(ir: str, triple: str) -> tuple[mir.MachineModule, MachineFunction]:
    module = mir.loads(machine_ir(ir + NODES, triple))
    return module, module.function("f")


def verdicts(ir: str, triple: str, machine: mir.MachineModule, folder: Path) -> list[tuple[str, str, int]]:
    """Return section, verdict and number of PCs by the audit of an object, which agrees with that of machine IR."""
    text = f'target triple = "{triple}"\n{ir}{NODES}'.encode()
    before = bitcodec.loads(bitcodec.dumps(bitcodec.parse_assembly(text)))
    in_machine_ir, in_object = (
        [(str(each.wanted), each.verdict.value, each.found) for each in audit(before, after)]
        for after in (mir.loads(machine.dumps()), (folder / "changed.o").read_bytes())
    )
    assert in_machine_ir == in_object
    return in_object


def marked(function: MachineFunction) -> list[MachineInstr]:
    return [instruction for instruction in function.instructions if instruction.pcsections_node is not None]


def test_replacements_keep_what_the_replaced_had(tmp_path: Path) -> None:
    """LLVM's own pass for two-address instructions loses the node of this very replacement."""
    ir = "define i64 @f(i64 %a) {\n %c = add i64 %a, 500, !pcsections !0\n ret i64 %c\n}"
    module, function = compiled(ir, X86)
    (add,) = marked(function)
    result, left, right = add.operands[:3]
    recorder = Recorder()

    lea = MachineInstr("LEA64r", [result, left, mir.Immediate(1), mir.NO_REGISTER, right, mir.NO_REGISTER])
    MachineRewriter(recorder).replace(add, lea)

    assert add.opcode == "ADD64ri32"
    assert program_counters(module.dumps(), tmp_path) == {"s0": ["leaq"]}
    assert verdicts(ir, X86, module, tmp_path) == [("s0", "kept", 1)]
    assert [(event.outcome, event.kind, event.results) for event in recorder.events] == [
        (Outcome.KEPT, "pcsections", (lea,))
    ]


def test_all_of_several_replacements_have_it(tmp_path: Path) -> None:
    ir = "define i64 @f(ptr %p) {\n %c = load volatile i64, ptr %p, !pcsections !0\n ret i64 %c\n}"
    module, function = compiled(ir, X86)
    (load,) = marked(function)
    address = function.new_virtual_register("gr64")
    base = load.operands[1]

    builder = MIBuilder.before(load)
    lea = builder.build("LEA64r", base, 1, "$noreg", 0, "$noreg", defs=[address])
    used = Register(address.name)
    copy = MachineInstr("MOV64rm", [load.operands[0], used, *load.operands[2:]], memory_operands=load.memory_operands)
    MachineRewriter().replace(load, lea, copy)

    assert [str(each.pcsections_node) for each in (lea, copy)] == ["!0", "!0"]
    assert program_counters(module.dumps(), tmp_path, "-O0") == {"s0": ["leaq", "movq"]}
    assert verdicts(ir, X86, module, tmp_path) == [("s0", "copied", 2)]


def test_duplicates_have_it_too(tmp_path: Path) -> None:
    ir = "define void @f(ptr %p, i32 %a) {\n store volatile i32 %a, ptr %p, !pcsections !0\n ret void\n}"
    module, function = compiled(ir, X86)
    (store,) = marked(function)
    recorder = Recorder()

    copy = MachineRewriter(recorder).duplicate(store)

    assert program_counters(module.dumps(), tmp_path) == {"s0": ["movl", "movl"]}
    assert verdicts(ir, X86, module, tmp_path) == [("s0", "copied", 2)]
    assert [(event.outcome, event.source, event.results) for event in recorder.events] == [
        (Outcome.COPIED, store, (copy,))
    ]


PAIR = """define i64 @f(ptr %p) {{
 %q = getelementptr i64, ptr %p, i64 1
 %a = load i64, ptr %p{first}
 %b = load i64, ptr %q{second}
 %c = add i64 %a, %b
 ret i64 %c
}}"""


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        (", !pcsections !0", ", !pcsections !1", {"s0": ["ldp"]}),
        ("", ", !pcsections !1", {"s1": ["ldp"]}),
        (", !pcsections !0", "", {"s0": ["ldp"]}),
        ("", "", {}),
    ],
)
def test_merging_keeps_one_of_the_two(first: str, second: str, expected: dict[str, list[str]], tmp_path: Path) -> None:
    """LLVM's own pass that makes pairs of loads loses both."""
    module, function = compiled(PAIR.format(first=first, second=second), AARCH64)
    low, high = (each for each in function.instructions if each.opcode == "LDRXui")
    recorder = Recorder()
    rewriter = MachineRewriter(recorder)

    operands = [low.operands[0], high.operands[0], low.operands[1], mir.Immediate(0)]
    pair = MachineInstr("LDPXi", operands, memory_operands=low.memory_operands)
    rewriter.replace(low, pair)
    rewriter.merge(pair, high, moves=False)

    assert len(pair.memory_operands) == 2
    assert program_counters(module.dumps(), tmp_path) == expected
    assert all(event.results == (pair,) for event in recorder.events)
    ir = PAIR.format(first=first, second=second)
    gone = [("s1", "lost", 0)] * bool(first and second)
    assert verdicts(ir, AARCH64, module, tmp_path) == [(section, "kept", 1) for section in expected] + gone


def test_a_merged_instruction_stands_for_both(tmp_path: Path) -> None:
    ir = """define i64 @f(ptr %p) {
 %a = load volatile i64, ptr %p, !pcsections !0
 %b = load volatile i64, ptr %p, !pcsections !1
 ret i64 %b
}"""
    module, function = compiled(ir, X86)
    loads = marked(function)
    recorder = Recorder()

    MachineRewriter(recorder).merge(*loads, moves=False)
    rename(function, loads[1].operands[0], loads[0].operands[0])

    assert program_counters(module.dumps(), tmp_path) == {"s0": ["movq"]}
    assert [event.outcome for event in recorder.events] == [Outcome.KEPT, Outcome.MERGED]
    assert verdicts(ir, X86, module, tmp_path) == [("s0", "kept", 1), ("s1", "lost", 0)]


def rename(function: MachineFunction, old: object, new: object) -> None:
    assert isinstance(old, Register)
    assert isinstance(new, Register)
    for instruction in function.instructions:
        instruction.operands = tuple(
            Register(new.name, each.flags, each.sub_register)
            if isinstance(each, Register) and each.name == old.name
            else each
            for each in instruction.operands
        )


def test_of_a_node_that_several_have_merging_leaves_fewer(tmp_path: Path) -> None:
    ir = """define i64 @f(ptr %p) {
 %a = load volatile i64, ptr %p, !pcsections !0
 %b = load volatile i64, ptr %p, !pcsections !0
 ret i64 %b
}"""
    module, function = compiled(ir, X86)
    loads = marked(function)

    MachineRewriter().merge(*loads, moves=False)
    rename(function, loads[1].operands[0], loads[0].operands[0])

    assert program_counters(module.dumps(), tmp_path) == {"s0": ["movq"]}
    assert verdicts(ir, X86, module, tmp_path) == [("s0", "merged", 1)]


def test_deletions_lose_it(tmp_path: Path) -> None:
    ir = """define void @f(ptr %p, i32 %a) {
 store volatile i32 %a, ptr %p, !pcsections !0
 store volatile i32 1, ptr %p, !pcsections !1
 ret void
}"""
    module, function = compiled(ir, X86)
    gone, _ = marked(function)
    recorder = Recorder()

    MachineRewriter(recorder).erase(gone)

    assert program_counters(module.dumps(), tmp_path) == {"s1": ["movl"]}
    assert verdicts(ir, X86, module, tmp_path) == [("s0", "lost", 0), ("s1", "kept", 1)]
    assert [(event.outcome, event.source, event.results) for event in recorder.events] == [(Outcome.LOST, gone, ())]


def test_what_is_asked_for_here_is_emitted_there(tmp_path: Path) -> None:
    """A node that the IR part did not have."""
    ir = "define void @f(ptr %p, i32 %a) {\n store volatile i32 %a, ptr %p\n ret void\n}"
    module, function = compiled(ir, X86)
    (store,) = (each for each in function.instructions if each.memory_operands)

    store.set_pcsections(PCSections([PCSection.of("here"), PCSection.of("there!C")]))

    assert program_counters(module.dumps(), tmp_path) == {"here": ["movl"], "there": ["movl"]}


def test_llc_knows_the_number_of_what_is_added(tmp_path: Path) -> None:
    ir = "define void @f(ptr %p, i32 %a) {\n store volatile i32 %a, ptr %p\n ret void\n}"
    module, function = compiled(ir, X86)
    (store,) = (each for each in function.instructions if each.memory_operands)
    context = module.context
    constant = context.constants.integer(context.types.integer(32), 300)
    store.set_pcsections(PCSections([PCSection.of("here!C", [constant])]))
    path = tmp_path / "changed.mir"
    path.write_text(module.dumps(), encoding="utf-8")

    again = mir.loads(run(LLC, "-run-pass=none", path, "-o", "-"))

    found = marked(again.function("f"))[0].pcsections
    assert found is not None
    assert [(each.spelling, [*map(str, each.constants)]) for each in found] == [("here!C", ["i32 300"])]
