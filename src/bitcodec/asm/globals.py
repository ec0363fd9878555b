"""Text of variables, aliases, ifuncs and comdats.  Rules: docs/reference/text.md, 2 and 6."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.asm.attributes import address_words, comdat, group, linkage_words, named
from bitcodec.asm.names import comdat_name
from bitcodec.ir.constant_expressions import ConstantExpr
from bitcodec.tables.linkage import Linkage

if TYPE_CHECKING:
    from bitcodec.asm.texts import Texts
    from bitcodec.ir.constants import Constant
    from bitcodec.ir.globals import Comdat, GlobalAlias, GlobalIFunc, GlobalObject, GlobalVariable

__all__ = ["SANITIZERS", "alias_text", "attachments", "comdat_text", "ifunc_text", "variable_text"]

SANITIZERS = ("no_sanitize_address", "no_sanitize_hwaddress", "sanitize_memtag", "sanitize_address_dyninit")


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
    if variable.is_externally_initialized:
        words += "externally_initialized "
    words += "constant" if variable.is_constant else "global"
    value = "" if initializer is None else f" {texts.names[initializer]}"
    tail = _placement(variable)
    head = f"{texts.names[variable]} = {words} {texts.types[variable.value_type]}{value}"
    return f"{head}{tail}{attachments(variable, texts, ',')}{group(variable.attributes, texts)}"


def _placement(variable: GlobalVariable) -> str:
    """Return where a variable is put, and how."""
    text = named("section", variable.section, ",") + named("partition", variable.partition, ",")
    if variable.code_model is not None:
        text += named("code_model", variable.code_model.spelling, ",")
    text += "".join(f", {sanitizer}" for sanitizer in SANITIZERS if getattr(variable, sanitizer))
    text += comdat(variable, ",")
    return f"{text}, align {variable.alignment}" if variable.alignment else text


def alias_text(alias: GlobalAlias, texts: Texts) -> str:
    """Return the line of an alias."""
    words = linkage_words(alias) + address_words(alias)
    target = _target(alias.aliasee, texts)
    head = f"{texts.names[alias]} = {words}alias {texts.types[alias.value_type]}"
    return f"{head}, {target}{named('partition', alias.partition, ',')}"


def ifunc_text(ifunc: GlobalIFunc, texts: Texts) -> str:
    """Return the line of an ifunc."""
    head = f"{texts.names[ifunc]} = {linkage_words(ifunc)}ifunc {texts.types[ifunc.value_type]}"
    tail = named("partition", ifunc.partition, ",") + attachments(ifunc, texts, ",")
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
