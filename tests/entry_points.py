"""Every public function that takes bytes or modules, each as a function of the bytes of a file.

`ENTRY_POINTS` is what harnesses walk.  An entry point returns, or raises a `BitcodecError` (`refuses` names the other
errors that its documentation lists).  It raises AssertionError if a module was written, and cannot be read again.
"""

from __future__ import annotations

import io
from typing import TYPE_CHECKING, Any, NamedTuple

import bitcodec
from bitcodec import (
    BitcodecError,
    asm,
    bitcode,
    bitstream,
    builder,
    containers,
    corpus,
    flags,
    mir,
    pcsections,
    transforms,
)
from bitcodec.bitcode.editing.flag_changes import replace_flags
from bitcodec.bitcode.loading import loads_all
from bitcodec.bitcode.modules import modules_of, single_module
from bitcodec.bitcode.remarks import DumpRemarks
from bitcodec.bitcode.schema.blocks import BlockId, ModuleCode
from bitcodec.bitcode.schema.names import LLVM_IR_NAMES
from bitcodec.bitcode.summary import summarize
from bitcodec.bitstream.dump import dump_chunks
from bitcodec.bitstream.items import DraftRecord
from bitcodec.bitstream.statistics import block_statistics
from bitcodec.diff import differences, unified_diff
from bitcodec.doctor import diagnose
from bitcodec.ir import GlobalObject
from bitcodec.ir.construction import raw_parts
from bitcodec.report import Report, collect_file, compare, page
from bitcodec.symbols import symbols_of
from bitcodec.verifier import check, verify

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from bitcodec.bitstream import Bitstream, Draft, DraftBlock
    from bitcodec.ir import Function, Instruction, Module

__all__ = ["ENTRY_POINTS", "EntryPoint"]

TRIPLE = "aarch64-unknown-linux-gnu"
MAX_FUNCTIONS = 4
"""How many functions of a module an entry point looks at where it goes through them one by one."""


class EntryPoint(NamedTuple):
    """A public function, or several of one kind, applied to the bytes of a file.

    Attributes:
        name: a unique name.
        function: the function.
        refuses: the errors that it may raise.
    """

    name: str
    function: Callable[[bytes], object]
    refuses: tuple[type[Exception], ...] = (BitcodecError,)

    def __call__(self, data: bytes) -> object:
        return self.function(data)


ENTRY_POINTS: list[EntryPoint] = []


def _add(name: str, function: Callable[[bytes], object], *more: type[Exception]) -> None:
    ENTRY_POINTS.append(EntryPoint(name, function, (BitcodecError, *more)))


def _modules(data: bytes) -> Iterator[Module]:
    yield from loads_all(data)


def _add_for_modules(name: str, function: Callable[[Module], object], *more: type[Exception]) -> None:
    """Add an entry point that reads each module of a file."""
    _add(name, lambda data: [function(module) for module in _modules(data)], *more)


def _read_again(data: bytes) -> None:
    """Read what was written; AssertionError if that is refused."""
    try:
        for module in loads_all(data):
            module.materialize()
    except BitcodecError as error:
        raise AssertionError(f"the written module cannot be read: {error}") from error


def _write(module: Module, **options: Any) -> None:
    """Write a module, and read it if all of it is well-formed: unread parts are copied with their faults."""
    data = bitcodec.dumps(module, **options)
    try:
        module.materialize()
    except BitcodecError:
        loads_all(data)
        return
    _read_again(data)


def _add_change(name: str, change: Callable[[Module], object], *more: type[Exception]) -> None:
    """Add an entry point that changes a module, then writes it."""

    def run(module: Module) -> None:
        change(module)
        _write(module)

    _add_for_modules(f"change.{name}", run, *more)


# Containers and bitstreams


def _text_of_dump(data: bytes) -> None:
    stream = bitstream.loads(data)
    columns = stream.decode()
    remarks = DumpRemarks(stream.payload, columns)
    for _ in dump_chunks(stream.payload, columns, table=LLVM_IR_NAMES, remarks=remarks):
        pass


def _walk(data: bytes) -> None:
    pending = [*bitstream.loads(data).blocks]
    while pending:
        block = pending.pop()
        _ = repr(block), block.abbreviations, block.definitions, block.parent
        for record in block.records:
            _ = repr(record), record.operands, record.blob, record.text, record.abbreviation
        pending += block.blocks


def _opened(draft: Draft) -> Draft:
    pending = list(draft.blocks)
    while pending:
        pending += pending.pop().blocks
    return draft


def _encode(data: bytes) -> None:
    stream = bitstream.loads(data)
    assert bitstream.encode(stream.payload, stream.columns) is not None


def _edit(data: bytes) -> None:
    assert bitstream.loads(bitstream.loads(data).edit().dumps()).blocks is not None


def _edit_opened(data: bytes) -> None:
    assert bitstream.loads(_opened(bitstream.loads(data).edit()).dumps()).columns is not None


_add("containers.detect", containers.detect)
_add("containers.find", containers.find)
_add("containers.scan", containers.scan)
_add("containers.require", containers.require)
_add("containers.open_streams", lambda data: containers.open_streams(memoryview(data)))
_add("containers.split", lambda data: list(containers.split(memoryview(data))))
_add("bitstream.loads", lambda data: [bitstream.loads(data).blocks, bitstream.loads(data).trailing])
_add("bitstream.walk", _walk)
_add("bitstream.decode", lambda data: bitstream.loads(data).decode())
_add("bitstream.columns", lambda data: bitstream.loads(data).columns)
_add("bitstream.dump", _text_of_dump)
_add("bitstream.statistics", lambda data: block_statistics(bitstream.loads(data).columns))
_add("bitstream.encode", _encode)
_add("bitstream.edit", _edit)
_add("bitstream.edit_opened", _edit_opened)


# Drafts of LLVM IR


def _unchanged_draft(stream: Bitstream) -> None:
    bitcode.dumps(stream.edit())


def _module_drafts(draft: Draft) -> list[DraftBlock]:
    return [block for block in draft.blocks if block.id == BlockId.MODULE_BLOCK]


def _draft_with_triple(stream: Bitstream) -> None:
    draft = stream.edit()
    for block in _module_drafts(draft):
        for record in block.records:
            if record.code == ModuleCode.TRIPLE:
                record.abbreviation_id = 3
                record.text = TRIPLE * 3
    bitcode.dumps(draft)


def _draft_with_record(stream: Bitstream) -> None:
    draft = _opened(stream.edit())
    for block in _module_drafts(draft):
        block.items.insert(0, DraftRecord(ModuleCode.DEPLIB, (1, 2, 3)))
    bitcode.dumps(draft)


_add("bitcode.summarize", lambda data: summarize(bitstream.loads(data)))
_add("bitcode.modules_of", lambda data: modules_of(bitstream.loads(data)))
_add("bitcode.dumps", lambda data: _unchanged_draft(bitstream.loads(data)))
_add("bitcode.dumps.triple", lambda data: _draft_with_triple(bitstream.loads(data)))
_add("bitcode.dumps.record", lambda data: _draft_with_record(bitstream.loads(data)))


# Modules read


def _single_modules(data: bytes) -> None:
    stream = bitstream.loads(data)
    for module in modules_of(stream):
        bitcodec.loads(single_module(stream, module))


def _symbols(module: Module) -> None:
    _ = repr(module), module.symbol_names, [repr(value) for value in module.globals], module.comdats


def _held(module: Module) -> None:
    for value in module.globals:
        _ = value.metadata if hasattr(value, "metadata") else None
        _ = [repr(operand) for operand in value.operands]


def _attributes(module: Module) -> None:
    for function in module.functions:
        _ = repr(function.attributes), function.metadata
    for variable in module.global_variables:
        _ = repr(variable.attributes)


def _bodies(module: Module) -> None:
    for function in list(module.functions)[:MAX_FUNCTIONS]:
        for instruction in function.instructions:
            _ = repr(instruction), [repr(operand) for operand in instruction.operands]


def _besides(module: Module) -> None:
    for function in list(module.functions)[:MAX_FUNCTIONS]:
        for instruction in function.instructions:
            _ = instruction.metadata, instruction.debug_records, instruction.debug_location


def _named_metadata(module: Module) -> None:
    for named in module.named_metadata.values():
        _ = repr(named), [repr(node) for node in named.operands]


_add("loads", bitcodec.loads)
_add("loads_all", bitcodec.loads_all)
_add("loads.single_modules", _single_modules)
_add_for_modules("module.symbols", _symbols)
_add_for_modules("module.held", _held)
_add_for_modules("module.attributes", _attributes)
_add_for_modules("module.bodies", _bodies)
_add_for_modules("module.besides", _besides)
_add_for_modules("module.named_metadata", _named_metadata)
_add_for_modules("module.metadata_kinds", lambda module: module.metadata_kinds)
_add_for_modules("module.summary", lambda module: str(module.summary))
_add_for_modules("module.raw_parts", raw_parts)
_add_for_modules("module.materialize", lambda module: module.materialize())
_add_for_modules("module._materialize_uses", lambda module: module._materialize_uses())
_add_for_modules("module.order_uses", lambda module: module.order_uses())
_add_for_modules("module.users", lambda module: [list(value.users) for value in module.globals])


# Text, symbols, judgement


def _parts_as_text(module: Module) -> None:
    for value in module.globals:
        _ = str(value)
    for function in list(module.functions)[:MAX_FUNCTIONS]:
        for instruction in function.instructions:
            _ = str(instruction)


def _function_texts(module: Module) -> None:
    for function in list(module.functions)[:MAX_FUNCTIONS]:
        _ = "".join(asm.function_assembly(function))


def _compare(data: bytes) -> None:
    for before, after in zip(loads_all(data), loads_all(data), strict=True):
        assert not list(differences(before, after))


def _compare_changed(data: bytes) -> None:
    for before, after in zip(loads_all(data), loads_all(data), strict=True):
        after.target_triple = TRIPLE
        for value in list(after.globals)[:MAX_FUNCTIONS]:
            value.name = f"{value.name}.changed"
        for difference in differences(before, after):
            _ = list(unified_diff(difference))


_add_for_modules("str", str)
_add_for_modules("print_assembly", bitcodec.print_assembly)
_add_for_modules(
    "print_assembly.use_lists", lambda module: bitcodec.print_assembly(module, preserve_use_list_order=True)
)
_add_for_modules("asm.write_assembly", lambda module: asm.write_assembly(module, io.StringIO()))
_add_for_modules("asm.parts", _parts_as_text)
_add_for_modules("asm.function_assembly", _function_texts)
_add_for_modules("symbols_of", lambda module: [symbol.letter for symbol in symbols_of(module)])
_add_for_modules("symbols_of.all", lambda module: symbols_of(module, format_specific=True))
_add_for_modules("verify", verify)
_add_for_modules("verifier.check", check, bitcodec.verifier.VerificationError)


def _report(data: bytes) -> None:
    """Collect a report and draw it; the sizes have to add up."""
    file = collect_file(data, "file")
    assert file.share.bits == sum(share.bits for _, share in file.share.leaves()) == file.size * 8
    assert all(share.bits >= 0 for _, share in file.share.leaves())
    found = Report([file])
    page(found, compare(Report(), found))


_add("report.collect", _report)
_add("diff.differences", _compare)
_add("doctor.diagnose", diagnose)
_add("diff.unified_diff", _compare_changed)


# Module flags


def _read_flags(module: Module) -> None:
    found = module.flags
    _ = found.check(), flags.lint(found), [flags.spelled(flag.value) for flag in found.entries.values()]
    for flag in found.entries.values():
        _ = flags.describe(flag.key, flag.value), flags.meaning_of(flag.key, flag.value), flags.advice(flag.key)


def _replace_streams(data: bytes) -> None:
    found = containers.open_streams(memoryview(data))
    contents = {each.offset: bytes(each.stream.data) for each in found if each.offset is not None}
    containers.open_streams(memoryview(containers.replace_streams(data, contents)))


_add("containers.replace_streams", _replace_streams)


def _merge_flags(data: bytes) -> None:
    for first, second in zip(loads_all(data), loads_all(data), strict=True):
        flags.conflicts([("first", first.flags), ("second", second.flags)])
        for dialect in (flags.LANGREF, flags.PROPOSAL_2012):
            for diagnostic in flags.merge(first.flags, second.flags, dialect=dialect).diagnostics:
                _ = str(diagnostic), flags.explanation(diagnostic)


def _save_flags(data: bytes) -> None:
    for found in containers.open_streams(memoryview(data)):
        for blocks in modules_of(found.stream):
            alone = bitstream.loads(single_module(found.stream, blocks))
            module = bitcodec.loads(alone.dumps())
            _remove_flag(module)
            written = replace_flags(module, alone)
            if written is not None:
                loads_all(written)


_add_for_modules("flags", _read_flags)
_add("flags.merge", _merge_flags)
_add("flags.replace_flags", _save_flags)


# PC sections and machine IR


def _schemas(module: Module) -> None:
    pcsections.Schema.of_module(module)


def _audit(data: bytes) -> None:
    for before, after in zip(loads_all(data), loads_all(data), strict=True):
        pcsections.audit(before, after)


def _attach(module: Module) -> None:
    pcsections.attach(module, "all,functions", [pcsections.PCSection.of("hot")])


_add_for_modules("pcsections.survey", lambda module: list(pcsections.survey(module)))
_add_for_modules("pcsections.check", pcsections.check)
_add_for_modules("pcsections.schema", _schemas)
_add("pcsections.audit", _audit)
_add("pcsections.pieces", pcsections.pieces)
_add("pcsections.decode", lambda data: list(pcsections.decode(data, 0x1000, "hot=instruction:i32|function")))
_add("pcsections.decode_file", pcsections.decode_file)
_add("mir.loads", lambda data: mir.loads(data).dumps(reprint=True))


# Modules written


def _write_read(module: Module) -> None:
    module.materialize()
    _write(module)


def _write_anew(module: Module) -> None:
    module.materialize()
    _write(module, copies_unchanged=False)


def _write_one_body(module: Module) -> None:
    for function in module.functions:
        if not function.is_declaration:
            function.materialize()
            break
    _write(module)


_add_for_modules("dumps", _write)
_add_for_modules("dumps.one_body", _write_one_body)
_add_for_modules("dumps.materialized", _write_read)
_add_for_modules("dumps.anew", _write_anew)


# Modules changed and written


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


def _remove_flag(module: Module) -> None:
    for key in list(module.flags)[:1]:
        module.flags.remove(key)


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
    _add_change(f"rename_{_name}", lambda module, kind=_kind: _rename(module, kind))  # type: ignore[misc]
_add_change("swap_names", _swap_names)
_add_change("triple", _set_triple)
_add_change("set_flag", _set_flag)
_add_change("remove_flag", _remove_flag)
_add_change("add_global", _add_global)
_add_change("section", _set_sections)
_add_change("edit_body", _edit_body)
_add_change("attach", _attach)
_add_change("strip", _strip)
_add_change("extract", _extract)
_add_change("delete functions", _delete_functions)
_add_change("rewrite", _rewrite)
_add_change("expand_atomics", lambda module: transforms.expand_atomics(module, "x86_64-unknown-linux-gnu"), ValueError)


# Tables of many modules


def _tables(data: bytes) -> None:
    """Read all tables: nothing that is malformed raises, and no error is a bug."""
    for table in corpus.TABLES:
        for row in corpus.read_rows(table, data):
            assert row.get("kind") != "internal", row


_add("corpus.read_rows", _tables)
