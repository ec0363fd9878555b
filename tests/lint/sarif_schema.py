"""The parts of a SARIF 2.1.0 log that the standard requires, and the types of those that bitcodec writes.

Rules: SARIF 2.1.0, sections 3.13 (log), 3.14 (run), 3.18 (tool), 3.19 (component), 3.27 (result), 3.28 (location),
3.29 (physical location), 3.33 (logical location), 3.49 (descriptor), 3.50 (configuration).
"""

from __future__ import annotations

from typing import Any

__all__ = ["SARIF"]

TEXT: dict[str, Any] = {"type": "string"}


def of(required: tuple[str, ...], **properties: dict[str, Any]) -> dict[str, Any]:
    return {"type": "object", "required": list(required), "properties": properties, "additionalProperties": False}


MESSAGE = of(("text",), text=TEXT)
LEVEL = {"enum": ["none", "note", "warning", "error"]}
URI = {"type": "string", "pattern": r"^[A-Za-z0-9._~:/?#@!$&'()*+,;=%-]*$"}
LOCATION = of(
    (),
    id={"type": "integer", "minimum": -1},
    physicalLocation=of(("artifactLocation",), artifactLocation=of((), uri=URI)),
    logicalLocations={"type": "array", "items": of((), name=TEXT, kind=TEXT)},
)
DESCRIPTOR = of(
    ("id",),
    id=TEXT,
    shortDescription=MESSAGE,
    fullDescription=MESSAGE,
    help=MESSAGE,
    helpUri=URI,
    defaultConfiguration=of((), level=LEVEL),
)
RESULT = of(
    ("message",),
    ruleId=TEXT,
    ruleIndex={"type": "integer", "minimum": -1},
    level=LEVEL,
    message=MESSAGE,
    locations={"type": "array", "items": LOCATION},
    relatedLocations={"type": "array", "items": LOCATION, "uniqueItems": True},
    partialFingerprints={"type": "object", "additionalProperties": TEXT},
    properties={"type": "object"},
)
DRIVER = of(
    ("name",),
    name=TEXT,
    semanticVersion={"type": "string", "pattern": r"^\d+\.\d+\.\d+"},
    rules={"type": "array", "items": DESCRIPTOR, "uniqueItems": True},
)
RUN = of(
    ("tool",),
    tool=of(("driver",), driver=DRIVER),
    columnKind={"enum": ["utf16CodeUnits", "unicodeCodePoints"]},
    results={"type": "array", "items": RESULT},
)
SARIF = of(
    ("version", "runs"), **{"$schema": URI, "version": {"enum": ["2.1.0"]}, "runs": {"type": "array", "items": RUN}}
)
