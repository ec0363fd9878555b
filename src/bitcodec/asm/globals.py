"""Text of variables, aliases, ifuncs and comdats.  Rules: docs/reference/text.md, 2 and 6."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.asm.attributes import address_words, group, linkage_words
from bitcodec.asm.global_fields import back_text, front_text
from bitcodec.asm.names import comdat_name
from bitcodec.ir.constant_expressions import ConstantExpr
from bitcodec.tables.linkage import Linkage

if TYPE_CHECKING:
    from bitcodec.asm.texts import Texts
    from bitcodec.ir.constants import Constant
    from bitcodec.ir.globals import Comdat, GlobalAlias, GlobalIFunc, GlobalObject, GlobalVariable

__all__ = ["alias_text", "attachments", "comdat_text", "ifunc_text", "variable_text"]


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
    words += front_text(variable)
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
    """Return the metadata attached to a global, a space in front of each."""
    attached = value.metadata.items()
    if not attached:
        return ""
    name_of, references = texts.kind_name, texts.references
    return "".join(f"{comma} {name_of(kind)} {references[node]}" for kind, node in texts.numbering.ordered(attached))


def _target(target: Constant, texts: Texts) -> str:
    return texts.names[target] if isinstance(target, ConstantExpr) else texts.typed(target)
