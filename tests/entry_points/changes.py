"""Entry points that change and write modules; the last read tables, and what other LLVMs say."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec import (
    builder,
    corpus,
    flags,
    transforms,
)
from bitcodec.doctor import diagnose
from bitcodec.ir import GlobalObject

from .features import attach, remove_flag
from .registry import MAX_FUNCTIONS, TRIPLE, add, add_change, add_for_modules, write

if TYPE_CHECKING:
    from bitcodec.ir import Function, Instruction, Module


def _write_read(module: Module) -> None:
    module.materialize()
    write(module)


def _write_anew(module: Module) -> None:
    module.materialize()
    write(module, copies_unchanged=False)


def _write_one_body(module: Module) -> None:
    for function in module.functions:
        if not function.is_declaration:
            function.materialize()
            break
    write(module)


add_for_modules("dumps", write)
add_for_modules("dumps.one_body", _write_one_body)
add_for_modules("dumps.materialized", _write_read)
add_for_modules("dumps.anew", _write_anew)


def _first_definition(module: Module) -> Function | None:
    return next((function for function in module.functions if not function.is_declaration), None)


def _rename(module: Module, kind: str) -> None:
    for value in list(getattr(module, kind))[:1]:
        value.name = "a_new_name_that_is_in_no_file"


def _swap_names(module: Module) -> None:
    """Give two globals each other's names: the file has both."""
    globals_ = list(module.globals)
    if len(globals_) > 1:
        first, last = globals_[0], globals_[-1]
        one, other = first.name, last.name
        first.name = ""
        last.name, first.name = one, other


def _set_triple(module: Module) -> None:
    module.target_triple = TRIPLE


def _set_flag(module: Module) -> None:
    for key in list(module.flags)[:1]:
        module.flags.set(key, 1, flags.Behavior.WARNING)
    module.flags.set("a new flag", 1, flags.Behavior.OVERRIDE)


def _add_global(module: Module) -> None:
    types = module.context.types
    variable = builder.add_variable(module, "an_added_variable", types.integer(32))
    variable.initializer = builder.constant(module, types.integer(32), 42)
    function = builder.add_function(module, "an_added_function", types.function(types.void, []))
    builder.Builder(builder.add_block(function)).ret(None)


def _edit_body(module: Module) -> None:
    function = _first_definition(module)
    if function is None or not function.blocks:
        return
    first = next((each for each in function.blocks[0].instructions if each.opcode != "phi"), None)
    if first is not None:
        made = builder.Builder(function.blocks[0])
        made.before(first)
        made.alloca(module.context.types.integer(7), name="added")


def _set_sections(module: Module) -> None:
    for value in module.globals:
        if isinstance(value, GlobalObject) and not value.is_declaration:
            value.section = "added"


def _strip(module: Module) -> None:
    transforms.strip_debug_info(module)
    transforms.strip_names(module)
    transforms.strip_metadata(module, ["tbaa", "prof"])


def _extract(module: Module) -> None:
    function = _first_definition(module)
    if function is not None and function.name:
        transforms.extract_functions(module, [function.name], recursive=True)


def _delete_functions(module: Module) -> None:
    function = _first_definition(module)
    if function is not None and function.name:
        transforms.delete_functions(module, [function.name], recursive=True)


def _rewrite(module: Module) -> None:
    rewriter = transforms.Rewriter()
    for function in list(module.functions)[:MAX_FUNCTIONS]:
        for instruction in list(function.instructions):
            if _is_plain(instruction):
                rewriter.replace(instruction, rewriter.duplicate(instruction))
                break


def _is_plain(instruction: Instruction) -> bool:
    return instruction.opcode in {"add", "mul", "load", "getelementptr", "icmp", "sext", "zext"}


for _name, _kind in (("function", "functions"), ("variable", "global_variables"), ("alias", "aliases")):
    add_change(f"rename_{_name}", lambda module, kind=_kind: _rename(module, kind))  # type: ignore[misc]
add_change("swap_names", _swap_names)
add_change("triple", _set_triple)
add_change("set_flag", _set_flag)
add_change("remove_flag", remove_flag)
add_change("add_global", _add_global)
add_change("section", _set_sections)
add_change("edit_body", _edit_body)
add_change("attach", attach)
add_change("strip", _strip)
add_change("extract", _extract)
add_change("delete functions", _delete_functions)
add_change("rewrite", _rewrite)
add_change("expand_atomics", lambda module: transforms.expand_atomics(module, "x86_64-unknown-linux-gnu"), ValueError)


def _tables(data: bytes) -> None:
    """Read all tables: nothing that is malformed raises, and no error is a bug."""
    for table in corpus.TABLES:
        for row in corpus.read_rows(table, data):
            assert row.get("kind") != "internal", row


add("corpus.read_rows", _tables)
add("doctor.diagnose", diagnose)
