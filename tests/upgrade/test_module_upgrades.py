"""What is upgraded of whole modules: annotations, branch protection, lists of structors, Objective-C's runtime."""

from __future__ import annotations

import gzip
import re

import pytest

from bitcodec.ir.constant_expressions import ConstantCast
from bitcodec.ir.constants import Constant
from bitcodec.ir.globals import GlobalVariable
from bitcodec.ir.metadata import MDTuple, NamedMetadata
from bitcodec.ir.module import Module
from bitcodec.tables.linkage import Linkage
from bitcodec.tables.opcodes import TailCallKind
from bitcodec.upgrade.address_spaces import (
    is_address_space_bitcast,
    upgraded_bitcast_constant,
    upgraded_bitcasts,
)
from bitcodec.upgrade.arc import arc_replacements
from bitcodec.upgrade.calls import upgrade_calls
from bitcodec.upgrade.nvvm import upgrade_nvvm_annotations
from bitcodec.upgrade.structors import upgrade_structors

from .listing import DATA, opened
from .models import Body

_DEFINITION = re.compile(r"(?:define|declare) .*@([\w.]+)\(.*\)(?: #(\d+))?")


def attributes_of_golden(name: str) -> dict[str, str]:
    """Return the attributes that llvm-dis 22 prints of each function."""
    text = gzip.decompress((DATA / f"{name}.bc.ll.gz").read_bytes()).decode()
    groups = dict(re.findall(r"^attributes #(\d+) = \{ (.*) \}$", text, re.MULTILINE))
    return {function: groups.get(group, "") for function, group in _DEFINITION.findall(text)}


@pytest.mark.parametrize("name", ["annotations", "branch-protection", "branch-protection-off"])
def test_attributes_of_functions(name: str) -> None:
    module = opened(name)
    ours = {function.name: function.attributes.for_function.spelled(in_group=True) for function in module.functions}
    assert ours == attributes_of_golden(name)


def test_annotations_of_parameters_and_kernels() -> None:
    kernel, _, aligned = opened("annotations").functions
    assert kernel.calling_convention == 71
    assert [str(kernel.attributes.for_parameter(index)) for index in range(2)] == [
        'byval(i32) "nvvm.grid_constant"',
        '"nvvm.grid_constant"',
    ]
    assert str(aligned.attributes.for_return) == "alignstack(8)"
    assert [str(aligned.attributes.for_parameter(index)) for index in range(2)] == ["alignstack(16)", "alignstack(4)"]


def test_annotations_that_are_not_known_stay() -> None:
    module = opened("annotations")
    kept = [
        [getattr(operand, "text", None) for operand in node]
        for node in module.named_metadata["nvvm.annotations"].operands
    ]
    assert kept == [[None, "unknown", None], [None, "texture", None], [None, "maxntidw", None], [None, "surface", None]]


def test_annotations_that_make_no_sense_stay() -> None:
    body = Body()
    metadata = body.module.context.metadata
    function = metadata.value(body.function)
    nodes = [
        metadata.tuple([function, metadata.string(name), value])
        for name, value in (
            ("align", metadata.value(body.integer(32, 3))),
            ("align", metadata.value(body.integer(32, 9 << 16 | 8))),
            ("maxnreg", metadata.string("many")),
            ("grid_constant", metadata.tuple([metadata.value(body.integer(32, 3))])),
            ("grid_constant", None),
        )
    ]
    body.module.named_metadata["nvvm.annotations"] = named = NamedMetadata("nvvm.annotations", nodes)
    upgrade_nvvm_annotations(body.module)
    assert named.operands == nodes
    assert not body.function.attributes


def flags(module: Module) -> list[tuple[str, int]]:
    found = []
    for node in module.named_metadata["llvm.module.flags"].operands:
        assert isinstance(node, MDTuple)
        found.append((node[1].text, node[2].value.value))
    return found


def test_flags_that_functions_have_taken_over_are_marked() -> None:
    assert flags(opened("branch-protection")) == [
        ("branch-target-enforcement", 2),
        ("sign-return-address", 2),
        ("sign-return-address-all", 0),
        ("sign-return-address-with-bkey", 2),
        ("wchar_size", 4),
    ]
    assert flags(opened("branch-protection-off")) == [
        ("branch-target-enforcement", 0),
        ("sign-return-address", 0),
        ("sign-return-address-all", 1),
        ("guarded-control-stack", 2),
    ]


def structors(body: Body, count: int) -> tuple[GlobalVariable, Constant]:
    types, constants = body.types, body.constants
    entry = types.struct([types.integer(32), types.ptr])
    variable = GlobalVariable(types.ptr, types.array(count, entry), Linkage.APPENDING)
    variable.name = "llvm.global_ctors"
    body.module.append(variable)
    first = constants.aggregate(entry, [constants.integer(types.integer(32), 65535), body.function])
    return variable, first


def test_structors_get_data() -> None:
    body = Body()
    old, first = structors(body, 2)
    entry = first.type
    old.initializer = body.constants.aggregate(old.value_type, [first, body.constants.null(entry)])
    last = GlobalVariable(body.types.ptr, body.types.integer(8))
    last.name = "last"
    body.module.append(last)
    upgrade_structors(body.module)
    other, new = body.module.global_variables
    assert (other, new.name, new.linkage) == (last, "llvm.global_ctors", Linkage.APPENDING)
    assert str(new.value_type) == "[2 x { i32, ptr, ptr }]"
    initializer = new.initializer
    assert initializer is not None
    number, function, data = initializer.operands[0].operands
    assert (number.value, function, data) == (65535, body.function, body.constants.null(body.types.ptr))
    assert initializer.operands[1].is_null
    assert old.parent is None


def test_structors_without_entries_get_none() -> None:
    body = Body()
    old, _ = structors(body, 3)
    old.initializer = body.constants.null(old.value_type)
    upgrade_structors(body.module)
    (new,) = body.module.global_variables
    assert str(new.value_type) == "[0 x { i32, ptr, ptr }]"


@pytest.mark.parametrize("has_old_marker", [False, True])
def test_calls_of_the_runtime_are_intrinsics_where_the_marker_is_old(*, has_old_marker: bool) -> None:
    body = Body()
    pointer = body.function.arguments[0]
    call = body.call(body.declare("objc_retain", "p0(p0)"), [pointer], "kept")
    call.tail_kind = TailCallKind.TAIL
    body.call(body.declare("objc_release", "void(p0)"), [call])
    body.call(body.declare("clang.arc.use", body.types.function(body.types.void, is_vararg=True)), [pointer])
    replacements = arc_replacements(body.module, has_old_marker=has_old_marker)
    upgrade_calls(body.function, replacements)
    runtime = ["llvm.objc.retain", "llvm.objc.release"] if has_old_marker else ["objc_retain", "objc_release"]
    assert body.callees == [*runtime, "llvm.objc.clang.arc.use"]
    retain, release, _ = body.block.instructions
    assert (retain.name, retain.tail_kind, release.arguments) == ("kept", TailCallKind.TAIL, (retain,))


@pytest.mark.parametrize("signature", ["p0(i32)", "void(p0)", "p0()", "p0(p0,p0)", "p0(p1)"])
def test_calls_of_other_types_are_left_to_the_runtime(signature: str) -> None:
    body = Body()
    old = body.declare("objc_retain", signature)
    call = body.call(old, [body.constants.poison(type_) for type_ in old.value_type.parameter_types])
    upgrade_calls(body.function, arc_replacements(body.module, has_old_marker=True))
    assert body.block.instructions == (call,)
    assert [function.name for function in body.module.functions] == ["f", "objc_retain", "llvm.objc.retain"]


def test_bitcasts_into_another_address_space_go_through_an_integer() -> None:
    body = Body()
    types = body.types
    target = types.pointer(3)
    assert is_address_space_bitcast("bitcast", types.ptr, target)
    assert is_address_space_bitcast("bitcast", types.vector(2, types.ptr), types.vector(2, target))
    assert not is_address_space_bitcast("bitcast", types.ptr, types.ptr)
    assert not is_address_space_bitcast("addrspacecast", types.ptr, target)
    address, pointer = upgraded_bitcasts(body.function.arguments[0], target, types)
    assert (address.opcode, str(address.type), pointer.opcode, pointer.type) == ("ptrtoint", "i64", "inttoptr", target)
    constant = upgraded_bitcast_constant(body.function, target, types, body.constants)
    assert isinstance(constant, ConstantCast)
    assert (constant.opcode, constant.operand.opcode, constant.type) == ("inttoptr", "ptrtoint", target)
