"""What machine IR refers to in its IR part: functions, blocks, values, globals, nodes."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from bitcodec import AssemblyError, mir
from bitcodec.errors import MIRError
from bitcodec.ir import BasicBlock
from bitcodec.mir.operands import GlobalAddress, IRBlock, IRValue, NodeReference

from .tools import GOLDENS

TEXT = """\
--- |
  @counter = global i32 0
  @0 = private constant i32 7

  define i32 @f(ptr %p, i32 %0) {
    %2 = load i32, ptr %p, !tbaa !3
    br label %3

  3:                                                ; preds = %1
    %4 = add i32 %2, %0
    br label %done

  done:                                             ; preds = %3
    ret i32 %4
  }

  !3 = !{!4, !4, i64 0}
  !4 = !{!"int", !5}
  !5 = !{!"root"}
...
---
name:            f
body:             |
  bb.0 (%ir-block.1):
    %0:gr32 = MOV32rm $rdi, 1, $noreg, 0, $noreg :: (load (s32) from %ir.p, !tbaa !3)
    %1:gr32 = MOV32rm $rdi, 1, $noreg, 0, $noreg :: (load (s32) from %ir.2)
    %2:gr32 = MOV32rm $rip, 1, $noreg, @counter, $noreg :: (load (s32) from @counter)

  bb.1 (%ir-block.3):

  bb.2.done:
    RET 0, %0
...
"""


def test_blocks_and_operands_refer_to_objects_of_the_module() -> None:
    module = mir.loads(TEXT)
    function = module.function("f")
    ir_function = module.module.functions["f"]
    counter, unnamed, *_ = module.module.globals

    assert function.ir_function is ir_function
    assert [block.ir_block for block in function.blocks] == list(ir_function.blocks)
    addresses = [operand.value for found in function.instructions for operand in found.memory_operands]
    values = [function.ir_value(address) for address in addresses if address is not None]
    assert values == [
        ir_function.arguments[0],
        ir_function.entry_block.instructions[0],
        counter,
    ]
    assert function.ir_value(GlobalAddress(0)) is unnamed
    assert module.node(NodeReference(3)) is ir_function.entry_block.instructions[0].metadata["tbaa"]


def test_the_file_keeps_its_text() -> None:
    module = mir.loads(TEXT)
    assert len(module.module.functions) == 1
    assert module.dumps() == TEXT


@pytest.mark.parametrize(
    ("operand", "message"),
    [
        (IRValue("none"), "has no value 'none'"),
        (IRValue(99), "has no value 99"),
        (IRBlock("p"), "has no block 'p'"),
        (GlobalAddress("none"), "has no global 'none'"),
        (IRValue(text="ptr null"), "`ptr null` refers to no object"),
        (NodeReference(3), "!3 refers to no object"),
    ],
)
def test_what_refers_to_nothing_is_refused(operand: mir.MachineOperand, message: str) -> None:
    function = mir.loads(TEXT).function("f")
    with pytest.raises(MIRError, match=message):
        function.ir_value(operand)


def test_a_malformed_part_is_refused_when_it_is_needed() -> None:
    module = mir.loads(TEXT.replace("ret i32 %4", "ret i32 %nothing"))
    assert module.function("f").name == "f"
    with pytest.raises(AssemblyError, match=r"use of undefined value '%nothing'"):
        _ = module.module
    with pytest.raises(MIRError, match="no LLVM IR"):
        _ = mir.loads("---\nname: f\n...\n").module


@pytest.mark.parametrize("path", GOLDENS, ids=lambda path: path.name)
def test_all_references_of_real_files_lead_somewhere(path: Path) -> None:
    module = mir.loads(gzip.decompress(path.read_bytes()).decode())
    for function in module.functions:
        for block in function.blocks:
            assert block.ir_block is None or isinstance(block.ir_block, BasicBlock)
            for instruction in block.instructions:
                for operand in instruction.memory_operands:
                    address = operand.value
                    if isinstance(address, IRValue) and not address.text:
                        assert function.ir_value(address).type
                    for _, node in operand.metadata:
                        assert module.node(node) if isinstance(node, NodeReference) else node
