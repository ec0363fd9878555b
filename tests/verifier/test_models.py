"""What no text can say, and what reading sets right: models that were changed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from bitcodec.ir import AttributeList, AttributeSet, Function
from bitcodec.ir.attributes import EnumAttribute, IntegerAttribute, RangeListAttribute
from bitcodec.ir.constant_range import ConstantRange
from bitcodec.ir.debug_info import DISubrange
from bitcodec.tables.linkage import DLLStorageClass, Linkage, Visibility
from bitcodec.tables.opcodes import AtomicOrdering, AtomicRMWOperation
from bitcodec.verifier import verify

from .models import (
    Parts,
    attribute,
    call_with,
    elsewhere,
    exchange_predicates,
    flag,
    give_name,
    hold_entry,
    in_other_module,
    jump_to_number,
    limit_immediate,
    many,
    name_node,
    not_dominated,
    of_type,
    operand,
    order_store,
    repeat_case,
    return_struct,
    second_terminator,
    setting,
    store_assembly,
    unfinished,
    use_elsewhere,
    use_nowhere,
    weigh,
    widen_address,
    with_bundle,
)

CHANGES: list[tuple[str, Callable[[Parts], Any]]] = [
    # Blocks
    ("Basic Block in function 'work' does not have terminator!", unfinished),
    ("Terminator found in the middle of a basic block!", second_terminator),
    ("Instruction does not dominate all uses!", not_dominated),
    ("blockaddress may not be used with the entry block!", hold_entry),
    # Operations
    ("Both operands to a binary operator are not of the same type!", operand("sum", 1, "wide")),
    (
        "Integer arithmetic operators only work with integral types!",
        many(operand("sum", 0, "f"), operand("sum", 1, "f"), of_type("sum", lambda types: types.float)),
    ),
    (
        "Integer arithmetic operators must have same type for operands and result!",
        of_type("sum", lambda types: types.integer(8)),
    ),
    (
        "Floating-point arithmetic operators only work with floating-point types!",
        of_type("fsum", lambda types: types.integer(32)),
    ),
    (
        "Floating-point arithmetic operators must have same type for operands and result!",
        of_type("fsum", lambda types: types.double),
    ),
    ("Logical operators only work with integral types!", of_type("and", lambda types: types.ptr)),
    ("Logical operators must have same type for operands and result!", of_type("and", lambda types: types.integer(8))),
    ("Shifts only work with integral types!", of_type("shift", lambda types: types.ptr)),
    ("Shift return type must be same as operands!", of_type("shift", lambda types: types.integer(8))),
    ("Unary operators must have same type foroperands and result!", operand("neg", 0, "a")),
    (
        "FNeg operator only works with float types!",
        many(operand("neg", 0, "a"), of_type("neg", lambda types: types.integer(32))),
    ),
    ("Both operands to ICmp instruction are not of the same type!", operand("equal", 1, "wide")),
    (
        "Invalid operand types for ICmp instruction",
        many(operand("equal", 0, "f"), operand("equal", 1, "f")),
    ),
    ("Invalid predicate in ICmp instruction!", exchange_predicates),
    ("Both operands to FCmp instruction are not of the same type!", operand("fequal", 1, "a")),
    ("Invalid operand types for FCmp instruction", many(operand("fequal", 0, "a"), operand("fequal", 1, "a"))),
    ("Invalid predicate in FCmp instruction!", exchange_predicates),
    ("Invalid operands for select instruction!", operand("choice", 0, "a")),
    ("Invalid operands for select instruction!", operand("choice", 1, "wide")),
    (
        "Select values must have same type as select instruction!",
        of_type("choice", lambda types: types.integer(8)),
    ),
    # Casts
    ("Trunc only operates on integer", operand("trunc", 0, "f")),
    ("Trunc only produces integer", of_type("trunc", lambda types: types.ptr)),
    (
        "trunc source and destination must both be a vector or neither",
        of_type("trunc", lambda types: types.vector(2, types.integer(8))),
    ),
    ("DestTy too big for Trunc", operand("trunc", 0, "a")),
    ("ZExt only operates on integer", operand("zext", 0, "p")),
    ("ZExt only produces an integer", of_type("zext", lambda types: types.ptr)),
    ("Type too small for ZExt", operand("zext", 0, "wide")),
    ("SExt only operates on integer", operand("sext", 0, "p")),
    ("Type too small for SExt", operand("sext", 0, "wide")),
    ("FPExt only operates on FP", operand("fpext", 0, "a")),
    ("DestTy too small for FPExt", of_type("fpext", lambda types: types.half)),
    ("FPTrunc only produces an FP", of_type("fptrunc", lambda types: types.integer(8))),
    ("DestTy too big for FPTrunc", operand("fptrunc", 0, "f")),
    ("FPToSI source must be FP or FP vector", operand("fptosi", 0, "a")),
    ("FPToSI result must be integer or integer vector", of_type("fptosi", lambda types: types.ptr)),
    ("UIToFP source must be integer or integer vector", operand("uitofp", 0, "f")),
    ("UIToFP source and dest must both be vector or scalar", operand("uitofp", 0, "v")),
    ("PtrToInt source must be pointer", operand("ptrtoint", 0, "a")),
    ("PtrToInt result must be integral", of_type("ptrtoint", lambda types: types.float)),
    ("IntToPtr source must be an integral", operand("inttoptr", 0, "f")),
    ("IntToPtr result must be a pointer", of_type("inttoptr", lambda types: types.integer(8))),
    ("Invalid bitcast", operand("bitcast", 0, "wide")),
    ("Invalid bitcast", operand("bitcast", 0, "p")),
    ("Invalid bitcast", operand("bitcast", 0, "s")),
    ("AddrSpaceCast source must be a pointer", operand("spacecast", 0, "a")),
    ("AddrSpaceCast must be between different address spaces", operand("spacecast", 0, "far")),
    # Elements
    ("Invalid extractelement operands!", operand("element", 1, "f")),
    ("Invalid insertelement operands!", operand("inserted", 1, "f")),
    ("Invalid shufflevector operands!", setting("shuffled.mask", (0, 8, 1, 2))),
    ("Invalid shufflevector operands!", operand("shuffled", 1, "a")),
    ("Invalid ExtractValueInst operands!", setting("field.indices", (2,))),
    ("Invalid ExtractValueInst operands!", of_type("field", lambda types: types.integer(8))),
    ("Invalid InsertValueInst operands!", operand("filled", 1, "wide")),
    # Memory
    ("Load operand must be a pointer.", operand("loaded", 0, "a")),
    ("huge alignment values are unsupported", setting("loaded.alignment", 1 << 33)),
    ("loading unsized types is not allowed", of_type("loaded", lambda types: types.token)),
    ("Load cannot have Release ordering", setting("atomic.ordering", AtomicOrdering.RELEASE)),
    ("Non-atomic load cannot have SynchronizationScope specified", setting("loaded.sync_scope", "agent")),
    ("Store operand must be a pointer.", lambda parts: parts.find("store").set_operand(1, parts["a"])),
    ("Store cannot have Acquire ordering", lambda parts: order_store(parts, AtomicOrdering.ACQUIRE)),
    ("Cannot allocate unsized type", lambda parts: setattr(parts["room"], "allocated_type", parts.types.label)),
    ("Alloca array size must have integer type", operand("room", 0, "f")),
    ("GEP base pointer is not a vector or a vector of pointers", operand("address", 0, "a")),
    ("GEP indexes must be integers", operand("address", 1, "f")),
    ("Invalid indices for GEP pointer type!", operand("address", 2, "a")),
    ("Vector GEP result width doesn't match operand's", widen_address),
    ("GEP address space doesn't match type", operand("address", 0, "far")),
    ("GEP is not of right type for indices!", of_type("address", lambda types: types.integer(64))),
    ("atomicrmw add operand must have integer type!", operand("changed", 1, "f")),
    (
        "atomicrmw fadd operand must have floating-point or fixed vector of floating-point type!",
        setting("changed.operation", AtomicRMWOperation.FADD),
    ),
    ("atomicrmw xchg operand must have integer or floating point type!", operand("xchg", 1, "v")),
    ("atomicrmw instructions cannot be unordered.", setting("xchg.ordering", AtomicOrdering.UNORDERED)),
    (
        "fence instructions may only have acquire, release, acq_rel, or seq_cst ordering.",
        lambda parts: setattr(parts.find("fence"), "ordering", AtomicOrdering.MONOTONIC),
    ),
    # Control flow
    ("Branch condition is not 'i1' type!", lambda parts: parts["entry"].terminator.set_operand(0, parts["a"])),
    (
        "Switch constants must all be same type as switch value!",
        lambda parts: parts.find("switch").set_operand(0, parts["wide"]),
    ),
    ("Duplicate integer as switch case", repeat_case),
    ("Indirectbr operand must have pointer type!", jump_to_number),
    (
        "Function return type does not match operand type of return inst!",
        lambda parts: parts["end"].terminator.set_operand(0, parts["wide"]),
    ),
    (
        "Found return instr that returns non-void in Function of void return type!",
        lambda parts: parts["normal"].terminator._set_operands([parts.integer(1)]),
    ),
    ("PHI node operands are not the same type as the result!", of_type("phi", lambda types: types.integer(8))),
    # Calls
    ("Incorrect number of arguments passed to called function!", lambda parts: call_with(parts, "prefetch", 3)),
    (
        "Called function requires more parameters than were provided!",
        lambda parts: call_with(parts, "callee", 0),
    ),
    (
        "Call parameter type does not match function signature!",
        lambda parts: parts.find("call").set_operand(0, parts["wide"]),
    ),
    ("Called function must be a pointer!", lambda parts: parts.find("call").set_operand(-1, parts["a"])),
    (
        "Attribute after last parameter!",
        lambda parts: setattr(
            parts.find("call"), "attributes", AttributeList(parameters={7: AttributeSet([EnumAttribute("noundef")])})
        ),
    ),
    ("immarg value 5 out of range [0, 2)", limit_immediate),
    ("Funclet bundle operands should correspond to a FuncletPadInst", with_bundle("funclet", "a")),
    ("Expected exactly one kcfi bundle operand", with_bundle("kcfi", "a", "b")),
    ("Cannot take the address of an inline asm!", store_assembly),
    # Others' values
    ("Referring to an argument in another function!", lambda parts: use_elsewhere(parts, "a")),
    ("Referring to an instruction in another function!", lambda parts: use_elsewhere(parts, "sum")),
    (
        "Referring to a basic block in another function!",
        lambda parts: parts["entry"].terminator.set_successor(0, elsewhere(parts)),
    ),
    (
        "Referencing global in another module!",
        lambda parts: parts["loaded"].set_operand(0, in_other_module(parts)),
    ),
    ("Instruction has a name, but provides a void value!", lambda parts: give_name(parts.find("store"))),
    # Exceptions
    ("Catch operand does not have pointer type!", lambda parts: parts["landed"].set_operand(0, parts.integer(1))),
    ("Filter operand is not an array of constants!", lambda parts: parts["landed"].set_operand(1, parts.integer(1))),
    ("LandingPadInst needs to be in a function with a personality.", setting("unwinds.personality", None)),
    # Functions
    ("Functions may not have common linkage", setting("work.linkage", Linkage.COMMON)),
    ("Invalid struct return type!", return_struct),
    ("Attribute 'builtin' can only be applied to a callsite.", attribute("function", EnumAttribute("builtin"))),
    ("Attribute 'nest' does not apply to function return values", attribute("return", EnumAttribute("nest"))),
    ("Attribute 'cold' does not apply to parameters", attribute("0", EnumAttribute("cold"))),
    ("Attribute 'nonnull' does not apply to functions!", attribute("function", EnumAttribute("nonnull"))),
    ("Attribute 'nonnull' applied to incompatible type!", attribute("0", EnumAttribute("nonnull"))),
    ("Attribute 'zeroext' applied to incompatible type!", attribute("3", EnumAttribute("zeroext"))),
    (
        "Attribute 'initializes' does not support empty list",
        attribute("4", RangeListAttribute("initializes", ())),
    ),
    (
        "Attribute 'initializes' does not support unordered ranges",
        attribute("4", RangeListAttribute("initializes", (ConstantRange.of(64, 8, 16), ConstantRange.of(64, 0, 4)))),
    ),
    (
        "Attribute 'nofpclass' must have at least one test bit set",
        attribute("3", IntegerAttribute("nofpclass", 0)),
    ),
    ("Invalid value for 'nofpclass' test mask", attribute("3", IntegerAttribute("nofpclass", 1 << 10))),
    ("huge alignment values are unsupported", attribute("4", IntegerAttribute("align", 1 << 33))),
    # Globals
    (
        "Global variable initializer type does not match global variable type!",
        lambda parts: parts.module.global_variables["variable"]._set_operands([parts.integer(1, 64)]),
    ),
    ("huge alignment values are unsupported", setting("variable.alignment", 1 << 33)),
    ("Global is external, but doesn't have external or weak linkage!", setting("callee.linkage", Linkage.WEAK)),
    ("Only global variables can have appending linkage!", setting("work.linkage", Linkage.APPENDING)),
    ("Only global arrays can have appending linkage!", setting("variable.linkage", Linkage.APPENDING)),
    (
        "dllexport GlobalValue must have default or protected visibility",
        many(
            setting("array.dll_storage_class", DLLStorageClass.EXPORT),
            setting("array.visibility", Visibility.HIDDEN),
        ),
    ),
    (
        "dllimport GlobalValue must have default visibility",
        many(
            setting("callee.dll_storage_class", DLLStorageClass.IMPORT),
            setting("callee.visibility", Visibility.HIDDEN),
        ),
    ),
    (
        "GlobalValue with DLLImport Storage is dso_local!",
        many(setting("callee.dll_storage_class", DLLStorageClass.IMPORT), setting("callee.is_dso_local", True)),
    ),
    (
        "GlobalValue with local linkage or non-default visibility must be dso_local!",
        many(setting("array.linkage", Linkage.INTERNAL), setting("array.is_dso_local", False)),
    ),
    (
        (
            "Alias should have private, internal, linkonce, weak, linkonce_odr, weak_odr, external, or "
            "available_externally linkage!"
        ),
        setting("alias.linkage", Linkage.COMMON),
    ),
    ("Aliasee cannot be NULL!", lambda parts: parts.module.aliases["alias"]._set_operands([])),
    ("Global is referenced by parentless instruction!", use_nowhere),
    # Metadata
    ("Wrong number of operands", lambda parts: weigh(parts, "branch_weights", 1)),
    ("'Linker Options' named metadata no longer supported", lambda parts: flag(parts, "Linker Options", parts.tuple())),
    (
        "Old-style TBAA is no longer allowed, use struct-path TBAA instead",
        lambda parts: parts["loaded"].metadata.update(tbaa=parts.tuple(parts.metadata.string("int"), parts.tuple())),
    ),
    ("invalid subrange count", lambda parts: name_node(parts, DISubrange(count=-2))),
    (
        "Subrange can have any one of count or upperBound",
        lambda parts: name_node(parts, DISubrange(count=1, upper_bound=1)),
    ),
]


@pytest.mark.parametrize(("message", "change"), CHANGES, ids=[f"{number}" for number, _ in enumerate(CHANGES)])
def test_what_is_changed_is_found(message: str, change: Callable[[Parts], Any]) -> None:
    parts = Parts()
    change(parts)
    findings = verify(parts.module)
    assert message in [finding.message for finding in findings]
    assert not any("\n" in str(finding) for finding in findings)


def test_functions_are_found_by_their_place() -> None:
    parts = Parts()
    assert isinstance(parts.work, Function)
    operand("sum", 1, "wide")(parts)
    (finding,) = verify(parts.module)
    assert str(finding) == (
        "function @work, block %entry: Both operands to a binary operator are not of the same type!: "
        "%sum = add i32 %a, i64 %wide"
    )
