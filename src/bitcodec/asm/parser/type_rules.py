"""Which types LLVM's parser takes where."""

from __future__ import annotations

from bitcodec.ir.types import FunctionType, LabelType, MetadataType, StructType, TokenType, Type, VoidType, X86AMXType

__all__ = ["is_element", "is_first_class", "is_pointee"]


def is_first_class(type: Type) -> bool:
    """Return whether values may be of a type, as LLVM's parser sees it: not of an opaque struct."""
    return type.is_first_class and not (isinstance(type, StructType) and type.is_opaque)


def is_pointee(type: Type) -> bool:
    """Return whether a variable or `alloca` may be of a type."""
    return not isinstance(type, VoidType | LabelType | MetadataType | FunctionType | TokenType | X86AMXType)


def is_element(type: Type) -> bool:
    """Return whether structs and arrays may hold a type."""
    return not isinstance(type, VoidType | LabelType | MetadataType | FunctionType | TokenType | X86AMXType)
