"""The words before globals: linkage, visibility and the like.

Rules: docs/reference/text.md, 6 and 17.5; messages match llvm-as 22.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.asm.parser.dialects.comdats import is_bare_comdat
from bitcodec.asm.parser.dialects.globals import old_linkage
from bitcodec.asm.parser.dialects.words import OLD_LINKAGES
from bitcodec.asm.parser.phrases import accept, expect, is_word, parse_optional_row
from bitcodec.asm.parser.tokens import COMDAT_NAME, LEFT_PARENTHESIS, RIGHT_PARENTHESIS, WORD
from bitcodec.ir.globals import Comdat
from bitcodec.named_tuple import NamedTuple
from bitcodec.tables.linkage import DLLStorageClass, Linkage, ThreadLocalMode, UnnamedAddress, Visibility

if TYPE_CHECKING:
    from bitcodec.asm.parser.dialects.dialect import TextDialect
    from bitcodec.asm.parser.lexer import Lexer
    from bitcodec.asm.parser.module_state import ModuleState
    from bitcodec.ir.globals import GlobalValue

__all__ = [
    "LINKAGES",
    "UNNAMED_ADDRESSES",
    "Words",
    "parse_comdat_of",
    "parse_optional_thread_local",
    "parse_optional_unnamed_address",
    "parse_words",
]

LINKAGES = {linkage.spelling.encode(): linkage for linkage in Linkage}
_DSO_LOCAL = {b"dso_local": True, b"dso_preemptable": False}
_VISIBILITIES = {visibility.spelling.encode(): visibility for visibility in Visibility}
_DLL_CLASSES = {storage.spelling.encode(): storage for storage in DLLStorageClass if storage.spelling}
UNNAMED_ADDRESSES = {address.spelling.encode(): address for address in UnnamedAddress if address.spelling}
_THREAD_LOCAL, *_MODELS = [mode for mode in ThreadLocalMode if mode.spelling]
_THREAD_LOCAL_MODELS = {mode.spelling.partition("(")[2].rstrip(")").encode(): mode for mode in _MODELS}


_SHOWN, _NO_DLL = Visibility.DEFAULT, DLLStorageClass.DEFAULT


class Words(NamedTuple):
    """Linkage, None if it is implicit, and the words after it; `start` is the position of the first word."""

    linkage: Linkage | None
    is_dso_local: bool
    visibility: Visibility
    dll_storage_class: DLLStorageClass
    start: int

    def of_linkage(self, state: ModuleState, linkage: Linkage, start: int) -> Words:
        """Return the words, if visibility and DLL storage class match the linkage; old text may combine more.

        Raises:
            AssemblyError: they do not.
        """
        if not linkage.is_local or (self.visibility is _SHOWN and self.dll_storage_class is _NO_DLL):
            return self
        message = "symbol with local linkage must have default visibility"
        if self.visibility is _SHOWN:
            message = "symbol with local linkage cannot have a DLL storage class"
        if not state.dialect.accepts(state.lexer, message, start):
            state.lexer.refuse(message, start)
        return Words(self.linkage, self.is_dso_local, _SHOWN, _NO_DLL, self.start)

    def apply(self, value: GlobalValue) -> None:
        """Set visibility, DLL storage class and `dso_local` of a global."""
        if self.visibility is not _SHOWN:
            value.visibility = self.visibility
        if self.dll_storage_class is not _NO_DLL:
            value.dll_storage_class = self.dll_storage_class
        if self.is_dso_local or value.linkage.is_local:
            value.is_dso_local = True


def parse_words(lexer: Lexer, dialect: TextDialect) -> Words:
    """Return linkage, `dso_local`, visibility and DLL storage class.

    Raises:
        AssemblyError: they do not go together.
    """
    start = lexer.start
    if lexer.kind != WORD:
        return Words(None, is_dso_local=False, visibility=_SHOWN, dll_storage_class=_NO_DLL, start=start)
    linkage = parse_optional_row(lexer, LINKAGES) or old_linkage(lexer, dialect, OLD_LINKAGES)
    is_dso_local = parse_optional_row(lexer, _DSO_LOCAL) or False
    visibility = parse_optional_row(lexer, _VISIBILITIES) or _SHOWN
    storage = parse_optional_row(lexer, _DLL_CLASSES) or _NO_DLL
    if is_dso_local and storage is DLLStorageClass.IMPORT:
        lexer.refuse("dso_location and DLL-StorageClass mismatch")
    return Words(linkage, is_dso_local, visibility, storage, start)


def parse_optional_thread_local(lexer: Lexer) -> ThreadLocalMode:
    """Return how threads find their own copy.

    Raises:
        AssemblyError: the model is unknown.
    """
    if not is_word(lexer, b"thread_local"):
        return ThreadLocalMode.NOT_THREAD_LOCAL
    lexer.advance()
    if not accept(lexer, LEFT_PARENTHESIS):
        return _THREAD_LOCAL
    mode = parse_optional_row(lexer, _THREAD_LOCAL_MODELS)
    if mode is None:
        lexer.refuse("expected localdynamic, initialexec or localexec")
    expect(lexer, RIGHT_PARENTHESIS, "expected ')' after thread local model")
    return mode


def parse_optional_unnamed_address(lexer: Lexer) -> UnnamedAddress:
    """Return whether the address matters."""
    return parse_optional_row(lexer, UNNAMED_ADDRESSES) or UnnamedAddress.NONE


def parse_comdat_of(state: ModuleState, name: str) -> Comdat:
    """Return the comdat of `comdat`, which is the current token, or `comdat($name)`.

    Args:
        state: the parser.
        name: of the global.

    Raises:
        AssemblyError: it is missing or malformed.
    """
    lexer = state.lexer
    start = lexer.start
    lexer.advance()
    if is_bare_comdat(state):
        start, name = lexer.start, str(lexer.content(), "utf-8", "surrogateescape")  # LLVM 3.5
        lexer.advance()
    elif accept(lexer, LEFT_PARENTHESIS):
        if lexer.kind != COMDAT_NAME:
            lexer.refuse("expected comdat variable")
        start, name = lexer.start, str(lexer.content(), "utf-8", "surrogateescape")
        lexer.advance()
        expect(lexer, RIGHT_PARENTHESIS, "expected ')' after comdat var")
    elif not name:
        lexer.refuse("comdat cannot be unnamed")
    found = state.comdats.get(name)
    if found is None:
        found = state.comdats[name] = Comdat(name)
        state.comdat_uses[name] = start
    return found
