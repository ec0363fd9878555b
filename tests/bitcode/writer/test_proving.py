"""Proofs read back what was written; a difference raises AssertionError."""

from __future__ import annotations

from pathlib import Path

import pytest

import bitcodec
from bitcodec import BitcodeError, bitcode, bitstream, transforms
from bitcodec.bitcode import proving, saving
from bitcodec.bitcode.schema.blocks import BlockId, ModuleCode
from bitcodec.bitcode.writer import copying

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
    monkeypatch.setattr(copying, "copied", lambda _: made)
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
def test_the_module_stays_as_unread_as_it_was() -> None:
    module = bitcodec.loads(HELLO)
    assert bitcodec.dumps(module)
    assert module.has_unread_symbols


def test_names_of_void_calls_are_not_compared() -> None:
    lines = proving.compared_lines("  %c = call void @f()\n  %d = call i32 @g()")
    assert lines == ["  call void @f()", "  %d = call i32 @g()"]


def test_it_is_off_otherwise(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(proving, "IS_ON", False)
    monkeypatch.setattr(copying, "copied", lambda _: b"anything")
    assert saving.dumps(bitcodec.loads(HELLO)) == b"anything"
