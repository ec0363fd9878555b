"""What a program assigns to attributes is converted, refused at the assignment, or refused when it is written."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import bitcodec
from amounts import some
from bitcodec.bitcode import foreign
from bitcodec.ir import (
    AtomicOrdering,
    CastFlags,
    DIDerivedType,
    FCmpPredicate,
    Function,
    FunctionType,
    GEPFlags,
    ICmpPredicate,
    IntegerFlags,
    Linkage,
    Load,
    Module,
    SelectionKind,
    TailCallKind,
    ThreadLocalMode,
    UnnamedAddress,
    Visibility,
)
from bitcodec.tables.dwarf import Tag

HERE = Path(__file__).parent
FILES = [
    HERE / "instructions/every.bc",
    HERE / "globals.bc",
    HERE.parent / "transforms/described.bc",
    HERE.parents[1] / "examples/hello.bc",
]


def load() -> Module:
    return bitcodec.open(HERE.parents[1] / "examples/hello.bc")


def find(module: Module, opcode: str) -> Any:
    return next(each for function in module.functions for each in function.instructions if each.opcode == opcode)


def test_spellings_of_enumerators_are_converted() -> None:
    module = load()
    function, variable = module.functions["main"], module.global_variables[0]
    function.linkage = "weak_odr"
    function.visibility = "hidden"
    function.unnamed_address = "local_unnamed_addr"
    function.calling_convention = "fastcc"
    variable.thread_local_mode = "thread_local(localexec)"
    assert (function.linkage, function.visibility) == (Linkage.WEAK_ODR, Visibility.HIDDEN)
    assert (function.unnamed_address, function.calling_convention) == (UnnamedAddress.LOCAL, 8)
    assert variable.thread_local_mode is ThreadLocalMode.LOCAL_EXEC
    function.linkage = Linkage.WEAK
    assert function.linkage is Linkage.WEAK
    variable.thread_local_mode = "local_dynamic"
    assert variable.thread_local_mode is ThreadLocalMode.LOCAL_DYNAMIC


@pytest.mark.parametrize(
    ("name", "text", "number"),
    [("calling_convention", "ccc", 0), ("calling_convention", "cc 11", 11), ("calling_convention", "avr_intrcc", 84)],
)
def test_calling_conventions(name: str, text: str, number: int) -> None:
    function = load().functions["main"]
    setattr(function, name, text)
    assert getattr(function, name) == number


def test_attributes_of_instructions_are_converted() -> None:
    module = bitcodec.open(HERE / "instructions/every.bc")
    load_, call, compare = find(module, "load"), find(module, "call"), find(module, "icmp")
    load_.ordering, call.tail_kind, compare.predicate = "acquire", "tail", "slt"
    find(module, "fcmp").predicate = "oeq"
    find(module, "add").flags = "nuw nsw"
    find(module, "zext").flags = 1
    find(module, "getelementptr").flags = "inbounds"
    assert load_.ordering is AtomicOrdering.ACQUIRE
    assert call.tail_kind is TailCallKind.TAIL
    assert compare.predicate is ICmpPredicate.SLT
    assert find(module, "fcmp").predicate is FCmpPredicate.OEQ
    assert find(module, "add").flags is IntegerFlags.NUW | IntegerFlags.NSW
    assert type(find(module, "zext").flags) is CastFlags
    assert find(module, "getelementptr").flags is GEPFlags.INBOUNDS
    assert isinstance(load_, Load)


def test_fields_of_debug_information_take_names() -> None:
    node = DIDerivedType(tag=Tag.member)
    node.tag, node.flags = "DW_TAG_pointer_type", "DIFlagPublic | DIFlagBitField"
    assert (node.tag, node.flags) == (Tag.pointer_type, 3 | 1 << 19)
    assert "tag=DW_TAG_pointer_type" in repr(node)
    assert "flags=DIFlagPublic | DIFlagBitField" in repr(node)
    node.tag = "member"
    assert node.tag == Tag.member
    with pytest.raises(ValueError, match=r"tag must be a number, or one of 'DW_TAG_null', .*got 'nonsense'"):
        node.tag = "nonsense"
    with pytest.raises(TypeError, match="line must be an integer; got 'x'"):
        node.line = "x"


def test_errors_name_the_values_that_are_allowed() -> None:
    function = load().functions["main"]
    with pytest.raises(
        ValueError, match=r"linkage must be a member of Linkage, or one of 'external', .*; got 'nonsense'"
    ):
        function.linkage = "nonsense"
    with pytest.raises(TypeError, match=r"visibility must be .*'hidden', 'protected'; got 3"):
        function.visibility = 3
    with pytest.raises(
        ValueError, match="calling_convention must be a number from 0 to 1023, or one of 'ccc', 'fastcc'"
    ):
        function.calling_convention = "slow"
    with pytest.raises(ValueError, match="must be a number from 0 to 1023"):
        function.calling_convention = 1024
    with pytest.raises(ValueError, match="alignment must be a power of two; got 3"):
        function.alignment = 3
    with pytest.raises(TypeError, match="section must be str; got None"):
        function.section = None
    assert function.linkage is Linkage.EXTERNAL


def test_comdats_take_spellings() -> None:
    comdat = bitcodec.ir.Comdat("one")
    comdat.selection_kind = "samesize"
    assert comdat.selection_kind is SelectionKind.SAME_SIZE


def test_constructors_check_nothing_that_they_are_given_by_readers() -> None:
    """Attributes are set as fields there; a function made by hand still gets its kind of linkage."""
    module = load()
    kind = module.functions["main"].value_type
    assert isinstance(kind, FunctionType)
    assert Function(module.functions["main"].type, kind, Linkage.WEAK).linkage is Linkage.WEAK


WRONG: list[Any] = [
    None,
    -1,
    3,
    1 << 70,
    1.5,
    "nonsense",
    "\ud800",
    b"bytes",
    [],
    {},
    (None,),
    object(),
    int,
    Linkage.WEAK,
]


def parts(module: Module) -> Iterator[Any]:
    """Yield the module, and what it consists of, in a fixed order."""
    yield module
    yield from module.globals
    yield from module.comdats.values()
    yield from module.named_metadata.values()
    for function in module.functions:
        yield from function.arguments
        for block in function.blocks:
            yield block
            for instruction in block.instructions:
                yield instruction
                yield from instruction.debug_records
                yield from instruction.metadata.values()
                if instruction.debug_location is not None:
                    yield instruction.debug_location
                    yield instruction.debug_location.scope
    for nodes in vars(module.debug_info).values() if hasattr(module.debug_info, "__dict__") else ():
        yield from nodes
    yield from module.debug_info.nodes


def settable(part: object) -> list[str]:
    """Return the public attributes of an object that may be assigned."""
    kind = type(part)
    found = {name for base in kind.__mro__ for name in vars(base) if not name.startswith("_")}
    # Where something is, and of which type it is, is up to the verbs that put it there.
    return sorted(
        name for name in found - {"parent", "type", "value_type", "context", "index"} if is_settable(kind, name)
    )


def is_settable(kind: type, name: str) -> bool:
    member = getattr(kind, name, None)
    if isinstance(member, property):
        return member.fset is not None
    return hasattr(type(member), "__set__")


def first_of_each_class(module: Module) -> dict[type, int]:
    found: dict[type, int] = {}
    for number, part in enumerate(parts(module)):
        found.setdefault(type(part), number)
    return found


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_values_of_wrong_kinds(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(foreign, "ARE_REFUSED", True)
    module = bitcodec.open(path)
    listed = list(parts(module))
    problems = []
    turn = 0
    for number in first_of_each_class(module).values():
        for name in settable(listed[number]):
            for wrong in some(WRONG[turn:] + WRONG[:turn], 3):
                turn = (turn + 1) % len(WRONG)
                problem = assign(listed[number], name, wrong)
                if problem is None:
                    problem = use(module)
                    module = bitcodec.open(path)
                    listed = list(parts(module))
                if problem:
                    problems.append(f"{type(listed[number]).__name__}.{name} = {wrong!r}: {problem}")
    assert not problems, "\n".join(problems)


def assign(part: object, name: str, wrong: object) -> str | None:
    """Return None if a value is accepted, "" if it is refused as it should be, else how it is refused."""
    try:
        setattr(part, name, wrong)
    except (TypeError, ValueError, bitcodec.BitcodecError):
        return ""
    except Exception as error:  # noqa: BLE001
        if isinstance(error, AttributeError) and ("no setter" in str(error) or "not writable" in str(error)):
            return ""
        return f"assignment raises {error!r}"
    return None


def use(module: Module) -> str:
    """Return what goes wrong when a changed module is verified and written."""
    for verb in (bitcodec.verify, bitcodec.dumps):
        try:
            verb(module)
        except bitcodec.BitcodecError:
            pass
        except Exception as error:  # noqa: BLE001
            return f"{verb.__name__} raises {error!r}"
    return ""


def test_none_is_a_value_of_fields_that_llvm_prints_as_null() -> None:
    node = DIDerivedType(tag=Tag.pointer_type, name="p")
    node.base_type = node.scope = None
    assert (node.base_type, node.scope) == (None, None)
    for attribute in ("tag", "line", "name"):
        with pytest.raises(TypeError, match="None"):
            setattr(node, attribute, None)
