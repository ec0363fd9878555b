"""What `match` sees of each kind of instruction; positional patterns read like the instruction itself."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from bitcodec.ir import (
    Alloca,
    Argument,
    AtomicCmpXchg,
    AtomicOrdering,
    AtomicRMW,
    AtomicRMWOperation,
    BasicBlock,
    BinaryOperator,
    Branch,
    Call,
    CallBranch,
    Cast,
    CastFlags,
    CatchPad,
    CatchReturn,
    CatchSwitch,
    Clause,
    CleanupPad,
    CleanupReturn,
    CmpFlags,
    ConstantInt,
    ConstantPointerNull,
    ConstantTokenNone,
    ExtractElement,
    ExtractValue,
    FastMathFlags,
    FCmp,
    FCmpPredicate,
    Fence,
    Freeze,
    Function,
    GEPFlags,
    GetElementPtr,
    GlobalVariable,
    ICmp,
    ICmpPredicate,
    IndirectBranch,
    InlineAsm,
    InsertElement,
    InsertValue,
    IntegerFlags,
    IntegerType,
    Invoke,
    LandingPad,
    Load,
    OperandBundle,
    Phi,
    Resume,
    Return,
    Select,
    ShuffleVector,
    Store,
    StructType,
    Switch,
    TailCallKind,
    UnaryOperator,
    Unreachable,
    VAArg,
)

from .conftest import Found

BOTH = FastMathFlags.NNAN | FastMathFlags.NSZ
WRAP = IntegerFlags.NUW | IntegerFlags.NSW


def binary(found: Found) -> bool:
    match found["sum"], found["quotient"], found["either"], found["product"]:
        case (
            BinaryOperator("add", Argument(0), Argument(1), flags=wrap),
            BinaryOperator("sdiv", BinaryOperator("add"), Argument(name="b"), flags=exact),
            BinaryOperator(opcode="or", lhs=BinaryOperator(), rhs=ConstantInt(1), flags=disjoint),
            BinaryOperator("fmul", fast_math=flags),
        ):
            return (wrap, exact, disjoint) == (WRAP, IntegerFlags.EXACT, IntegerFlags.DISJOINT) and flags == BOTH
    return False


def unary(found: Found) -> bool:
    match found["negated"]:
        case UnaryOperator("fneg", BinaryOperator("fmul"), fast_math=FastMathFlags.FAST):
            return True
    return False


def casts(found: Found) -> bool:
    match found["truncated"], found["widened"]:
        case (
            Cast("trunc", BinaryOperator(), IntegerType(8), flags=CastFlags.NUW),
            Cast("zext", Cast(), IntegerType(64), flags=CastFlags.NNEG),
        ):
            return True
    return False


def comparisons(found: Found) -> bool:
    match found["less"], found["ordered"]:
        case (
            ICmp(ICmpPredicate.ULT, Argument(0), Argument(1), flags=CmpFlags.SAMESIGN),
            FCmp(FCmpPredicate.OEQ, Argument(2), Argument(3), fast_math=FastMathFlags.NINF),
        ):
            return True
    return False


def choice(found: Found) -> bool:
    match found["chosen"], found["frozen"]:
        case (
            Select(Argument(4), UnaryOperator(), Argument(3), fast_math=FastMathFlags.NINF),
            Freeze(Select()),
        ):
            return True
    return False


def room(found: Found) -> bool:
    match found["room"]:
        case Alloca(allocated, Argument(1), alignment=16, is_inalloca=False, is_swift_error=False):
            return str(allocated) == "[4 x i32]"
    return False


def loads(found: Found) -> bool:
    match found["loaded"], found["acquired"]:
        case (
            Load(Argument(0), IntegerType(32), alignment=2, is_volatile=True, is_atomic=False, sync_scope=""),
            Load(is_volatile=False, ordering=AtomicOrdering.ACQUIRE, sync_scope="singlethread", is_atomic=True),
        ):
            return True
    return False


def stores(found: Found) -> bool:
    match found.of("memory", "store"):
        case [
            Store(Load(is_volatile=True), Alloca(), alignment=8, is_volatile=True, is_atomic=False),
            Store(Load(), Argument(0), ordering=AtomicOrdering.RELEASE, alignment=4, is_atomic=True),
        ]:
            return True
    return False


def addresses(found: Found) -> bool:
    match found["address"]:
        case GetElementPtr(
            StructType("pair"), Argument(0), (Argument(2), ConstantInt(1)), is_inbounds=True, flags=flags
        ):
            return flags == GEPFlags.INBOUNDS | GEPFlags.NUSW | GEPFlags.NUW
    return False


def other_memory(found: Found) -> bool:
    match found["argument"], found.of("memory", "fence")[0]:
        case VAArg(Argument(3), IntegerType(32)), Fence(AtomicOrdering.SEQUENTIALLY_CONSISTENT, "singlethread"):
            return True
    return False


def atomics(found: Found) -> bool:
    match found["exchanged"], found["before"]:
        case (
            AtomicCmpXchg(
                Argument(0),
                Argument(1),
                ConstantInt(7),
                success_ordering=AtomicOrdering.ACQUIRE_RELEASE,
                failure_ordering=AtomicOrdering.MONOTONIC,
                is_weak=True,
                is_volatile=True,
                alignment=4,
            ),
            AtomicRMW(
                AtomicRMWOperation.UMAX,
                GetElementPtr(),
                VAArg(),
                ordering=AtomicOrdering.MONOTONIC,
                is_volatile=False,
                sync_scope="",
            ),
        ):
            return True
    return False


def vectors(found: Found) -> bool:
    match found["element"], found["inserted"], found["shuffled"]:
        case (
            ExtractElement(Argument(0), Argument(2)),
            InsertElement(Argument(1), ExtractElement(), ConstantInt(0)),
            ShuffleVector(Argument(0), InsertElement(), (3, -1)),
        ):
            return True
    return False


def aggregates(found: Found) -> bool:
    match found["field"], found["changed"]:
        case ExtractValue(Argument(3), (0,)), InsertValue(Argument(3), Argument(4), (1,)):
            return True
    return False


def calls(found: Found) -> bool:
    match found["call"]:
        case Call(
            Function("callee") as callee,
            (Argument(0), GlobalVariable("variable")),
            called_function=called,
            tail_kind=TailCallKind.TAIL,
            calling_convention=8,
            bundles=(OperandBundle("deopt", (Argument(0), Argument(1))), OperandBundle("other", ())),
        ):
            # `fastcc` differs from what the function has; the function is known nevertheless.
            return called is callee
    return False


def branches(found: Found) -> bool:
    match found.of("control", "br"):
        case [
            Branch(Argument(2), (BasicBlock("left"), BasicBlock("right")), is_conditional=True),
            Branch(None, (BasicBlock("right"),), is_conditional=False),
        ]:
            return True
    return False


def phis(found: Found) -> bool:
    match found["merged"]:
        case Phi(((Argument(0), BasicBlock("entry")), (Call(), BasicBlock("left"))), fast_math=FastMathFlags(0)):
            return True
    return False


def switches(found: Found) -> bool:
    match found.of("control", "switch")[0]:
        case Switch(
            Phi(),
            BasicBlock("done"),
            ((ConstantInt(1), BasicBlock("left2")), (ConstantInt(-5), BasicBlock("jump"))),
        ):
            return True
    return False


def jumps(found: Found) -> bool:
    match found.of("control", "indirectbr")[0], found.of("control", "callbr")[0]:
        case (
            IndirectBranch(Argument(1), (BasicBlock("done"), BasicBlock("never"))),
            CallBranch(
                InlineAsm("jmp ${0:l}", "!i,!i", has_side_effects=True),
                (),
                BasicBlock("done"),
                (BasicBlock("jump"), BasicBlock("never")),
                called_function=None,
            ),
        ):
            return True
    return False


def returns(found: Found) -> bool:
    match found.of("control", "ret")[0], found.of("nothing", "ret")[0], found.of("control", "unreachable")[0]:
        case Return(Phi()), Return(None), Unreachable():
            return True
    return False


def landing_pads(found: Found) -> bool:
    match found["caught"], found.of("landing", "resume")[0]:
        case LandingPad((Clause(False, GlobalVariable("type_info")), Clause(True, _)), True), Resume(LandingPad()):
            return True
    return False


def invokes(found: Found) -> bool:
    match found.of("landing", "invoke")[0]:
        case Invoke(
            Function("throws"),
            (),
            BasicBlock("done"),
            BasicBlock("pad"),
            bundles=(OperandBundle("deopt", (ConstantInt(1),)),),
        ):
            return True
    return False


def catches(found: Found) -> bool:
    match found["switch"], found["catch"], found.of("funclets", "catchret")[0]:
        case (
            CatchSwitch(
                ConstantTokenNone(), (BasicBlock("handler"), BasicBlock("second")), BasicBlock("cleanup") as unwind
            ),
            CatchPad(CatchSwitch(), (GlobalVariable("type_info"), ConstantInt(8), ConstantPointerNull())),
            CatchReturn(CatchPad(name="catch"), BasicBlock("done")),
        ):
            return unwind.name == "cleanup"
    return False


def cleanups(found: Found) -> bool:
    match found["last"], *found.of("funclets", "cleanupret"):
        case (
            CleanupPad(ConstantTokenNone(), (ConstantInt(3),)),
            CleanupReturn(CleanupPad(name="cleaning"), BasicBlock("outer")),
            CleanupReturn(CleanupPad(), None),
        ):
            return True
    return False


PATTERNS = [
    binary,
    unary,
    casts,
    comparisons,
    choice,
    room,
    loads,
    stores,
    addresses,
    other_memory,
    atomics,
    vectors,
    aggregates,
    calls,
    branches,
    phis,
    switches,
    jumps,
    returns,
    landing_pads,
    invokes,
    catches,
    cleanups,
]


@pytest.mark.parametrize("pattern", PATTERNS)
def test_patterns_match(found: Found, pattern: Callable[[Found], bool]) -> None:
    assert pattern(found)
