"""Flags that nobody would write get an answer, in time that does not grow beyond their size."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

import bitcodec
from amounts import amount, some
from bitcodec.flags import Behavior, Merge, conflicts, explanation, lint, listing, merge, spelled
from bitcodec.ir.importing import Importer
from bitcodec.ir.metadata import MDTuple, NamedMetadata
from bitcodec.ir.module import Module

from .text import Int, Node, Str, flag, made, require

FLAGS = "llvm.module.flags"
ERROR, WARNING, REQUIRE, OVERRIDE, APPEND, APPEND_UNIQUE, MAX, MIN = range(1, 9)


@contextmanager
def within(seconds: float) -> Iterator[None]:
    start = time.process_time()
    yield
    assert time.process_time() - start < seconds


def everything(*modules: Module) -> Merge:
    """Do all that there is to be done with flags."""
    merged = merge(*modules)
    for each in merged.diagnostics:
        assert str(each)
        assert explanation(each)
    for module in modules:
        module.flags.check()
        lint(module.flags)
        list(listing(module.flags))
    conflicts((module.identifier, module.flags) for module in modules)
    made(None).flags = merged.flags
    return merged


def referring_to_itself(*, is_distinct: bool) -> Module:
    module = made([flag(ERROR, "x", Int(1))])
    node = MDTuple([], is_distinct=is_distinct)
    node.set_operands([node, module.context.metadata.string("text")])
    module.flags.set("x", node)
    return module


@pytest.mark.parametrize("is_distinct", [False, True])
def test_a_node_that_holds_itself(is_distinct: bool) -> None:
    with within(2):
        merged = everything(referring_to_itself(is_distinct=is_distinct), referring_to_itself(is_distinct=is_distinct))
    assert len(merged.errors) == 1
    text = spelled(merged.flags["x"].value)
    assert "..." in text
    assert len(text) < 5000


def test_a_flag_that_is_its_own_value_and_key() -> None:
    module = made([flag(ERROR, "x", Int(1))])
    node = MDTuple([], is_distinct=True)
    node.set_operands([node, node, node])
    module.named_metadata[FLAGS].operands.append(node)
    with within(2):
        everything(module, module)


def test_nodes_in_a_circle() -> None:
    module = made([flag(ERROR, "x", Int(1))])
    first = MDTuple([])
    second = MDTuple([first])
    first.set_operands([second])
    module.flags.set("x", first)
    with within(2):
        merged = everything(module, module)
    assert len(merged.errors) == 1


def test_nodes_nested_deep() -> None:
    module = made([flag(ERROR, "x", Int(1))])
    node = module.context.metadata.tuple([])
    for _ in range(amount(8_000, 20_000)):
        node = module.context.metadata.tuple([node])
    module.flags.set("x", node)
    with within(10):
        merged = everything(module, module)
    assert not merged.diagnostics
    assert len(spelled(merged.flags["x"].value)) < 1000


def test_nodes_that_say_in_few_bytes_what_no_memory_holds() -> None:
    module = made([flag(ERROR, "x", Int(1))])
    node = module.context.metadata.tuple([])
    for _ in range(60):
        node = module.context.metadata.tuple([node, node])
    module.flags.set("x", node)
    with within(10):
        merged = everything(module, module)
    assert not merged.diagnostics
    assert len(spelled(node)) < 1_000_000


def test_types_nested_deep() -> None:
    module = made([flag(ERROR, "x", Int(1))])
    types = module.context.types
    type_ = types.integer(32)
    for _ in range(20_000):
        type_ = types.array(1, type_)  # type: ignore[assignment]
    module.flags.set("x", module.context.constants.undef(type_))
    with within(10):
        assert not merge(module, module).diagnostics


def test_a_key_and_a_value_of_ten_megabytes() -> None:
    text = "\x01" * 10_000_000
    modules = [made([flag(ERROR, text, Str(text + end))]) for end in ("a", "b")]
    with within(20):
        merged = merge(*modules)
        (report,) = conflicts((module.identifier, module.flags) for module in modules).conflicts
    assert len(merged.errors) == 1
    assert len(report.groups[0].text) <= 200
    assert len(spelled(merged.flags[text].value, most_characters=100)) == 100


COUNT = int(os.environ.get("BITCODEC_FLAGS", amount(8_000, 100_000)))
"""A million take about half a minute."""


def test_a_great_many_flags() -> None:
    module = made([])
    table, constants = module.context.metadata, module.context.constants
    i32 = module.context.types.integer(32)
    one = table.value(constants.integer(i32, Behavior.ERROR))
    nodes = [table.tuple([one, table.string(f"{number}"), one]) for number in range(COUNT)]
    module.named_metadata[FLAGS] = NamedMetadata(FLAGS, nodes)
    with within(5 + COUNT / 10_000):
        flags = module.flags
        assert len(flags) == COUNT
        assert not flags.check()
        assert not merge(flags, made([flag(ERROR, "1", Int(1))])).diagnostics


def test_a_list_that_grows_with_each_of_many_modules() -> None:
    count = amount(600, 2000)
    modules = [made([flag(APPEND_UNIQUE, "x", Node(*map(Int, range(number, number + 20))))]) for number in range(count)]
    with within(20):
        merged = merge(*modules)
    value = merged.flags["x"].value
    assert isinstance(value, MDTuple)
    assert len(value) == count + 19


def test_many_requirements_of_one_key() -> None:
    flags = [require("r", f"{number}", Int(1)) for number in range(2000)]
    with within(20):
        assert len(merge(made([flag(ERROR, "x", Int(1))]), made(flags)).errors) == 2000


def test_wide_numbers() -> None:
    module = made([flag(ERROR, "x", Int((1 << 400_000) - 1, 400_001))])
    with within(10):
        assert len(spelled(module.flags["x"].value)) > 100_000
        assert not everything(module, module).diagnostics


def test_strings_that_are_no_text() -> None:
    text = b"\xff'{key}".decode("utf-8", "surrogateescape")
    modules = [made([flag(ERROR, text, Int(value))]) for value in (1, 2)]
    (found,) = everything(*modules).errors
    assert f"'{text}'" in str(found)


def test_metadata_that_is_cut_off_is_refused() -> None:
    module = made([flag(ERROR, "x", Int(1))])
    data = bytearray(bitcodec.dumps(module))
    for place in some(range(8, len(data), 3), 120):
        changed = bytes(data[:place]) + bytes([data[place] ^ 0xFF]) + bytes(data[place + 1 :])
        try:
            everything(bitcodec.loads(changed))
        except bitcodec.BitcodecError:
            continue


def test_what_cannot_be_copied_is_told() -> None:
    module, other = made([]), made([])
    constants, types = module.context.constants, module.context.types
    address = constants.cast("inttoptr", constants.integer(types.integer(64), 8), types.ptr)
    module.flags.add(Behavior.ERROR, "x", address)
    with pytest.raises(ValueError, match="no counterpart in the module"):
        other.flags = module.flags
    importer = Importer(other.context, lambda value: value)
    assert importer.constant(address) is address
    assert importer.foreign == [address]
