"""What became of nodes in machine IR."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from bitcodec import mir
from bitcodec.builder import Builder, add_block, add_function, constant, new_module
from bitcodec.errors import PCSectionsError
from bitcodec.ir import Module
from bitcodec.pcsections import PCSection
from bitcodec.pcsections.auditing.audit import audit
from bitcodec.pcsections.auditing.comparison import Verdict
from bitcodec.pcsections.metadata.attaching import attach

from .audited import told

ATOMICS = Path(__file__).parents[2] / "examples" / "atomics.mir"


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


@pytest.mark.parametrize(
    "suffix", ["pcsections !9", "pcsections <0x55d0>", "pcsections !DILocation(line: 1, scope: !0)"]
)
def test_machine_ir_whose_nodes_are_not_there(suffix: str) -> None:
    text = ATOMICS.read_text(encoding="utf-8").replace("pcsections !2", suffix)
    with pytest.raises(PCSectionsError, match="the IR part defines no node"):
        audit(atomics(), mir.loads(text))


def test_nodes_without_numbers_that_request_nothing() -> None:
    """LLVM prints the addresses of nodes that only machine instructions refer to."""
    text = ATOMICS.read_text(encoding="utf-8")
    text = text.replace("(s32) from %ir.", "(s32) from %ir.p, !range <0x55d0c8a1>)  ; ", 1).replace(
        "    $eax = COPY", "    DBG_VALUE %2, $noreg, <0x55d0>, <0x55e0>, debug-location <0x55f0>\n    $eax = COPY", 1
    )
    assert text.count("<0x55") == 4
    assert told(audit(atomics(), mir.loads(text))) == told(audit(atomics(), mir.open(ATOMICS)))


@pytest.mark.parametrize(
    "path", sorted((Path(__file__).parents[1] / "data" / "mir").glob("*.mir.gz")), ids=lambda each: each.name
)
def test_machine_ir_of_llc(path: Path) -> None:
    """Every function and node of it is found, and none that is not there."""
    text = gzip.decompress(path.read_bytes())
    found = audit(new_module("empty"), mir.loads(text))
    assert set(found.counts()) <= {Verdict.FOREIGN}
    assert sum(each.found for each in found if not each.wanted.of_function) == text.count(b" pcsections !")
