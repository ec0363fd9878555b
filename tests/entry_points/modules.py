"""Entry points that read modules, print, compare and check them."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING

import bitcodec
from bitcodec import (
    asm,
    bitstream,
)
from bitcodec.bitcode.loading import loads_all
from bitcodec.bitcode.modules import modules_of, single_module
from bitcodec.diff import differences, unified_diff
from bitcodec.ir.construction.present import raw_parts
from bitcodec.report import Report, collect_file, compare, page
from bitcodec.symbols import symbols_of
from bitcodec.verifier import check, verify

from .registry import MAX_FUNCTIONS, TRIPLE, add, add_for_modules

if TYPE_CHECKING:
    from bitcodec.ir import Module


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


add("loads", bitcodec.loads)
add("loads_all", bitcodec.loads_all)
add("loads.single_modules", _single_modules)
add_for_modules("module.symbols", _symbols)
add_for_modules("module.held", _held)
add_for_modules("module.attributes", _attributes)
add_for_modules("module.bodies", _bodies)
add_for_modules("module.besides", _besides)
add_for_modules("module.named_metadata", _named_metadata)
add_for_modules("module.metadata_kinds", lambda module: module.metadata_kinds)
add_for_modules("module.summary", lambda module: str(module.summary))
add_for_modules("module.raw_parts", raw_parts)
add_for_modules("module.materialize", lambda module: module.materialize())
add_for_modules("module._materialize_uses", lambda module: module._materialize_uses())
add_for_modules("module.order_uses", lambda module: module.order_uses())
add_for_modules("module.users", lambda module: [list(value.users) for value in module.globals])


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


add_for_modules("str", str)
add_for_modules("print_assembly", bitcodec.print_assembly)
add_for_modules(
    "print_assembly.use_lists", lambda module: bitcodec.print_assembly(module, preserve_use_list_order=True)
)
add_for_modules("asm.write_assembly", lambda module: asm.write_assembly(module, io.StringIO()))
add_for_modules("asm.parts", _parts_as_text)
add_for_modules("asm.function_assembly", _function_texts)
add_for_modules("symbols_of", lambda module: [symbol.letter for symbol in symbols_of(module)])
add_for_modules("symbols_of.all", lambda module: symbols_of(module, format_specific=True))
add_for_modules("verify", verify)
add_for_modules("verifier.check", check, bitcodec.verifier.VerificationError)


def _report(data: bytes) -> None:
    """Collect a report and draw it; the sizes have to add up."""
    file = collect_file(data, "file")
    assert file.share.bits == sum(share.bits for _, share in file.share.leaves()) == file.size * 8
    assert all(share.bits >= 0 for _, share in file.share.leaves())
    found = Report([file])
    page(found, compare(Report(), found))


add("report.collect", _report)
add("diff.differences", _compare)
add("diff.unified_diff", _compare_changed)
