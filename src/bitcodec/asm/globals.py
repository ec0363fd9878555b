"""Text of variables, aliases, ifuncs and comdats.  Rules: docs/reference/text.md, 2 and 6."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.asm.attributes import address_words, group, linkage_words
from bitcodec.asm.names import comdat_name, printable, quoted
from bitcodec.ir.constant_expressions import ConstantExpr
from bitcodec.tables.global_rows import GlobalFieldKind as K
from bitcodec.tables.global_rows import TextPlace
from bitcodec.tables.globals import fields_in
from bitcodec.tables.linkage import Linkage

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from bitcodec.asm.texts import Texts
    from bitcodec.ir.constants import Constant
    from bitcodec.ir.globals import Comdat, GlobalAlias, GlobalIFunc, GlobalObject, GlobalValue, GlobalVariable

__all__ = ["alias_text", "attachments", "back_text", "comdat_text", "ifunc_text", "variable_text"]


def comdat_text(comdat: Comdat) -> str:
    """Return the line of a comdat."""
    return f"{comdat_name(comdat.name)} = comdat {comdat.selection_kind.spelling}"


def variable_text(variable: GlobalVariable, texts: Texts) -> str:
    """Return the line of a variable."""
    initializer = variable.initializer
    words = "external " if initializer is None and variable.linkage is Linkage.EXTERNAL else ""
    words += linkage_words(variable) + address_words(variable)
    if variable.address_space:
        words += f"{texts.address_space(variable.address_space)} "
    words += _front_text(variable)
    words += "constant" if variable.is_constant else "global"
    value = "" if initializer is None else f" {texts.names[initializer]}"
    tail = back_text("variable", variable, texts)
    head = f"{texts.names[variable]} = {words} {texts.types[variable.value_type]}{value}"
    return f"{head}{tail}{attachments(variable, texts, ',')}{group(variable.attributes, texts)}"


def alias_text(alias: GlobalAlias, texts: Texts) -> str:
    """Return the line of an alias."""
    words = linkage_words(alias) + address_words(alias)
    target = _target(alias.aliasee, texts)
    head = f"{texts.names[alias]} = {words}alias {texts.types[alias.value_type]}"
    return f"{head}, {target}{back_text('alias', alias, texts)}"


def ifunc_text(ifunc: GlobalIFunc, texts: Texts) -> str:
    """Return the line of an ifunc."""
    head = f"{texts.names[ifunc]} = {linkage_words(ifunc)}ifunc {texts.types[ifunc.value_type]}"
    tail = back_text("ifunc", ifunc, texts) + attachments(ifunc, texts, ",")
    return f"{head}, {_target(ifunc.resolver, texts)}{tail}"


def attachments(value: GlobalObject, texts: Texts, comma: str = "") -> str:
    """Return the metadata attached to a global, a space before each."""
    attached = value.metadata.items()
    if not attached:
        return ""
    name_of, references = texts.kind_name, texts.references
    return "".join(f"{comma} {name_of(kind)} {references[node]}" for kind, node in texts.numbering.ordered(attached))


def _target(target: Constant, texts: Texts) -> str:
    return texts.names[target] if isinstance(target, ConstantExpr) else texts.typed(target)


def _front_text(variable: GlobalValue) -> str:
    """Return the fields before `global` or `constant`, a space after each."""
    return "".join([word for word, attribute in _FRONT if getattr(variable, attribute)])


def back_text(record: str, value: GlobalValue, texts: Texts) -> str:
    """Return the fields at the end of a global, a space before each.

    Args:
        record: the name of its record in the table.
        value: the global.
        texts: makes the texts.
    """
    text = ""
    for attribute, default, spell, start in _BACK[record]:
        given = getattr(value, attribute)
        if given != default:
            text += spell(start, given, value, texts)
    return text


def _quoted(start: str, given: str, _value: GlobalValue, _texts: Texts) -> str:
    return f"{start} {quoted(given)}"


def _comdat(start: str, given: Comdat, value: GlobalValue, _texts: Texts) -> str:
    return start if given.name == value.name else f"{start}({comdat_name(given.name)})"


_SPELLERS: dict[K, Callable[[str, Any, GlobalValue, Texts], str]] = {
    K.BOOLEAN: lambda start, _given, _value, _texts: start,
    K.TEXT: _quoted,
    K.SECTION: _quoted,
    K.COLLECTOR: lambda start, given, _value, _texts: f'{start} "{printable(given)}"',
    K.MEMBER: lambda start, given, _value, _texts: f"{start} {quoted(given.spelling)}",
    K.ALIGNMENT: lambda start, given, _value, _texts: f"{start} {given}",
    K.COMDAT: _comdat,
    K.CONSTANT: lambda start, given, _value, texts: f"{start} {texts.typed(given)}",
}
"""Functions that take the word of a field, a value other than the default, the global, and the `Texts`."""
_FRONT = [(f"{field.spelling} ", field.attribute) for field in fields_in("variable") if field.place is TextPlace.FRONT]
_BACK = {
    record: [
        (field.attribute, field.initial, _SPELLERS[field.kind], f"{comma} {field.spelling}")
        for field in fields_in(record)
        if field.place is TextPlace.BACK
    ]
    for record, comma in (("variable", ","), ("function", ""), ("alias", ","), ("ifunc", ","))
}
