"""Words that LLVM's lexer treats as tokens everywhere, as far as the tables of the package contain them.

Most of the parser expects words by name.  Where LLVM goes past any token, it goes past the first letter of other words.
"""

from __future__ import annotations

from itertools import chain

from bitcodec.tables.attributes import ATTRIBUTE_KINDS
from bitcodec.tables.calling_conventions import CALLING_CONVENTIONS
from bitcodec.tables.linkage import (
    DLLStorageClass,
    Linkage,
    SelectionKind,
    ThreadLocalMode,
    UnnamedAddress,
    Visibility,
)
from bitcodec.tables.opcodes import (
    BINARY_OPCODES,
    CAST_OPCODES,
    AtomicOrdering,
    AtomicRMWOperation,
    FCmpPredicate,
    ICmpPredicate,
)
from bitcodec.tables.summaries import FunctionFlag, Hotness, ImportKind, SummaryFlag, VariableFlag
from bitcodec.tables.summary_labels import Label

__all__ = ["is_keyword"]

_TABLES = (
    *(AtomicOrdering, AtomicRMWOperation, DLLStorageClass, FCmpPredicate, FunctionFlag, Hotness, ICmpPredicate),
    *(ImportKind, Linkage, SelectionKind, SummaryFlag, ThreadLocalMode, UnnamedAddress, VariableFlag, Visibility),
)
_WORDS = frozenset(
    word.encode()
    for word in chain(
        (row.spelling for table in _TABLES for row in table),
        (value for name, value in vars(Label).items() if not name.startswith("_")),
        ATTRIBUTE_KINDS,
        CALLING_CONVENTIONS.values(),
        chain.from_iterable(BINARY_OPCODES),
        CAST_OPCODES,
    )
)
_BEGINNINGS = (b"DIFlag", b"DISPFlag", b"DW_ATE_", b"DW_CC_", b"DW_LANG_", b"DW_OP_", b"DW_TAG_", b"DW_VIRTUALITY_")


def is_keyword(word: bytes) -> bool:
    """Return whether a word is a token by itself."""
    return word in _WORDS or word.startswith(_BEGINNINGS)
