"""The page on JSON output: one section for each JSON Schema file of the commands."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["SCHEMAS", "schema_page"]

SCHEMAS = Path(__file__).parents[1] / "src" / "bitcodec" / "cli" / "schemas"
_SHARED = "common.json"
_INTRODUCTION = """\
# JSON output

With `--json`, a command prints one JSON document. Its key `schema` names its JSON Schema. The files are installed
in `bitcodec/cli/schemas`. In the tables, `[]` means each element of an array and `*` each value of an object.
"""


def schema_page() -> str:
    """Return the Markdown text of the page."""
    files = [path for path in sorted(SCHEMAS.glob("*.json")) if path.name != _SHARED]
    return "\n".join([_INTRODUCTION, *map(_section, files)])


def _section(path: Path) -> str:
    schema = json.loads(path.read_text(encoding="utf-8"))
    rows = [
        f"| `{key}` | {_type(part)} | {_cell(part.get('description', ''))} |"
        for key, part in _parts(schema, "", (), path.name)
    ]
    return "\n".join(
        [f"## {path.stem.replace('-', ' ')}\n", "| key | type | meaning |", "| --- | --- | --- |", *rows, ""]
    )


def _parts(
    schema: dict[str, Any], prefix: str, references: tuple[str, ...], file: str
) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the key path and the schema of every part of one in a file; one that contains itself is listed once."""
    inner = {**schema.get("properties", {}), "[]": schema.get("items"), "*": schema.get("additionalProperties")}
    for key, part in inner.items():
        if not isinstance(part, dict):
            continue
        path = f"{prefix}{key}" if key == "[]" or not prefix else f"{prefix}.{key}"
        reference = part.get("$ref", "")
        other, _, pointer = reference.partition("#/")
        source = other or file
        resolved = {**_definition(source, pointer), **part} if reference else part
        if key != "[]":
            yield path, resolved
        if reference not in references:
            yield from _parts(resolved, path, (*references, reference) if reference else references, source)


def _definition(file: str, pointer: str) -> dict[str, Any]:
    """Return a definition in a file."""
    found: Any = json.loads((SCHEMAS / file).read_text(encoding="utf-8"))
    for key in pointer.split("/"):
        found = found[key]
    return dict(found)


def _type(part: dict[str, Any]) -> str:
    if "const" in part:
        return f"`{part['const']}`"
    if "enum" in part:
        return ", ".join(f"`{value}`" for value in part["enum"])
    kinds = part.get("type", "")
    return kinds if isinstance(kinds, str) else " or ".join(kinds)


def _cell(text: str) -> str:
    return text.replace("|", r"\|").replace("<", "&lt;").replace("\n", " ")
