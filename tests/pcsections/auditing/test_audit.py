"""What became of nodes in modules that were changed by known steps."""

from __future__ import annotations

import pytest

from bitcodec.builder import constant
from bitcodec.ir import Linkage, Module
from bitcodec.pcsections import PCSection
from bitcodec.pcsections.auditing.audit import audit
from bitcodec.pcsections.auditing.comparison import Verdict
from bitcodec.pcsections.metadata.attaching import attach
from bitcodec.transforms import Rewriter
from pcsections.audited import copied, told
from pcsections.malformed import node
from pcsections.samples import instruction, sample


def seven(module: Module) -> PCSection:
    return PCSection.of("hot!C", [constant(module, module.context.types.integer(32), 7)])


def tagged(select: str = "stores,loads,functions") -> Module:
    module = sample()
    attach(module, select, [seven(module)])
    return module


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
    """A node that one opcode had and another has now: nothing specifies which became which."""
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
