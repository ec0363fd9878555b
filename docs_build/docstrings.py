"""Docstrings as the site shows them.

Sessions are code blocks, a parameter described with others gets its own entry, and public names link to examples.
"""

from __future__ import annotations

import re
from typing import Any

import griffe
from guide_links import GUIDES, example_links

from bitcodec.ir import debug_info

__all__ = ["DocstringText", "with_code_blocks", "with_single_entries"]

_SESSION = re.compile(r"^( *)>>> .*(?:\n *\S.*)*", re.MULTILINE)
_SHARED_ENTRY = re.compile(r"^( +)(\w+(?:, \w+)+): (.*(?:\n\1 +\S.*)*)", re.MULTILINE)
_TYPES_OF_LITERALS = {"False": "bool", "True": "bool", "''": "str", '""': "str"}


def with_code_blocks(text: str) -> str:
    """Return a docstring in which each Python session is a code block."""
    return _SESSION.sub(lambda found: f"{found[1]}```pycon\n{_without_directives(found[0])}\n{found[1]}```", text)


def _without_directives(session: str) -> str:
    return re.sub(r" *# doctest: .*", "", session)


def with_single_entries(text: str) -> str:
    """Return a docstring in which an entry for several names, as in `width, height: in pixels`, is one for each."""
    return _SHARED_ENTRY.sub(
        lambda found: "\n".join(f"{found[1]}{name}: {found[3]}" for name in found[2].split(", ")), text
    )


class DocstringText(griffe.Extension):
    """Changes each docstring before it is parsed, and gives attributes their types."""

    def on_object(self, *, obj: griffe.Object, **_: Any) -> None:
        """Rewrite the docstring of an object that was loaded."""
        _rewrite(obj)

    def on_class_members(self, *, cls: griffe.Class, **_: Any) -> None:
        """Give the attributes of a class the types that its constructor states."""
        _annotate_attributes(cls)

    def on_package(self, *, pkg: griffe.Module, **_: Any) -> None:
        """Rewrite the docstring of the root package, which `on_object` leaves out."""
        _rewrite(pkg)


def _rewrite(obj: griffe.Object) -> None:
    if obj.docstring is None:
        return
    text = with_single_entries(with_code_blocks(obj.docstring.value)) + _debug_info_fields(obj)
    if _has_own_entry(obj) and "```pycon" not in text:
        text += f"\n\nExamples: {example_links(obj.path)}."
    obj.docstring.value = text


def _annotate_attributes(cls: griffe.Class) -> None:
    constructor = cls.members.get("__init__")
    parameters = constructor.parameters if isinstance(constructor, griffe.Function) else ()
    types = {parameter.name: parameter.annotation for parameter in parameters}
    for member in cls.members.values():
        if not isinstance(member, griffe.Attribute):
            continue
        if member.annotation is None:
            member.annotation = types.get(str(member.value)) or _type_of(member.value)
        member.annotation = _type_when_read(member.annotation)


def _type_of(value: str | griffe.Expr | None) -> str | griffe.Expr | None:
    """Return the type of a literal, or of what a class returns that is called; None for other values."""
    if isinstance(value, griffe.ExprCall) and str(value.function)[:1].isupper():
        return value.function
    return _TYPES_OF_LITERALS.get(str(value))


def _type_when_read(annotation: str | griffe.Expr | None) -> str | griffe.Expr | None:
    """Return the first of the two types of an attribute that accepts more than it returns."""
    if isinstance(annotation, griffe.ExprSubscript) and str(annotation.left) == "Checked":
        types = annotation.slice
        return types.elements[0] if isinstance(types, griffe.ExprTuple) else types
    return annotation


def _debug_info_fields(obj: griffe.Object) -> str:
    """Return the section on the fields of a debug-info node, which a table defines; empty for other objects."""
    layout = getattr(getattr(debug_info, obj.name, None), "layout", None)
    if layout is None or not obj.path.startswith("bitcodec.ir.debug_info."):
        return ""
    types = {name: getattr(member, "annotation", None) for name, member in obj.members.items()}
    entries = [
        f"    {field.attribute} ({types.get(field.attribute)}): `{field.name}` in assembly text."
        for field in layout.fields
    ]
    return "\n".join(["\n\nAttributes:", *entries])


def _has_own_entry(obj: griffe.Object) -> bool:
    """Return whether an object may be a public name: it is part of a module, and of a package that has a guide."""
    is_public = not any(part.startswith("_") for part in obj.path.split("."))
    parent = obj.parent
    if not is_public or parent is None or not parent.is_module or obj.is_module:
        return False
    return obj.path.split(".")[1] in GUIDES
