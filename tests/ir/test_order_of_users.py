"""The order of users does not depend on what was read first."""

from __future__ import annotations

from collections.abc import Callable
from itertools import permutations

import pytest

import bitcodec
from amounts import some
from bitcodec.bitcode.assembling import assemble
from bitcodec.ir import CallBase, Constant, DbgVariableRecord, Module, Value
from bitcodec.linker import link

TEXT = """
@g = global i64 0
@table = global [2 x ptr] [ptr blockaddress(@c, %again), ptr getelementptr (i8, ptr @g, i64 8)]
@other = alias i64, ptr @g

define void @a(ptr %p) {
  store ptr @g, ptr %p
  store ptr getelementptr (i8, ptr @g, i64 16), ptr getelementptr (i8, ptr @g, i64 8)
  call void @callee(ptr @g)
  ret void
}

define void @b(ptr %p) !dbg !3 {
    #dbg_value(ptr getelementptr (i8, ptr @g, i64 24), !5, !DIExpression(), !6)
  call void @callee(ptr getelementptr (i8, ptr @g, i64 16))
  call void @callee(ptr @g)
  ret void
}

define void @c(ptr %p) {
  call void @callee(ptr @g)
  br label %again
again:
  store ptr @g, ptr @g
  indirectbr ptr %p, [label %again, label %last]
last:
  br label %again
  uselistorder label %again, { 2, 0, 3, 1 }
}

define void @d() {
  call void @callee(ptr getelementptr (i8, ptr @g, i64 24))
  call void @callee(ptr blockaddress(@c, %again))
  ret void
}

declare void @callee(ptr)
ORDERS
!held = !{!7}
!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2}
!0 = distinct !DICompileUnit(language: DW_LANG_C99, file: !1)
!1 = !DIFile(filename: "a.c", directory: "/")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!3 = distinct !DISubprogram(name: "b", file: !1, type: !4, unit: !0, spFlags: DISPFlagDefinition)
!4 = !DISubroutineType(types: !{null})
!5 = !DILocalVariable(name: "v", scope: !3)
!6 = !DILocation(line: 1, scope: !3)
!7 = !{ptr getelementptr (i8, ptr @g, i64 32), ptr getelementptr (i8, ptr @g, i64 40)}
"""
ORDERS = "uselistorder ptr @callee, { 3, 5, 0, 2, 4, 1 }"
RECORDS = """
@g = global i64 0

define void @a(ptr %p) {
  store ptr getelementptr (i8, ptr @g, i64 8), ptr %p
  store ptr getelementptr (i8, ptr @g, i64 16), ptr %p
  store ptr getelementptr (i8, ptr @g, i64 24), ptr %p
  store ptr getelementptr (i8, ptr @g, i64 32), ptr %p
  ret void
}

define void @b(ptr %p) !dbg !3 {
  %v = alloca i64, !DIAssignID !10
    #dbg_value(!DIArgList(ptr %p, ptr getelementptr (i8, ptr @g, i64 40)), !5, !DIExpression(DW_OP_LLVM_arg, 0), !6)
    #dbg_declare(ptr getelementptr (i8, ptr @g, i64 48), !5, !DIExpression(), !6)
    #dbg_assign(i64 0, !5, !DIExpression(), !10, ptr getelementptr (i8, ptr @g, i64 56), !DIExpression(), !6)
  store ptr getelementptr (i8, ptr @g, i64 64), ptr %p
  store ptr getelementptr (i8, ptr @g, i64 72), ptr %p
  ret void
}

define void @c(ptr %p) !dbg !7 {
  store ptr getelementptr (i8, ptr @g, i64 80), ptr %p
    #dbg_value(ptr getelementptr (i8, ptr @g, i64 88), !8, !DIExpression(), !9)
    #dbg_declare(ptr getelementptr (i8, ptr @g, i64 96), !8, !DIExpression(), !9)
    #dbg_declare(ptr %p, !8, !DIExpression(), !9)
  call void @llvm.assume(i1 true) [ "align"(ptr getelementptr (i8, ptr @g, i64 104), i64 8) ]
  ret void
}

define void @d(ptr %p) !dbg !11 {
  store ptr getelementptr (i8, ptr @g, i64 112), ptr %p
    #dbg_declare(ptr getelementptr (i8, ptr @g, i64 96), !12, !DIExpression(), !13)
    #dbg_declare(ptr getelementptr (i8, ptr @g, i64 48), !12, !DIExpression(), !13)
  call void @callee(ptr @g)
  ret void
}

declare void @callee(ptr)
declare void @llvm.assume(i1)
!held = !{!14}
!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2}
!0 = distinct !DICompileUnit(language: DW_LANG_C99, file: !1)
!1 = !DIFile(filename: "a.c", directory: "/")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!3 = distinct !DISubprogram(name: "b", file: !1, type: !4, unit: !0, spFlags: DISPFlagDefinition)
!4 = !DISubroutineType(types: !{null})
!5 = !DILocalVariable(name: "v", scope: !3)
!6 = !DILocation(line: 1, scope: !3)
!7 = distinct !DISubprogram(name: "c", file: !1, type: !4, unit: !0, spFlags: DISPFlagDefinition)
!8 = !DILocalVariable(name: "v", scope: !7)
!9 = !DILocation(line: 1, scope: !7)
!10 = distinct !DIAssignID()
!11 = distinct !DISubprogram(name: "d", file: !1, type: !4, unit: !0, spFlags: DISPFlagDefinition)
!12 = !DILocalVariable(name: "v", scope: !11)
!13 = !DILocation(line: 1, scope: !11)
!14 = !{ptr getelementptr (i8, ptr @g, i64 120)}
"""


def unordered(text: str) -> bytes:
    """Return bitcode that does not state the order of the text."""
    module = bitcodec.parse_assembly(text)
    module.preserves_use_list_order = False
    return bitcodec.dumps(module)


FILES = {
    "plain": assemble(TEXT.replace("ORDERS", "").encode(), "a.ll"),
    "ordered": assemble(TEXT.replace("ORDERS", ORDERS).encode(), "a.ll"),
}
IN_RECORDS = unordered(RECORDS)
NAMES = ("a", "b", "c", "d")
ORDERS_OF_READING = [order for count in range(1, 5) for order in permutations(NAMES, count)][::4]


def users_of(module: Module) -> dict[str, list[str]]:
    """Return the users of every value, and which operands they use it as, in words."""
    names: dict[Value, str] = {value: f"@{value.name}" for value in module.globals}
    for function in module.functions:
        names.update((argument, f"{function.name}: {argument}") for argument in function.arguments)
        names.update((block, f"{function.name}: {number}") for number, block in enumerate(function.blocks))
        for number, instruction in enumerate(function.instructions):
            names[instruction] = f"{function.name} {number}: {instruction}"
    pending = [*names]
    found = {}
    for value in pending:
        uses = [(use.user, use.operand_number) for use in value.uses]
        assert [user for user, _ in uses] == [*value.users]
        pending += [user for user, _ in uses if user not in names]
        names.update((user, str(user)) for user, _ in uses if user not in names)
        found[names[value]] = [f"{names[user]}, {number}" for user, number in uses]
    return found


def unchanged(_: Module) -> None: ...


def replaced(module: Module) -> None:
    module.global_variables["g"].replace_all_uses_with(module.global_variables["table"])


def erased(module: Module) -> None:
    first = next(iter(module.functions["a"].instructions))
    first.erase_from_parent()


def inserted(module: Module) -> None:
    call = module.functions["b"].blocks[0].instructions[0]
    copy = call.clone()
    copy.insert_before(call)
    copy.set_operand(0, module.global_variables["g"])


def moved(module: Module) -> None:
    store = module.functions["a"].blocks[0].instructions[1]
    store.set_operand(0, module.global_variables["g"])
    store.set_operand(1, module.functions["callee"])


EDITS = [unchanged, replaced, erased, inserted, moved]


def read(data: bytes, names: tuple[str, ...]) -> Module:
    module = bitcodec.loads(data)
    for name in names:
        module.functions[name].materialize()
    return module


@pytest.mark.parametrize("data", FILES.values(), ids=FILES)
@pytest.mark.parametrize("edit", EDITS)
def test_any_order_of_reading_gives_the_same_users(edit: Callable[[Module], None], data: bytes) -> None:
    first = read(data, ())
    edit(first)
    wanted = users_of(first)
    for names in some(ORDERS_OF_READING, 12):
        module = read(data, names)
        edit(module)
        assert users_of(module) == wanted, names


@pytest.mark.parametrize("data", FILES.values(), ids=FILES)
def test_the_order_is_that_of_the_file(data: bytes) -> None:
    module = read(data, ("c", "a"))
    module.order_uses()
    assert users_of(module) == users_of(read(data, ("d", "b")))


def test_reading_records_and_metadata_first_changes_nothing() -> None:
    module = read(FILES["plain"], ("d",))
    module.functions["b"].read_debug_records()
    _ = [named.operands for named in module.named_metadata.values()]
    assert users_of(module) == users_of(read(FILES["plain"], ()))


def test_a_linked_module() -> None:
    def linked(names: tuple[str, ...]) -> Module:
        module = link([bitcodec.loads(FILES["plain"])])
        for name in names:
            module.functions[name].materialize()
        return module

    wanted = users_of(linked(()))
    for names in ORDERS_OF_READING:
        assert users_of(linked(names)) == wanted


@pytest.mark.parametrize(("data", "is_whole"), [(FILES["plain"], True), (IN_RECORDS, False)])
def test_users_need_the_whole_module_only_where_metadata_alone_holds_several(
    data: bytes, monkeypatch: pytest.MonkeyPatch, *, is_whole: bool
) -> None:
    """The order of such constants is that of the nodes that hold them."""
    read_whole: list[Module] = []
    materialize = Module.materialize
    monkeypatch.setattr(Module, "materialize", lambda module: [read_whole.append(module), materialize(module)])
    module = read(data, ())
    _ = module.global_variables["g"].users
    assert bool(read_whole) == is_whole
    found = users_of(module)
    other = read(data, ("c", "a"))
    other.order_uses()
    assert users_of(other) == found


def test_constants_in_debug_records_precede_those_of_the_body() -> None:
    """The offsets are in the order of `LLVMGetNextUse` of LLVM 22.1.8, the newest use last.

    Constants that metadata of the module wraps, because two functions refer to it, are not among them.
    """
    users = read(IN_RECORDS, ()).global_variables["g"].users
    offsets = [int(str(user).rpartition("i64 ")[2][:-1]) for user in users if isinstance(user, Constant)]
    found = [offset for offset in offsets if offset not in {48, 96}]
    assert found == [120, 8, 16, 24, 32, 40, 56, 64, 72, 88, 80, 104, 112]


def rewrapped(module: Module) -> None:
    """Let the first debug record of a function whose other records are unread wrap another constant."""
    record = module.functions["d"].blocks[0].instructions[1].debug_records[0]
    constant = module.functions["a"].blocks[0].instructions[3].operands[0]
    assert isinstance(record, DbgVariableRecord)
    record.value = module.context.metadata.value(constant)


@pytest.mark.parametrize("edit", [unchanged, erased, moved, rewrapped])
def test_any_order_of_reading_gives_the_same_where_records_wrap_constants(edit: Callable[[Module], None]) -> None:
    first = read(IN_RECORDS, ())
    edit(first)
    wanted = users_of(first)
    for names in ORDERS_OF_READING[::3]:
        module = read(IN_RECORDS, names)
        edit(module)
        assert users_of(module) == wanted, names
        module = read(IN_RECORDS, names)
        module.functions["c"].read_debug_records()
        edit(module)
        assert users_of(module) == wanted, names


@pytest.mark.parametrize(("data", "callers"), [(FILES["plain"], "ddcbba"), (FILES["ordered"], "bdacdb")], ids=FILES)
def test_llvm_has_the_same_order(data: bytes, callers: str) -> None:
    """`opt -S -preserve-ll-uselistorder` 22.1.8 prints no order of @callee, or ORDERS.

    It prints none for the reverse of the order in the text, because @callee is declared after its uses.
    """
    users = [user for user in read(data, ("d", "a")).functions["callee"].users if isinstance(user, CallBase)]
    assert "".join(str(call.function.name) for call in users if call.function) == callers
