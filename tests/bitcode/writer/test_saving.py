"""Saving: whole files or none, the same bytes each time, clear refusals."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

import bitcodec
from bitcodec.builder import (
    Builder,
    add_block,
    add_function,
    add_named_metadata,
    add_variable,
    metadata_node,
    new_module,
)
from bitcodec.ir import Module

DATA = Path(__file__).parents[2] / "data"
EXAMPLES = Path(__file__).parents[3] / "examples"
GOLDENS = sorted(DATA.glob("*.bc.ll.gz"))


def small() -> Module:
    module = new_module("small")
    types = module.context.types
    function = add_function(module, "main", types.function(types.integer(32), []))
    builder = Builder(add_block(function, "entry"))
    builder.ret(builder.load(types.integer(32), add_variable(module, "x", types.integer(32), 7)))
    return module


@pytest.mark.parametrize("golden", GOLDENS, ids=lambda path: path.name)
def test_what_llvm_prints_of_a_file_is_what_is_printed_of_it_written_anew(golden: Path) -> None:
    name = golden.name.removesuffix(".ll.gz")
    path = DATA / name if (DATA / name).exists() else EXAMPLES / name
    data = bitcodec.dumps(bitcodec.loads(path.read_bytes(), name), copies_unchanged=False)
    text = bitcodec.print_assembly(bitcodec.loads(data, name)).encode("utf-8", "surrogateescape")
    assert text == gzip.decompress(golden.read_bytes())


@pytest.mark.parametrize("path", sorted(EXAMPLES.glob("*.bc")), ids=lambda path: path.name)
def test_the_same_bytes_whatever_was_read_before(path: Path) -> None:
    fresh = bitcodec.dumps(bitcodec.open(path), copies_unchanged=False)
    module = bitcodec.open(path)
    for function in reversed(module.functions):
        function.materialize()
    _ = [str(node) for named in module.named_metadata.values() for node in named.operands]
    assert bitcodec.dumps(module, copies_unchanged=False) == fresh


def test_a_module_that_was_built(tmp_path: Path) -> None:
    path = tmp_path / "small.bc"
    bitcodec.save(small(), path)
    module = bitcodec.open(path)
    assert [str(instruction) for instruction in module.functions["main"].instructions] == [
        "%0 = load i32, ptr @x, align 4",
        "ret i32 %0",
    ]
    assert [entry.name for entry in tmp_path.iterdir()] == ["small.bc"]


def test_a_file_can_take_its_own_place(tmp_path: Path) -> None:
    path = tmp_path / "hello.bc"
    path.write_bytes((EXAMPLES / "hello.bc").read_bytes())
    module = bitcodec.open(path)
    module.functions["main"].name = "start"
    bitcodec.save(module, path)
    assert "start" in bitcodec.open(path).symbol_names


def test_what_was_there_stays_if_something_is_malformed(tmp_path: Path) -> None:
    broken, path = (EXAMPLES / "hello.bc").read_bytes(), tmp_path / "a.bc"
    path.write_bytes(b"old")
    with pytest.raises(bitcodec.BitcodecError):
        bitcodec.save(bitcodec.loads(broken[:-1024]), path)
    assert path.read_bytes() == b"old"
    assert [entry.name for entry in tmp_path.iterdir()] == ["a.bc"]


def test_metadata_of_a_global_that_is_gone_holds_nothing() -> None:
    module = small()
    gone = add_variable(module, "gone", module.context.types.integer(8), 1)
    add_named_metadata(module, "kept", metadata_node(module, gone, "text"))
    gone.erase_from_parent()
    (node,) = bitcodec.loads(bitcodec.dumps(module)).named_metadata["kept"].operands
    assert str(node) == '!{null, !"text"}'
