"""Text of attributes and of linkage properties of globals.  Rules: docs/reference/text.md, 6, 7 and 11."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bitcodec.ir.types import PointerType
from bitcodec.tables import calling_conventions
from bitcodec.tables.linkage import Linkage, Visibility

if TYPE_CHECKING:
    from bitcodec.asm.texts import Texts
    from bitcodec.ir.attributes import AttributeSet
    from bitcodec.ir.globals import GlobalValue
    from bitcodec.ir.types import Type

__all__ = [
    "address_words",
    "attribute_words",
    "calling_convention",
    "group",
    "linkage_words",
    "program_address_space",
]


def attribute_words(attributes: AttributeSet, texts: Texts) -> str:
    """Return the attributes of a parameter or of a result, with a space at the end."""
    if not attributes:
        return ""
    words = texts.attribute_words.get(attributes)
    if words is None:
        words = texts.attribute_words[attributes] = f"{attributes.spelled(type_text=texts.types.__getitem__)} "
    return words


def group(attributes: AttributeSet, texts: Texts) -> str:
    """Return ` #N`, or nothing without attributes."""
    return f" #{texts.numbering.groups[attributes]}" if attributes else ""


def linkage_words(value: GlobalValue) -> str:
    """Return linkage, `dso_local`, visibility and DLL storage class, a space after each."""
    text = "" if value.linkage is Linkage.EXTERNAL else f"{value.linkage.spelling} "
    if value.is_dso_local and not _is_implied_dso_local(value):
        text += "dso_local "
    if value.visibility is not Visibility.DEFAULT:
        text += f"{value.visibility.spelling} "
    return text + _word(value.dll_storage_class)


def address_words(value: GlobalValue) -> str:
    """Return thread-local mode and `unnamed_addr`, a space after each."""
    return _word(value.thread_local_mode) + _word(value.unnamed_address)


def calling_convention(number: int) -> str:
    """Return a calling convention and a space, or nothing for C's."""
    return f"{calling_conventions.spelling(number)} " if number else ""


def program_address_space(pointer: Type, texts: Texts) -> str:
    """Return the address space of a function and a space; nothing if all functions of the module are in 0."""
    space = pointer.address_space if isinstance(pointer, PointerType) else 0
    return f"{texts.address_space(space)} " if space or texts.has_program_address_space else ""


def _is_implied_dso_local(value: GlobalValue) -> bool:
    return value.linkage.is_local or (
        value.visibility is not Visibility.DEFAULT and value.linkage is not Linkage.EXTERN_WEAK
    )


def _word(row: Any) -> str:
    return f"{row.spelling} " if row.spelling else ""
