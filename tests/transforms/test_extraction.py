"""A few functions stay, with declarations of what they need."""

from __future__ import annotations

import re

import pytest

import bitcodec
from bitcodec.builder import (
    Builder,
    DebugInfo,
    add_alias,
    add_block,
    add_comdat,
    add_function,
    add_ifunc,
    add_named_metadata,
    add_variable,
    metadata_node,
    metadata_value,
)
from bitcodec.ir.constants import PoisonValue
from bitcodec.ir.construction.present import raw_parts
from bitcodec.ir.debug_records import DbgVariableRecord
from bitcodec.ir.metadata import ConstantAsMetadata
from bitcodec.ir.metadata_values import MetadataAsValue
from bitcodec.tables.linkage import Linkage, ThreadLocalMode, Visibility
from bitcodec.transforms import delete_functions, extract_functions

from .samples import DATA, add_caller, broken_queue, queue, small_module, text_of


def heads(module: bitcodec.Module) -> list[str]:
    """Return what a module has, in the first words of its text."""
    return re.findall(
        r"^(?:define|declare).*?@[\w.]+|^@.*?(?:global|constant|alias|ifunc)", text_of(module), re.MULTILINE
    )


def test_what_it_uses_is_declared() -> None:
    module = queue()
    extract_functions(module, ["release"])
    assert heads(module) == ["@lock = external hidden global", "define hidden fastcc void @release"]
    lock, release = module.global_variables["lock"], module.functions["release"]
    assert (lock.linkage, lock.visibility, lock.is_dso_local) == (Linkage.EXTERNAL, Visibility.HIDDEN, True)
    assert (release.linkage, release.visibility, release.is_dso_local) == (Linkage.EXTERNAL, Visibility.HIDDEN, True)


def test_the_function_itself_is_as_it_was() -> None:
    before, after = queue(), queue()
    extract_functions(after, "pop")
    opcodes = [[str(each) for each in module.functions["pop"].instructions] for module in (before, after)]
    assert opcodes[0] == opcodes[1]
    assert [block.name for block in after.functions["pop"]] == [block.name for block in before.functions["pop"]]


def test_several() -> None:
    module = queue()
    extract_functions(module, ["release", "acquire", "release"])
    assert [function.name for function in module.functions if not function.is_declaration] == ["acquire", "release"]


def test_callees_and_their_callees() -> None:
    module = small_module()
    last = add_caller(module, "last")
    middle = add_caller(module, "middle", last)
    add_caller(module, "first", middle)
    add_caller(module, "other", last)
    again = bitcodec.loads(bitcodec.dumps(module))
    extract_functions(module, ["first"])
    assert heads(module) == ["declare void @middle", "define void @first"]
    extract_functions(again, ["first"], recursive=True)
    assert heads(again) == ["define void @last", "define void @middle", "define void @first"]


def test_callees_in_a_circle() -> None:
    module = small_module()
    first = add_caller(module, "first")
    second = add_caller(module, "second", first)
    builder = Builder(first.blocks[0])
    builder.before(first.blocks[0].instructions[-1])
    builder.call(second, [])
    extract_functions(module, ["second"], recursive=True)
    assert heads(module) == ["define void @first", "define void @second"]


@pytest.mark.parametrize(
    ("linkage", "becomes"),
    [
        ("linkonce", "weak"),
        ("linkonce_odr", "weak_odr"),
        ("weak", "weak"),
        ("private", "external"),
        ("available_externally", "available_externally"),
    ],
)
def test_what_could_be_dropped_cannot_any_more(linkage: str, becomes: str) -> None:
    module = small_module()
    kept = add_caller(module, "f")
    kept.linkage = next(each for each in Linkage if str(each) == linkage)
    extract_functions(module, ["f"])
    assert str(kept.linkage) == becomes
    assert heads(module)[0].startswith("define")


def test_aliases_and_ifuncs_become_what_they_stand_for() -> None:
    module = small_module()
    types = module.context.types
    target = add_caller(module, "target")
    resolver = add_function(module, "resolver", types.function(types.ptr))
    Builder(add_block(resolver)).ret(target)
    other = add_alias(module, "other", target, visibility="hidden")
    chosen = add_ifunc(module, "chosen", target.value_type, resolver)
    thread = add_variable(module, "thread", types.integer(32), 0, thread_local_mode="thread_local")
    mine = add_alias(module, "mine", thread, thread_local_mode="thread_local")
    function = add_function(module, "f", types.function(types.ptr))
    builder = Builder(add_block(function))
    for callee in (other, chosen):
        builder.call(callee, [], function_type=target.value_type)
    builder.ret(mine)
    extract_functions(module, ["f"])
    assert heads(module) == [
        "@mine = external thread_local global",
        "define ptr @f",
        "declare void @other",
        "declare void @chosen",
    ]
    assert module.global_variables["mine"].thread_local_mode is ThreadLocalMode.GENERAL_DYNAMIC


def test_the_rest_is_gone() -> None:
    module = bitcodec.open(DATA / "ir_types-22.bc")
    extract_functions(module, ["v"])
    assert heads(module) == ["define void @v"]
    assert (module.module_asm, module.comdats) == ("", {})
    assert [*module.aliases, *module.ifuncs, *module.global_variables] == []


def test_comdats_that_are_used_stay() -> None:
    module = small_module()
    for name in ("f", "g"):
        add_caller(module, name).comdat = add_comdat(module, name)
    extract_functions(module, ["f"])
    assert list(module.comdats) == ["f"]


def test_summaries_are_forgotten() -> None:
    module = bitcodec.open(DATA / "summaries" / "module-22.bc")
    name = next(function.name for function in module.functions if not function.is_declaration)
    assert module.summary is not None
    extract_functions(module, [name])
    assert (module.summary, raw_parts(module)) == (None, ())


def test_addresses_of_blocks_that_are_gone() -> None:
    module = bitcodec.open(DATA / "ir_types-22.bc")
    types = module.context.types
    user = add_function(module, "user", types.function(types.ptr))
    address = module.global_variables["ba"].initializer
    assert address is not None
    Builder(add_block(user)).ret(address)
    extract_functions(module, ["user"])
    assert "ret ptr inttoptr (i32 1 to ptr)" in text_of(module)


def test_a_parent_stays_whose_frame_is_looked_into() -> None:
    module = small_module()
    types = module.context.types
    i32 = types.integer(32)
    recover = add_function(module, "llvm.localrecover", types.function(types.ptr, [types.ptr, types.ptr, i32]))
    parent = add_caller(module, "parent")
    handler = add_function(module, "handler", types.function(types.ptr, [types.ptr]), linkage="internal")
    builder = Builder(add_block(handler))
    builder.ret(builder.call(recover, [parent, handler.arguments[0], 0]))
    extract_functions(module, ["handler"])
    assert [function.name for function in module.functions if not function.is_declaration] == ["parent", "handler"]


@pytest.mark.parametrize(
    ("name", "reason"), [("poop", "no function poop"), ("printf", "the function printf is only declared here")]
)
def test_nothing_happens_if_it_is_not_there(name: str, reason: str) -> None:
    module = bitcodec.open(DATA.parents[1] / "examples" / "hello.bc")
    before = str(module)
    with pytest.raises(ValueError, match=f"^{reason}$"):
        extract_functions(module, ["main", name])
    assert str(module) == before


def test_what_is_malformed_stays_as_it_was() -> None:
    module = bitcodec.loads(broken_queue())
    before = len(module.functions)
    with pytest.raises(bitcodec.BitcodeError):
        extract_functions(module, ["pop"])
    assert len(module.functions) == before


# Metadata that tells of what is gone


def test_nodes_refer_to_nothing_where_it_was() -> None:
    module = small_module()
    gone, kept = add_caller(module, "gone"), add_caller(module, "kept")
    add_named_metadata(module, "tells", metadata_node(module, gone, "x"), metadata_node(module, kept, "y"))
    extract_functions(module, ["kept"])
    assert re.findall(r"^!.*", text_of(module), re.MULTILINE) == [
        "!tells = !{!0, !1}",
        '!0 = distinct !{null, !"x"}',
        '!1 = !{ptr @kept, !"y"}',
    ]


def test_records_tell_of_poison() -> None:
    module = small_module()
    types = module.context.types
    gone = add_variable(module, "gone", types.integer(8), 0)
    function = add_function(module, "f", types.function(types.void))
    debug = DebugInfo(module, "a.c")
    subprogram = debug.subprogram(function, 1)
    builder = Builder(add_block(function))
    builder.debug_location = debug.location(2, 1, subprogram)
    builder.dbg_value(gone, debug.local_variable(subprogram, "p", debug.pointer_type(None), 2))
    builder.ret()
    extract_functions(module, ["f"])
    (record,) = function.instructions[0].debug_records
    assert isinstance(record, DbgVariableRecord)
    assert isinstance(record.value, ConstantAsMetadata)
    assert isinstance(record.value.value, PoisonValue)
    assert "#dbg_value(ptr poison, " in text_of(module)


def test_calls_take_an_empty_node() -> None:
    module = small_module()
    types = module.context.types
    gone = add_variable(module, "gone", types.integer(8), 0)
    take = add_function(module, "llvm.take", types.function(types.void, [types.metadata]))
    function = add_function(module, "f", types.function(types.void))
    builder = Builder(add_block(function))
    call = builder.call(take, [metadata_value(module, gone)])
    builder.ret()
    extract_functions(module, ["f"])
    assert isinstance(call.arguments[0], MetadataAsValue)
    assert call.arguments[0].metadata is metadata_node(module)


def test_deleted_functions_become_declarations() -> None:
    module = queue()
    before = heads(module)
    delete_functions(module, "release")
    release = module.functions["release"]
    assert (release.is_declaration, release.linkage, release.visibility) == (True, Linkage.EXTERNAL, Visibility.HIDDEN)
    assert not any("internal" in head or "private" in head for head in heads(module))
    assert len(heads(module)) == len(before)


def test_declarations_that_nothing_uses_any_more_are_erased() -> None:
    module = queue()
    delete_functions(module, [function.name for function in module.functions if not function.is_declaration])
    assert not module.functions
    assert "lock" in module.global_variables


def test_declarations_that_use_each_other_are_erased() -> None:
    module = queue()
    personality = add_function(module, "personality", module.context.types.function(module.context.types.void, []))
    add_function(module, "unused", personality.value_type).personality = personality
    delete_functions(module, "release")
    assert {"personality", "unused"}.isdisjoint(function.name for function in module.functions)


def test_deleting_callees_too() -> None:
    module = queue()
    before = [function.name for function in module.functions if not function.is_declaration]
    delete_functions(module, ["push"], recursive=True)
    after = [function.name for function in module.functions if not function.is_declaration]
    assert [name for name in before if name not in after] == ["push", "acquire", "release"]


@pytest.mark.parametrize(
    ("name", "reason"),
    [("nobody", "no function nobody"), ("report", "the function report is only declared here")],
)
def test_nothing_is_deleted_if_it_is_not_there(name: str, reason: str) -> None:
    module = queue()
    before = text_of(module)
    with pytest.raises(ValueError, match=reason):
        delete_functions(module, ["push", name])
    assert text_of(module) == before


def test_edges_of_profiles_lose_the_functions_that_are_gone() -> None:
    text = """
define void @a() {
  ret void
}

define void @b() {
  call void @a()
  ret void
}

!llvm.module.flags = !{!0}
!0 = !{i32 5, !"CG Profile", !1}
!1 = !{!2}
!2 = !{ptr @b, ptr @a, i64 7}
"""
    module = bitcodec.parse_assembly(text)
    extract_functions(module, "a")
    assert str(module).endswith('!0 = !{i32 5, !"CG Profile", !1}\n!1 = distinct !{}\n')  # as llvm-extract 22
    module = bitcodec.parse_assembly(text)
    extract_functions(module, "b")
    assert "!1 = distinct !{!2}\n!2 = !{ptr @b, ptr @a, i64 7}\n" in str(module)
