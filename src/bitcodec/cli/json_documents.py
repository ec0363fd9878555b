"""JSON output: one document for each run of a command, whose key `schema` names its form.

`schemas` has a JSON Schema for each form; its version grows when a key is removed or changes its meaning.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from bitcodec.cli.declaring import option
from bitcodec.cli.names import readable
from bitcodec.cli.outputs import STANDARD_OUTPUT, write_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

__all__ = [
    "document_of_rows",
    "json_line",
    "json_option",
    "json_rows",
    "named",
    "place",
    "print_document",
    "schema_name",
]

json_option = option(
    "--json", "as_json", is_flag=True, help="Print one JSON document; its key `schema` names its JSON Schema."
)

_INDENT = 2
_VERSION = 1
_SURROGATE = "\\udc"
"""How JSON has bytes that are not UTF-8; text can have it only with a second backslash or as half of a pair."""


def schema_name(command: str) -> str:
    """Return the value of the key `schema`: `bitcodec/flags-show/1` for the command `flags show`."""
    return f"bitcodec/{command.replace(' ', '-')}/{_VERSION}"


def print_document(command: str, content: dict[str, Any]) -> None:
    """Print the document of a command.

    Args:
        command: with the group that it is in: `flags show`.
        content: the document behind its key `schema`.

    Raises:
        Failure: standard output does not take it.
    """
    text = _text({"schema": schema_name(command), **content}, indent=_INDENT)
    write_text(STANDARD_OUTPUT, [text, "\n"])


def document_of_rows(command: str, head: dict[str, Any], key: str, rows: Iterable[Any]) -> Iterator[str]:
    """Yield the text of a document that ends with a long list, one row a line, as the rows are made."""
    yield f'{json_line({"schema": schema_name(command), **head})[:-1]}, "{key}": [\n'
    yield from json_rows(rows)
    yield "\n]}\n"


def json_rows(rows: Iterable[Any]) -> Iterator[str]:
    """Yield the text of the items of a list, one a line."""
    between = ""
    for row in rows:
        yield f"{between}{json_line(row)}"
        between = ",\n"


def json_line(value: Any) -> str:
    """Return a value as a line of JSON; bytes in it that are not UTF-8 get escapes."""
    return _text(value)


def place(file: str, path: str | None, module: int | None = None) -> dict[str, Any]:
    """Return the keys that describe the place of something, with the same names in all documents.

    Args:
        file: the file, as the user named it.
        path: of the bitstream inside the file; empty if the file is the bitstream.
        module: number of the module in the bitstream, from 1; left out if the bitstream is meant.
    """
    found: dict[str, Any] = {"file": file, "member": path or None}
    return found if module is None else {**found, "module": module}


def named(name: str, *, demangle: bool) -> dict[str, Any]:
    """Return the keys that a thing has its name in: `name`, and `demangled` if that is wanted."""
    if not demangle:
        return {"name": name}
    from bitcodec.symbols.demangling import demangle as demangled  # noqa: PLC0415 - only on request

    return {"name": name, "demangled": demangled(name)}


def _text(value: Any, *, indent: int | None = None) -> str:
    text = json.dumps(value, indent=indent)
    return json.dumps(_readable(value), indent=indent) if _SURROGATE in text else text


def _readable(value: Any) -> Any:
    """Return a value with readable texts; documents are a few levels deep whatever the input is."""
    if isinstance(value, str):
        return readable(value)
    if isinstance(value, dict):
        return {_readable(key): _readable(each) for key, each in value.items()}
    return [_readable(each) for each in value] if isinstance(value, list | tuple) else value
