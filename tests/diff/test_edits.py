"""Changes made to a module through the model, and what is said of them."""

from __future__ import annotations

from bitcodec.diff import Category, Change, differences, unified_diff
from bitcodec.ir import debug_info
from bitcodec.ir.attributes import AttributeList, AttributeSet, EnumAttribute
from bitcodec.ir.metadata import MDString, MDTuple, NamedMetadata
from bitcodec.tables.linkage import Linkage

from .models import compared, hello, hunks, queue


def test_a_module_is_the_same_as_itself() -> None:
    assert compared(queue(), queue()) == []
    module = queue()
    assert compared(module, module) == []


def test_facts_of_modules() -> None:
    after = queue()
    after.source_filename = "other.c"
    after.target_triple = "aarch64-unknown-linux-gnu"
    after.module_asm = ".globl x\nx:\n"
    found = list(differences(queue(), after))
    assert [(one.category, one.change, one.before, one.after) for one in found] == [
        (Category.SOURCE_FILE, Change.CHANGED, "queue.c", "other.c"),
        (Category.TARGET_TRIPLE, Change.CHANGED, "x86_64-unknown-linux-gnu", "aarch64-unknown-linux-gnu"),
        (Category.ASSEMBLY, Change.ADDED, None, ".globl x\nx:\n"),
    ]
    assert [one.name for one in found] == ["", "", ""]


def test_the_name_of_a_file_does_not_count() -> None:
    before, after = queue(), queue()
    before.identifier = before.source_filename = "one.bc"
    after.identifier = after.source_filename = "other.bc"
    assert compared(before, after) == []


def test_a_renamed_variable_and_who_uses_it() -> None:
    after = queue()
    after.global_variables["refused"].name = "dropped"
    assert compared(queue(), after) == ["- @refused", "~ @push", "~ @drain", "+ @dropped"]
    assert hunks(queue(), after, "@push") == [
        *(sign + line for sign, line in zip("-+", _loads("refused", "dropped"), strict=True)),
        *(sign + line for sign, line in zip("-+", _stores("refused", "dropped"), strict=True)),
    ]


def _lines(name: str, opcode: str) -> str:
    after = queue()
    after.global_variables["refused"].name = name
    (found,) = (one for one in differences(queue(), after) if one.label == "@push")
    assert found.after is not None
    return next(line for line in found.after.split("\n") if f"@{name}," in line and opcode in line)


def _loads(before: str, after: str) -> list[str]:
    line = _lines(after, "load")
    return [line.replace(after, before), line]


def _stores(before: str, after: str) -> list[str]:
    line = _lines(after, "store")
    return [line.replace(after, before), line]


def test_linkage_and_attributes() -> None:
    after = queue()
    after.functions["release"].linkage = Linkage.EXTERNAL
    report = after.functions["report"]
    report.attributes = AttributeList(for_function=AttributeSet([EnumAttribute("cold")]))
    assert compared(queue(), after) == ["~ @release", "~ @report"]
    removed, added = hunks(queue(), after, "@release")
    assert [line.partition("(")[0] for line in (removed, added)] == [
        "-define internal fastcc void @release",
        "+define dso_local fastcc void @release",
    ]
    assert hunks(queue(), after, "@report")[-1].startswith("+declare")
    assert "#{ cold }" in "".join(hunks(queue(), after, "@report"))


def test_an_erased_instruction_is_one_line() -> None:
    after = queue()
    added = next(one for one in after.functions["push"].instructions if one.opcode == "add")
    added.replace_all_uses_with(added.operands[0])
    added.erase_from_parent()
    lines = hunks(queue(), after, "@push")
    assert [line.split(",")[0] for line in lines] == ["-  %8 = add i64 %7", "-  store i64 %8", "+  store i64 %7"]


def test_an_added_function_is_told_whole() -> None:
    before = queue()
    before.functions["drain"].erase_from_parent()
    found = list(differences(before, queue(), debug_info=False))
    (drain,) = (one for one in found if one.label == "@drain")
    assert (drain.change, drain.category, drain.name, drain.before) == (
        Change.ADDED,
        Category.FUNCTION,
        "drain",
        None,
    )
    head, other, extent, *lines = unified_diff(drain)
    assert (head, other) == ("--- /dev/null", "+++ b/@drain")
    assert extent == f"@@ -0,0 +1,{len(lines)} @@"
    assert {line[0] for line in lines} == {"+"}
    assert drain.after == "\n".join(line[1:] for line in lines)


def test_only_chosen_functions_are_compared_and_read() -> None:
    before, after = queue(), queue()
    after.global_variables["refused"].initializer = None
    after.functions["pop"].garbage_collector = "shadow-stack"
    found = list(differences(before, after, functions=["pop", "acquire"]))
    assert [one.name for one in found] == ["pop"]
    assert [one.name for one in before.functions if one.is_materialized and not one.is_declaration] == [
        "acquire",
        "pop",
    ]


def test_named_metadata_is_compared_by_content() -> None:
    before, after = queue(), queue()
    for module, texts in ((before, ["a", "b"]), (after, ["x", "a", "b"])):
        nodes = [MDTuple([MDString(text)]) for text in texts]
        module.named_metadata["added"] = NamedMetadata("added", nodes)
    assert hunks(before, after, "!added") == ['+  !{!"x"},']
    assert compared(before, after) == ["~ !added"]


def test_metadata_in_front_renumbers_nothing() -> None:
    after = queue()
    named = dict(after.named_metadata)
    after.named_metadata.clear()
    after.named_metadata["a.first"] = NamedMetadata("a.first", [MDTuple([MDString(str(n))]) for n in range(50)])
    after.named_metadata.update(named)
    assert compared(queue(), after) == ["+ !a.first"]


def test_named_debug_information_is_told_once() -> None:
    after = queue()
    file = after.functions["push"].subprogram.file
    file.directory = "/elsewhere"
    found = list(differences(queue(), after))
    assert [(one.category, one.name) for one in found] == [(Category.DEBUG_INFO, 'DIFile("queue.c")')]
    assert compared(queue(), after, debug_info=False) == []


def test_locations_count_unless_debug_information_is_ignored() -> None:
    after = queue()
    (moved, *_) = (one for one in after.functions["pop"].instructions if one.debug_location is not None)
    old = moved.debug_location
    moved.debug_location = debug_info.DILocation(line=1234, column=1, scope=old.scope)
    removed, added = hunks(queue(), after, "@pop")
    assert "DILocation(line: 1234, column: 1, scope: !" in added
    assert removed.split(", !dbg")[0][1:] == added.split(", !dbg")[0][1:]
    assert compared(queue(), after, debug_info=False) == []


def test_removed_debug_information_is_ignored() -> None:
    after = queue()
    for function in after.functions:
        function.metadata.pop("dbg", None)
        for instruction in function.instructions:
            instruction.debug_location = None
            instruction.debug_records.clear()
    for variable in after.global_variables:
        variable.metadata.clear()
    del after.named_metadata["llvm.dbg.cu"]
    assert compared(queue(), after, debug_info=False) == []
    assert len(compared(queue(), after)) > 10


def test_which_distinct_node_counts() -> None:
    """Two loops that share a node are not two loops of the same content."""
    modules = [hello() for _ in range(3)]
    for module, shared in zip(modules, (True, False, False), strict=True):
        first, second = (MDTuple([MDString("loop")], is_distinct=True) for _ in range(2))
        instructions = list(module.functions["main"].instructions)
        instructions[0].metadata["mine"] = first
        instructions[1].metadata["mine"] = first if shared else second
    assert compared(modules[0], modules[1]) == ["~ @main"]
    assert compared(modules[1], modules[2]) == []
