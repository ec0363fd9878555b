"""Proofs read back what was written; a difference raises AssertionError."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import bitcodec
from bitcodec import BitcodeError, bitcode, bitstream, transforms
from bitcodec.bitcode import proving, saving
from bitcodec.bitcode.editing import copying
from bitcodec.bitcode.schema.blocks import BlockId, ModuleCode
from bitcodec.bitcode.writer import module as written_module
from bitcodec.ir import DataLayout, Function, NamedMetadata, StructType

if TYPE_CHECKING:
    from collections.abc import Callable

UPGRADED = Path(__file__).parents[2] / "data" / "upgrade"
HELLO = (Path(__file__).parents[3] / "examples" / "hello.bc").read_bytes()


def with_wrong_offset() -> bytes:
    draft = bitstream.loads(HELLO).edit()
    draft.block(BlockId.MODULE_BLOCK).record(ModuleCode.VSTOFFSET).operands = (1,)
    return draft.dumps()


def with_other_triple() -> bytes:
    draft = bitstream.loads(HELLO).edit()
    draft.block(BlockId.MODULE_BLOCK).record(ModuleCode.TRIPLE).text = "x86_64-pc-linux-musl"
    return bitcode.dumps(draft)


@pytest.mark.usefixtures("proved")
@pytest.mark.parametrize(
    ("made", "message"),
    [
        (with_wrong_offset(), "offsets .* wrong"),
        (with_other_triple(), "another module"),
        (HELLO[:-8], "cannot be read|wrong|not a whole"),
    ],
    ids=["offset", "text", "cut off"],
)
def test_a_difference_is_found(made: bytes, message: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(copying, "copy_module", lambda _: made)
    module = bitcodec.loads(HELLO)
    with pytest.raises(AssertionError, match=message):
        saving.dumps(module)


@pytest.mark.usefixtures("proved")
def test_wrong_offsets_of_a_malformed_module_are_copied() -> None:
    copied = bitcodec.dumps(bitcodec.loads(with_wrong_offset()))
    with pytest.raises(BitcodeError, match="no symbol table begins"):
        bitcodec.loads(copied).materialize()


@pytest.mark.usefixtures("proved")
def test_debug_information_without_its_flag_is_dropped() -> None:
    module = bitcodec.loads(HELLO)
    module.flags.remove("Debug Info Version")
    copied = bitcodec.loads(bitcodec.dumps(module, copies_unchanged=False))
    assert "!DI" in str(module)
    assert "!DI" not in str(copied)


@pytest.mark.usefixtures("proved")
def test_annotations_of_no_global_are_dropped() -> None:
    module = bitcodec.open(UPGRADED / "annotations.bc")
    names = [function.name for function in module.functions if not function.is_declaration]
    transforms.extract_functions(module, names[:1])
    read_back = bitcodec.loads(bitcodec.dumps(module))
    assert "!{null, " in str(module)
    assert "!{null, " not in str(read_back)


@pytest.mark.usefixtures("proved")
def test_a_function_named_as_an_intrinsic_gets_the_attributes_of_that() -> None:
    module = bitcodec.loads(HELLO)
    function = module.get_or_insert_function("nothing", module.context.types.function(module.context.types.void, []))
    assert "willreturn" not in function.attributes.for_function
    function.name = "llvm.donothing"
    read_back = bitcodec.loads(bitcodec.dumps(module)).get("llvm.donothing")
    assert isinstance(read_back, Function)
    assert "willreturn" in read_back.attributes.for_function


@pytest.mark.usefixtures("proved")
def test_an_intrinsic_named_after_a_type_without_a_name_is_renamed() -> None:
    module = bitcodec.loads(HELLO)
    types = module.context.types
    struct = StructType((types.integer(32),), name="s")
    module.get_or_insert_function("llvm.ssa.copy.s_ss", types.function(struct, [struct]))
    transforms.strip_names(module)
    read_back = bitcodec.loads(bitcodec.dumps(module))
    assert read_back.get("llvm.ssa.copy.s_s.0") is not None


@pytest.mark.usefixtures("proved")
def test_the_module_stays_as_unread_as_it_was() -> None:
    module = bitcodec.loads(HELLO)
    assert bitcodec.dumps(module)
    assert module._has_unread_symbols


def test_names_of_void_calls_are_not_expected() -> None:
    lines = proving.expected_lines("  %c = call void @f()\n  %d = call i32 @g()")
    assert lines == ["  call void @f()", "  %d = call i32 @g()"]


def other_layout(module: bitcodec.Module) -> None:
    module.data_layout = DataLayout("e-p:32:32-n8")


def without_version(module: bitcodec.Module) -> None:
    module.flags.remove("Debug Info Version")


def with_annotation_of_nothing(module: bitcodec.Module) -> None:
    metadata = module.context.metadata
    module.target_triple = "nvptx64-nvidia-cuda"
    node = metadata.tuple([None, metadata.string("kernel")])
    module.named_metadata["nvvm.annotations"] = NamedMetadata("nvvm.annotations", [node])


@pytest.mark.usefixtures("proved")
@pytest.mark.parametrize("change", [other_layout, without_version, with_annotation_of_nothing])
def test_differences_are_found_whatever_reading_upgrades(
    change: Callable[[bitcodec.Module], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    def changed() -> bitcodec.Module:
        module = bitcodec.loads(HELLO)
        module.materialize()
        change(module)
        return module

    assert bitcodec.dumps(changed(), copies_unchanged=False)
    other = changed()
    other.functions["main"].name = "other"
    made = bitcodec.dumps(other, copies_unchanged=False)
    monkeypatch.setattr(written_module, "write_module", lambda *_: made)
    with pytest.raises(AssertionError, match="another module"):
        bitcodec.dumps(changed(), copies_unchanged=False)


@pytest.mark.usefixtures("proved")
def test_another_data_layout_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    module = bitcodec.loads(HELLO)
    other_layout(module)
    made = bitcodec.dumps(module, copies_unchanged=False)
    monkeypatch.setattr(written_module, "write_module", lambda *_: made)
    with pytest.raises(AssertionError, match="target datalayout"):
        bitcodec.dumps(bitcodec.loads(HELLO), copies_unchanged=False)


@pytest.mark.usefixtures("proved")
def test_wrong_offsets_in_a_copy_of_a_malformed_module_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    draft = bitstream.loads(HELLO).edit()
    bodies = [block for block in draft.block(BlockId.MODULE_BLOCK).blocks if block.id == BlockId.FUNCTION_BLOCK]
    record = bodies[-1].records[-1]
    record.code, record.abbreviation_id = 99, 3
    malformed = bitcode.dumps(draft)
    draft = bitstream.loads(malformed).edit()
    draft.block(BlockId.MODULE_BLOCK).record(ModuleCode.VSTOFFSET).operands = (1,)
    made = draft.dumps()
    assert bitcodec.dumps(bitcodec.loads(malformed))
    monkeypatch.setattr(copying, "copy_module", lambda _: made)
    with pytest.raises(AssertionError, match="the offsets of what was written are wrong"):
        bitcodec.dumps(bitcodec.loads(malformed))


@pytest.mark.parametrize("names", ["", "@x = global i32 0\n"])
def test_summaries_are_proved_with_the_module_that_they_belong_to(names: str) -> None:
    """An index of several modules has no globals, and its bitcode names no source: it is not compared."""
    index = '^0 = module: (path: "a.bc", hash: (0, 0, 0, 0, 0))\n^1 = gv: (guid: 10)\n'
    module = bitcodec.parse_assembly(f'source_filename = "a.c"\n{names}{index}')
    other = bitcodec.dumps(bitcodec.parse_assembly(f'source_filename = "b.c"\n{names}{index}'))
    if not names:
        proving.prove_module(module, other, is_copied=False)
        return
    with pytest.raises(AssertionError, match=r'-source_filename = "a\.c"'):
        proving.prove_module(module, other, is_copied=False)


def test_it_is_off_otherwise(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(proving, "IS_ON", False)
    monkeypatch.setattr(copying, "copy_module", lambda _: b"anything")
    assert saving.dumps(bitcodec.loads(HELLO)) == b"anything"
