"""Saving a module of which little was changed: what is copied, what is written anew, and that LLVM reads both alike."""

from __future__ import annotations

import hashlib
import re
import subprocess
from pathlib import Path

import pytest

import bitcodec
from answers import recall
from answers.tools import path_of
from bitcodec.bitstream import Abbreviation, Definition, DraftRecord, array, fixed, loads
from bitcodec.ir import MDTuple, Module
from bitcodec.ir.construction.present import source_of
from corpus import FOLDER, needs_corpus

DATA = Path(__file__).parents[2] / "data"
QUEUE = Path(__file__).parents[3] / "examples" / "queue.bc"
FUNCTION_BLOCK, MODULE_BLOCK, METADATA_BLOCK = 12, 8, 15
INDEX = 39
ORDERS = "--preserve-ll-uselistorder"
FROM_LLVM_22 = sorted(FOLDER.glob("modules/*-22.bc"))


def flag(module: Module, name: str) -> MDTuple:
    for node in module.named_metadata["llvm.module.flags"].operands:
        assert isinstance(node, MDTuple)
        if getattr(node.operands[1], "text", None) == name:
            return node
    raise KeyError(name)


def constant(module: Module, number: int) -> object:
    return module.context.metadata.value(module.context.constants.integer(module.context.types.integer(32), number))


def bodies(data: bytes) -> list[bytes]:
    """Return the bytes of each function block."""
    stream = loads(data)
    (module,) = (block for block in stream.blocks if block.id == MODULE_BLOCK)
    return [data[block.start // 8 : block.end // 8] for block in module.blocks if block.id == FUNCTION_BLOCK]


def printed(data: bytes, *options: str) -> str:
    """Return the digest of what LLVM prints, without hashes, of bytes that `llvm-bcanalyzer` reads, too."""

    def compute() -> str:
        subprocess.run([str(path_of("llvm-bcanalyzer-22"))], input=data, check=True, stdout=subprocess.DEVNULL)
        command = [str(path_of("llvm-dis-22")), *options, "-", "-o", "-"]
        text = subprocess.run(command, input=data, check=True, capture_output=True).stdout
        return hashlib.sha256(re.sub(rb"hash: \(.*?\)", b"hash: ", text)).hexdigest()

    return str(recall(["llvm-dis-22", *options, "llvm-bcanalyzer-22", data], compute))


def changed_lines(one: list[str], other: list[str]) -> list[tuple[str, str]]:
    assert len(one) == len(other)
    return [pair for pair in zip(one, other, strict=True) if pair[0] != pair[1]]


def test_what_was_not_touched_is_the_file() -> None:
    assert bitcodec.dumps(bitcodec.open(QUEUE)) == QUEUE.read_bytes()


@pytest.mark.parametrize("replaces_node", [False, True])
def test_a_flag_is_changed_and_functions_are_copied(replaces_node: bool) -> None:
    module = bitcodec.open(QUEUE)
    node = flag(module, "wchar_size")
    operands = [*node.operands[:2], constant(module, 8)]
    if replaces_node:
        flags = module.named_metadata["llvm.module.flags"].operands
        flags[flags.index(node)] = module.context.metadata.tuple(operands)  # type: ignore[arg-type]
    else:
        node.set_operands(operands)  # type: ignore[arg-type]
    data = bitcodec.dumps(module)
    assert source_of(module) is not None
    assert bodies(data) == bodies(QUEUE.read_bytes())
    before, after = (
        bitcodec.print_assembly(bitcodec.loads(each, "q")).splitlines() for each in (QUEUE.read_bytes(), data)
    )
    ((old, new),) = changed_lines(before, after)
    assert re.sub(r"^!\d+ = ", "", old) == '!{i32 1, !"wchar_size", i32 4}'
    assert re.sub(r"^!\d+ = ", "", new) == '!{i32 1, !"wchar_size", i32 8}'


def test_a_new_number_moves_all_others_and_everything_is_written_anew() -> None:
    module = bitcodec.open(QUEUE)
    flag(module, "wchar_size").set_operand(2, constant(module, 77))  # type: ignore[arg-type]
    data = bitcodec.dumps(module)
    assert source_of(module) is None
    assert 'wchar_size", i32 77}' in bitcodec.print_assembly(bitcodec.loads(data))


def test_an_index_whose_abbreviation_is_too_narrow_for_the_change_has_everything_written_anew() -> None:
    draft = loads(QUEUE.read_bytes()).edit()
    blocks = [block for block in draft.block(MODULE_BLOCK).blocks if block.id == METADATA_BLOCK]
    block, index = next((block, record) for block in blocks for record in block.records if record.code == INDEX)
    assert index.source is not None
    width = max(index.operands).bit_length()
    block.items[block.items.index(index)] = DraftRecord(INDEX, index.operands, index.abbreviation_id)
    for item in block.items:
        if isinstance(item, Definition) and item.abbreviation == index.source.abbreviation:
            item.abbreviation = Abbreviation([fixed(6), array, fixed(width)])
    module = bitcodec.loads(bitcodec.bitcode.dumps(draft))
    node = flag(module, "wchar_size")
    node.set_operands([*node.operands[:2], constant(module, 8), *node.operands[1:2] * (1 << width)])  # type: ignore[arg-type, list-item]
    data = bitcodec.dumps(module)
    assert source_of(module) is None
    assert str(bitcodec.loads(data)) == str(module)


def test_a_touched_global_is_written_anew() -> None:
    module = bitcodec.open(QUEUE)
    module.functions["pop"].name = "take"
    assert "take" in bitcodec.loads(bitcodec.dumps(module)).symbol_names


def test_files_of_older_versions_are_brought_up_to_date() -> None:
    path = DATA / "control-O2-16.bc"
    assert bitcodec.open(path).producer.startswith("LLVM16")
    assert bitcodec.loads(bitcodec.dumps(bitcodec.open(path))).producer.startswith("bitcodec")


@needs_corpus
def test_the_corpus_has_files_of_llvm_22() -> None:
    assert len(FROM_LLVM_22) > 80


@pytest.mark.parametrize("path", FROM_LLVM_22, ids=lambda path: path.name)
def test_llvm_reads_what_was_copied(path: Path) -> None:
    modules = bitcodec.open_all(path)
    if len(modules) > 1 or "llvm.module.flags" not in modules[0].named_metadata:
        return
    texts = []
    for copies in (True, False):
        module = bitcodec.open(path)
        flags = module.named_metadata["llvm.module.flags"].operands
        flags.append(flags.pop(0))
        texts.append(printed(bitcodec.dumps(module, copies_unchanged=copies), ORDERS))
        assert (source_of(module) is not None) is copies
    assert texts[0] == texts[1]
