"""JSON documents of commands, validated against the JSON Schemas that the package ships."""

from __future__ import annotations

import functools
import json
from importlib import resources
from typing import Any

try:
    import jsonschema
    import referencing
except ImportError:
    jsonschema = None

FOLDER = resources.files("bitcodec.cli") / "schemas"
COMMON = "common.json"


def document(text: str | bytes) -> dict[str, Any]:
    """Return a document; it is validated where `jsonschema` is installed."""
    found = json.loads(text)
    assert isinstance(found, dict)
    package, command, _version = found["schema"].split("/")
    assert package == "bitcodec"
    if jsonschema is not None:
        validator(f"{command}.json").validate(found)
    return found


@functools.cache
def validator(name: str) -> Any:
    """Return what validates documents of one form."""
    registry = referencing.Registry(retrieve=lambda uri: referencing.Resource.from_contents(schema(uri)))
    return jsonschema.Draft202012Validator({"$ref": name}, registry=registry)


def schema(name: str) -> dict[str, Any]:
    found = json.loads((FOLDER / name).read_text(encoding="utf-8"))
    assert isinstance(found, dict)
    return found
