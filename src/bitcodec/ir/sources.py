"""Sources of the parts of a module that are read on first access."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from bitcodec.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from bitcodec.ir.functions import Function
    from bitcodec.ir.globals import GlobalValue, GlobalVariable
    from bitcodec.ir.metadata import NamedMetadata
    from bitcodec.ir.module import Module
    from bitcodec.ir.summary import ModuleSummaryIndex
    from bitcodec.ir.types import StructType
    from bitcodec.tables.linkage import DLLStorageClass, Linkage, SelectionKind, Visibility

__all__ = ["FileWrapper", "LinkerSymbols", "RawPart", "Source", "SymbolRow", "UseOrders"]


class RawPart(NamedTuple):
    """A part that is kept as its file has it: summaries for link-time optimization, the symbol table for linkers.

    Value ids in it refer to the globals at the time it was read.

    Attributes:
        name: LLVM's name of its block, such as `GLOBALVAL_SUMMARY_BLOCK`.
        records: code and operands of each record, in order.
        blob: its further bytes, empty without any.
        globals: the globals that its value ids count.
        strings: the string table of its names, empty without one.
    """

    name: str
    records: tuple[tuple[int, tuple[int, ...]], ...]
    blob: bytes
    globals: tuple[GlobalValue, ...] = ()
    strings: bytes = b""


class FileWrapper(NamedTuple):
    """The wrapper (`0x0B17C0DE`) that a module is written in.

    Attributes:
        cpu_type: as Mach-O numbers them.
        version: always 0 so far.
    """

    cpu_type: int
    version: int = 0


class SymbolRow(NamedTuple):
    """A symbol that other modules see, as linkers need it.

    Attributes:
        name: its name.
        linkage: its linkage, which is not local.
        is_declaration: whether it is defined elsewhere.
        dll_storage_class: whether it comes from a DLL.
        visibility: whether other shared objects see it.
        is_dso_local: whether no other one can replace it.
        comdat: the name of its comdat, for an alias of its aliasee's; "" if absent, None if that is not known
            before constants have been read.
        variable: the variable itself if it is an appending one, outside of any module.
    """

    name: str
    linkage: Linkage
    is_declaration: bool
    dll_storage_class: DLLStorageClass
    visibility: Visibility
    is_dso_local: bool
    comdat: str | None
    variable: GlobalVariable | None


class LinkerSymbols(NamedTuple):
    """Symbols of a module as linkers see them.

    Attributes:
        rows: the symbols with a name that other modules see, in the order of the file.
        comdats: the selection kinds of comdats by name, in order.
    """

    rows: list[SymbolRow]
    comdats: dict[str, SelectionKind]


class UseOrders(Protocol):
    """Orders of uses of globals and constants, which are created in the order in which they are requested."""

    def apply(self, module: Module, *, is_lazy: bool) -> object:
        """Put the uses in that order, and return the object that determines it.  The module has been read to the end.

        Args:
            module: the module.
            is_lazy: whether LLVM opens the file lazily, and so reads some bodies before others.
        """

    def apply_before_metadata(self, module: Module) -> bool:
        """Do the same before metadata has been read, if no metadata can change the order; return whether it is done."""


class Source(Protocol):
    """Source of the parts of a module that have not been read yet.

    Every method may raise `BitcodecError`.  Callers hold the lock of the module's context (`Context.lock`).

    Attributes:
        is_in_parts: whether to leave out the upgrades that LLVM does only when it reads a whole module; linkers set it
            before anything is read.
    """

    is_in_parts: bool

    @property
    def use_orders(self) -> UseOrders:
        """The order of uses that LLVM would find."""

    @property
    def has_settled_uses(self) -> bool:
        """Whether reading metadata adds and moves no uses."""

    def symbol_names(self) -> list[str]:
        """Return the names of all globals, without making them."""

    def identified_structs(self) -> Sequence[StructType]:
        """Return all identified structs of the file, used or not."""

    def linker_symbols(self) -> LinkerSymbols:
        """Return the symbols that linkers resolve; no globals have been created before, and none are."""

    def raw_parts(self) -> tuple[RawPart, ...]:
        """Return the parts that are kept unchanged."""

    def summary(self) -> ModuleSummaryIndex | None:
        """Return the summaries for link-time optimization, None if there are none."""

    def metadata_kinds(self) -> Iterable[str]:
        """Return the names of kinds of attached metadata, in order."""

    def read_symbols(self) -> None:
        """Create the globals and comdats, with a `Deferred` for the operands and the body of each."""

    def read_globals(self) -> None:
        """Read the operands of all globals: initializers, aliasees, personalities."""

    def read_attachments(self) -> None:
        """Read the metadata attached to globals."""

    def named_metadata(self) -> dict[str, NamedMetadata]:
        """Return the named metadata, by name and in order."""

    def read_metadata(self) -> None:
        """Read the metadata that is the module's own."""

    def read_deferred_metadata(self) -> None:
        """Read the content of all metadata nodes that have been made."""

    def read_whole(self, function: Function) -> None:
        """Read the body of a function, and the locations, attachments and debug records of its instructions."""

    def read_rest(self) -> None:
        """Read the rest: all metadata. Everything else has been read before."""

    def close(self) -> None:
        """Release resources: everything has been read, and the module no longer refers to the source."""
