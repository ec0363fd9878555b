"""The order of users does not depend on what was read first."""

from __future__ import annotations

from collections.abc import Callable
from itertools import permutations

import pytest

import bitcodec
from bitcodec.bitcode.assembling import assemble
from bitcodec.ir import CallBase, Module, Value
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
FILES = {
    "plain": assemble(TEXT.replace("ORDERS", "").encode(), "a.ll"),
    "ordered": assemble(TEXT.replace("ORDERS", ORDERS).encode(), "a.ll"),
}
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
    for names in ORDERS_OF_READING:
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


@pytest.mark.parametrize(("data", "callers"), [(FILES["plain"], "ddcbba"), (FILES["ordered"], "bdacdb")], ids=FILES)
def test_llvm_has_the_same_order(data: bytes, callers: str) -> None:
    """`opt -S -preserve-ll-uselistorder` 22.1.8 prints no order of @callee, or ORDERS.

    It prints none for the reverse of the order in the text, because @callee is declared after its uses.
    """
    users = [user for user in read(data, ("d", "a")).functions["callee"].users if isinstance(user, CallBase)]
    assert "".join(str(call.function.name) for call in users if call.function) == callers
