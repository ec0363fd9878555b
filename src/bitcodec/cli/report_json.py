"""The JSON document of `report`: made, and read again for a comparison."""

from __future__ import annotations

import dataclasses
import json
from typing import TYPE_CHECKING, Any

from bitcodec.cli.json_documents import named, place, schema_name
from bitcodec.errors import BitcodecError
from bitcodec.report import Sizes, merged_shares
from bitcodec.report.comparing import block_name, sums_by_name

if TYPE_CHECKING:
    from collections.abc import Iterable

    from bitcodec.report import Comparison, FunctionReport, Growth, ModuleReport, Report

__all__ = ["as_document", "sizes_of_document"]


def as_document(report: Report, comparison: Comparison | None, *, demangle: bool) -> dict[str, Any]:
    """Return the content of the document."""
    return {
        "bytes": report.size,
        "files": [{"file": file.name, "bytes": file.size, "errors": file.errors} for file in report.files],
        "sizes": [
            {"path": list(path), "bits": share.bits, "count": share.instances}
            for path, share in merged_shares(report).leaves()
        ],
        "modules": [_module(module) for module in report.modules],
        "functions": [
            _function(module, function, demangle=demangle) for module in report.modules for function in module.functions
        ],
        "duplicates": [_duplicates(group) for group in report.duplicates],
        "opcodes": report.opcodes,
        "comparison": None if comparison is None else _comparison(comparison, demangle=demangle),
    }


def sizes_of_document(data: bytes) -> Sizes:
    """Return the sizes in a document that was printed before.

    Raises:
        BitcodecError: it is not such a document.
    """
    try:
        found = json.loads(data)
        if found["schema"] != schema_name("report"):
            raise BitcodecError(f"expected a document {schema_name('report')}, got {str(found['schema'])[:80]!r}")
        functions = found["functions"]
        return Sizes(
            _size("", found["bytes"])[1] * 8,
            sums_by_name(_size(row["name"], row["bits"]) for row in functions),
            sums_by_name(_size(block_name(row["path"]), row["bits"]) for row in found["sizes"]),
            sums_by_name(_size(row["source_file"], row["bits"]) for row in functions if row["source_file"]),
        )
    except (KeyError, TypeError, ValueError, RecursionError) as error:
        raise BitcodecError(
            "malformed JSON document: `bitcodec report --json` prints one that can be compared"
        ) from error


def _size(name: object, bits: object) -> tuple[str, int]:
    """Return a name and a size.

    Raises:
        TypeError: they are of other types.
    """
    if isinstance(name, str) and isinstance(bits, int):
        return name, bits
    raise TypeError


def _module(module: ModuleReport) -> dict[str, Any]:
    return {
        **place(module.file, module.member, module.number),
        "producer": module.producer,
        "triple": module.triple,
        "source_filename": module.source_filename,
        "bits": module.bits,
        "flags": module.flags,
        "functions": len(module.functions),
        "declarations": module.declarations,
        "variables": module.variables,
    }


def _function(module: ModuleReport, function: FunctionReport, *, demangle: bool) -> dict[str, Any]:
    values = {field.name: getattr(function, field.name) for field in dataclasses.fields(function)}
    return {
        **place(module.file, module.member, module.number),
        **named(values.pop("name"), demangle=demangle),
        **values,
        "instructions": function.instructions,
    }


def _duplicates(group: list[FunctionReport]) -> dict[str, Any]:
    return {
        "fingerprint": group[0].fingerprint,
        "saved_bits": sum(function.bits for function in group[1:]),
        "functions": [function.name for function in group],
    }


def _comparison(comparison: Comparison, *, demangle: bool) -> dict[str, Any]:
    return {
        "old_bytes": (comparison.total.old_bits or 0) // 8,
        "new_bytes": (comparison.total.new_bits or 0) // 8,
        "percent": comparison.total.percent,
        "functions": _rows(comparison.functions, demangle=demangle),
        "blocks": _rows(comparison.blocks),
        "sources": _rows(comparison.sources),
    }


def _rows(rows: Iterable[Growth], *, demangle: bool = False) -> list[dict[str, Any]]:
    return [{**named(row.name, demangle=demangle), "old_bits": row.old_bits, "new_bits": row.new_bits} for row in rows]
