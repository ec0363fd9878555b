"""Modules: the content of one bitcode file."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, cast

from bitcodec.errors import ClosedModuleError
from bitcodec.features import feature
from bitcodec.host.collection import ObjectGrowth, without_collection
from bitcodec.ir.assignments import a_boolean, a_text, an_instance_of, check_members
from bitcodec.ir.context import Context
from bitcodec.ir.data_layout import DataLayout
from bitcodec.ir.functions import Function
from bitcodec.ir.global_lists import Globals
from bitcodec.ir.globals import Comdat, GlobalAlias, GlobalIFunc, GlobalValue, GlobalVariable
from bitcodec.ir.intrinsic_attributes import declared_attributes
from bitcodec.ir.lazy import Deferred, DeferredPart, DeferredStep
from bitcodec.ir.module_verbs import ModuleVerbs
from bitcodec.ir.sources import FileWrapper, RawPart, Source
from bitcodec.ir.symbols import SymbolTable
from bitcodec.printing import text_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from typing import Self

    from bitcodec.ir.debug_info_index import DebugInfo
    from bitcodec.ir.intrinsic_numbers import IntrinsicNumbers
    from bitcodec.ir.metadata import NamedMetadata
    from bitcodec.ir.module_flags import ModuleFlags
    from bitcodec.ir.sources import UseOrders
    from bitcodec.ir.summary import ModuleSummaryIndex
    from bitcodec.ir.types import FunctionType

__all__ = ["FileWrapper", "Globals", "Module", "RawPart", "Source"]


class Module(ModuleVerbs):
    """A module.

    Several threads may read it at the same time: walk through it, print, write, verify and compare it.  A part that is
    materialized for one thread is complete before another sees it.  A program that changes a module while other threads
    use it needs its own lock.

    If an exception other than `BitcodecError`, such as KeyboardInterrupt, ends the materialization of a part, parts
    that are complete stay readable, and all others raise `InterruptedReadError` from then on: open the module again.

    Attributes:
        context: owns its types, constants and metadata.
        identifier: its name in messages; the file's name, if it was opened from one.
        producer: the program that wrote it; empty if unknown.
        bitcode_size: size in bytes of the bitcode that it was read from, with the string table; None if it was not
            read from any.
        source_filename: the file it was compiled from.
        data_layout: how its target lays out types.
        module_asm: module-level assembly.
        preserves_use_list_order: whether files contain use-list orders, so that readers find the same order;
            true if the file that it was read from contained it.
        wrapper: the wrapper that it is written in, None if there is none; belongs to the file that it was read from.
    """

    __slots__ = (
        "_assembly_records",
        "_comdats",
        "_growth",
        "_ignored_debug_info_version",
        "_intrinsic_numbers",
        "_kept_numbers",
        "_lists",
        "_metadata_kinds",
        "_named_metadata",
        "_raw_parts",
        "_source",
        "_summary",
        "_symbols",
        "_target_triple",
        "_unread_attachments",
        "_unread_metadata",
        "_unread_operands",
        "_unread_rest",
        "_unread_symbols",
        "_unread_uses",
        "_use_orders",
        "bitcode_size",
        "context",
        "data_layout",
        "identifier",
        "module_asm",
        "preserves_use_list_order",
        "producer",
        "source_filename",
        "wrapper",
    )

    def __init__(self, identifier: str, data_layout: DataLayout, context: Context | None = None) -> None:
        self.context = context or Context()
        self.identifier = identifier
        self.producer = ""
        self.bitcode_size: int | None = None
        self.source_filename = identifier
        self.data_layout = data_layout
        self.module_asm = ""
        self._assembly_records: tuple[tuple[int, tuple[int, ...]], ...] = ()
        self.preserves_use_list_order = False
        self.wrapper: FileWrapper | None = None
        self._growth = ObjectGrowth()
        self._ignored_debug_info_version: int | None = None
        self._symbols = SymbolTable(".")
        self._target_triple = ""
        kinds = (GlobalVariable, Function, GlobalAlias, GlobalIFunc)
        self._lists: dict[type[GlobalValue], Globals[Any]] = {kind: Globals(kind, self._symbols) for kind in kinds}
        self._comdats: dict[str, Comdat] = {}
        self._named_metadata: dict[str, NamedMetadata] | Deferred[dict[str, NamedMetadata]] = {}
        self._raw_parts: tuple[RawPart, ...] | Deferred[tuple[RawPart, ...]] = ()
        self._metadata_kinds: tuple[str, ...] | Deferred[tuple[str, ...]] = ()
        self._summary: ModuleSummaryIndex | Deferred[ModuleSummaryIndex | None] | None = None
        self._source: Source | None = None
        self._unread_symbols: Deferred[None] | None = None
        self._unread_operands: Deferred[None] | None = None
        self._unread_uses: Deferred[None] | None = None
        self._unread_attachments: Deferred[None] | None = None
        self._unread_metadata: Deferred[None] | None = None
        self._unread_rest: Deferred[None] | None = None
        self._use_orders: UseOrders | None = None
        self._kept_numbers: object = None
        self._intrinsic_numbers: IntrinsicNumbers | None = None

    @property
    def ignored_debug_info_version(self) -> int | None:
        """Version of the debug information that was dropped on reading because LLVM 22 does not read that version.

        None if none was dropped in the parts read so far.
        """
        return self._ignored_debug_info_version

    @property
    def _has_unread_symbols(self) -> bool:
        """Whether its globals have not been read yet."""
        return self._unread_symbols is not None

    @property
    def global_variables(self) -> Globals[GlobalVariable]:
        """Its variables, in order."""
        self._materialize_symbols()
        return self._lists[GlobalVariable]

    @property
    def functions(self) -> Globals[Function]:
        """Its functions, in order.

        Old intrinsics are replaced when the functions are read first.  An upgraded call may need further intrinsics:
        these are declared after all others when its body is read, as in LLVM.
        """
        self._materialize_symbols()
        return self._lists[Function]

    @property
    def aliases(self) -> Globals[GlobalAlias]:
        """Its aliases, in order."""
        self._materialize_symbols()
        return self._lists[GlobalAlias]

    @property
    def ifuncs(self) -> Globals[GlobalIFunc]:
        """Its ifuncs, in order."""
        self._materialize_symbols()
        return self._lists[GlobalIFunc]

    @property
    def comdats(self) -> dict[str, Comdat]:
        """Its comdats, by name and in order."""
        self._materialize_symbols()
        return self._comdats

    @property
    def symbols(self) -> SymbolTable:
        """Its globals by name."""
        self._materialize_symbols()
        return self._symbols

    @property
    def target_triple(self) -> str:
        """Target triple; empty if unset."""
        return self._target_triple

    @target_triple.setter
    def target_triple(self, triple: str) -> None:
        if not isinstance(triple, str):
            raise TypeError(f"target_triple must be str; got {triple!r}")
        self._target_triple = triple
        # Names in PTX have no dots.
        self._symbols.separator = "" if triple.startswith("nvptx") else "."

    @property
    def symbol_names(self) -> list[str]:
        """Names of its globals, in order, without intrinsics and other reserved names (`llvm.`).

        The globals are not made for this, if they were not yet.

        Raises:
            BitcodecError: a name is malformed.
        """
        return [name for name in self._every_name() if name and not name.startswith("llvm.")]

    def _every_name(self) -> list[str]:
        """Return the names of all its globals, in order; "" for one without a name."""
        if (source := self._source) is not None and self._has_unread_symbols:
            return self.context.lock.run(source.symbol_names)
        return [value.name for value in self.globals]

    @property
    def summary(self) -> ModuleSummaryIndex | None:
        """Summaries for link-time optimization, None if absent: unchanged, even if its globals have changed.

        Raises:
            BitcodecError: they are malformed.
        """
        summary = self._summary
        return summary.fill(self, "_summary") if isinstance(summary, Deferred) else summary

    def drop_summaries(self) -> None:
        """Remove the summaries that the file contained: for programs that change the globals that they describe."""
        self._raw_parts, self._summary = (), None

    @property
    def metadata_kinds(self) -> tuple[str, ...]:
        """Names of the kinds of attached metadata that it has registered, in order; it may have others too.

        Raises:
            BitcodecError: one of them is malformed.
        """
        kinds = self._metadata_kinds
        return kinds.fill(self, "_metadata_kinds") if isinstance(kinds, Deferred) else kinds

    @property
    def named_metadata(self) -> dict[str, NamedMetadata]:
        """Named metadata such as `llvm.module.flags`, by name and in order."""
        named = self._named_metadata
        return named.fill(self, "_named_metadata") if isinstance(named, Deferred) else named

    @property
    def flags(self) -> ModuleFlags:
        """Its module flags, by key and in order: `!llvm.module.flags`, to read and to edit.

        No body of a function is read for them.

        Raises:
            BitcodecError: metadata is malformed.
        """
        return cast("ModuleFlags", feature("ModuleFlags")(self))

    @flags.setter
    def flags(self, flags: ModuleFlags) -> None:
        self.flags.assign(flags)

    @property
    def debug_info(self) -> DebugInfo:
        """Its current debug information, by kind.  The whole module is read for it.

        Raises:
            BitcodecError: something in the module is malformed.
        """
        return cast("DebugInfo", feature("DebugInfo")(self))

    @property
    def globals(self) -> Iterator[GlobalValue]:
        """All globals: variables, functions, aliases, ifuncs."""
        yield from self.global_variables
        yield from self.functions
        yield from self.aliases
        yield from self.ifuncs

    def get(self, name: str) -> GlobalValue | None:
        """Return the global of that name, None if there is none."""
        found = self.symbols.get(name)
        return found if isinstance(found, GlobalValue) else None

    def get_or_insert_function(self, name: str, function_type: FunctionType) -> Function:
        """Return the function of that name and type; it is declared after all others if it is missing.

        Raises:
            TypeError: the name belongs to another kind of global, or to a function of another type.
        """
        found = self.get(name)
        if found is None:
            found = Function(self.context.types.pointer(self.data_layout.program_address_space), function_type)
            found.name = name
            found.attributes = declared_attributes(name, function_type) or found.attributes
            self.append(found)
        if not isinstance(found, Function) or found.value_type is not function_type:
            raise TypeError(f"{found!r} is of type {found.value_type.brief}, not {function_type.brief}")
        return found

    def extend(self, values: Iterable[GlobalValue]) -> None:
        """Append each of the globals, as `append` does.

        Raises:
            ValueError: one of them is in a module already.
        """
        self._materialize_symbols()
        lists, enter = self._lists, self._symbols.enter
        for value in values:
            if value.parent is not None:
                raise ValueError(f"@{value.name} is in a module already")
            value.parent = self
            lists[type(value)]._items[value] = None
            enter(value)

    def append(self, value: GlobalValue) -> None:
        """Append a global to the list of its kind; its name gets a number if it is taken.

        Raises:
            ValueError: it is in a module already.
        """
        self.extend([value])

    def remove(self, value: GlobalValue) -> None:
        """Remove a global without reading anything; `GlobalValue.remove_from_parent` first reads the affected parts."""
        del self._lists[type(value)]._items[value]
        self.symbols.remove(value)
        value.parent = None

    def materialize(self, progress: Callable[[int], object] | None = None) -> None:
        """Read everything that has not been read yet.

        Args:
            progress: called now and then with the number of functions that have been read.

        Raises:
            BitcodecError: something in it is malformed.
        """
        with without_collection(self._growth):
            self._materialize(progress)

    def close(self) -> None:
        """Release the file that it was read from: parts read so far stay, other parts can no longer be read.

        A module that was read to the end, or made by a program, does not change.  A `with` statement closes a module.

        >>> with bitcodec.open("examples/hello.bc") as module:
        ...     names = module.symbol_names
        """
        if self._source is not None:
            self.context.lock.close()
            self._source = None
            refused = DeferredStep(self.context.lock, _refuse)
            for slot in _STEPS:
                if getattr(self, slot) is not None:
                    setattr(self, slot, refused)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _materialize(self, progress: Callable[[int], object] | None) -> None:
        self._materialize_globals()
        source = self._source
        if source is not None:
            if (unread := self._unread_metadata) is not None:
                unread.fill(self, "_unread_metadata")
            for number, function in enumerate(self.functions):
                self.context.lock.run(source.read_whole, function)
                if progress is not None:
                    progress(number)
        self._materialize_uses()
        self._materialize_attachments()
        self._read_raw_parts()
        _ = self.named_metadata, self.metadata_kinds, self.summary
        if (unread := self._unread_rest) is not None:
            unread.fill(self, "_unread_rest")
        if source is not None:
            self._source = None  # first, for who finds it may still need all of it
            self.context.lock.run_exclusively(source.close)

    def _materialize_metadata_uses(self) -> None:
        """Read all metadata that may wrap a global or a constant: materialize the whole module."""
        # Whatever is being read resolves its metadata afterwards.
        if self._unread_rest is not None and not self.context.lock.is_reading:
            self.materialize()

    def _materialize_uses(self) -> None:
        """Read everything that may use a global: initializers and the bodies of functions."""
        if (unread := self._unread_uses) is not None:
            unread.fill(self, "_unread_uses")

    def _materialize_ordered_uses(self) -> None:
        """Read everything that may use globals, and order the uses, except for code that reads a part of them."""
        self._materialize_uses()
        lock = self.context.lock
        if self._use_orders is not None and not lock.is_reading and not lock.run(self._apply_before_metadata):
            self._order_uses()

    def _read_uses(self) -> None:
        with without_collection(self._growth):
            self._materialize_globals()
            for function in self.functions:
                function.materialize()

    def order_uses(self) -> None:
        """Put the uses of globals and constants in LLVM's order; the uses of other values are in it already.

        The whole module is read for this.  Later uses are added at the end, as for all values.

        Raises:
            BitcodecError: something in the module is malformed.
        """
        self._order_uses()

    def _order_uses(self, *, is_lazy: bool = False) -> object:
        """Do the same, and return the result of `UseOrders.apply`; None if the uses were in order before."""
        self.materialize()
        return self.context.lock.run(partial(self._apply_use_orders, is_lazy=is_lazy))

    def _apply_before_metadata(self) -> bool:
        """Put the uses in order before metadata has been read, if that gives the same; return whether they are."""
        orders, source = self._use_orders, self._source
        if orders and source and source.has_settled_uses and orders.apply_before_metadata(self):
            self._use_orders = None
        return self._use_orders is None

    def _apply_use_orders(self, *, is_lazy: bool) -> object:
        orders = self._use_orders  # None if another thread was first
        applied = None if orders is None else orders.apply(self, is_lazy=is_lazy)
        self._use_orders = None
        return applied

    def _materialize_globals(self) -> None:
        """Read the operands of all globals: initializers, aliasees, personalities."""
        self._materialize_symbols()  # first, because what upgrades them requests what they hold
        if (unread := self._unread_operands) is not None:
            unread.fill(self, "_unread_operands")

    def _materialize_attachments(self) -> None:
        """Read the metadata attached to globals."""
        if (unread := self._unread_attachments) is not None:
            unread.fill(self, "_unread_attachments")

    def clear(self) -> None:
        """Take all globals out."""
        self._symbols.clear()
        for listed in self._lists.values():
            for value in listed._items:
                value.parent = None
            listed._items.clear()

    def _attach_source(self, source: Source) -> None:
        """Let parts that are not there yet come from `source` when they are requested."""
        lock = self.context.lock
        self._source = source
        self._use_orders = source.use_orders
        self._unread_symbols = DeferredStep(lock, source.read_symbols)
        self._unread_operands = DeferredStep(lock, source.read_globals)
        self._unread_uses = DeferredStep(lock, self._read_uses)
        self._unread_attachments = DeferredStep(lock, source.read_attachments)
        self._unread_metadata = DeferredStep(lock, source.read_metadata)
        self._unread_rest = DeferredStep(lock, source.read_rest)
        self._named_metadata = DeferredPart(lock, source.named_metadata)
        self._raw_parts = DeferredPart(lock, source.raw_parts)
        self._metadata_kinds = DeferredPart(lock, lambda: tuple(source.metadata_kinds()))
        self._summary = DeferredPart(lock, source.summary)

    def _read_raw_parts(self) -> tuple[RawPart, ...]:
        """Return the parts that are kept as the file has them."""
        parts = self._raw_parts
        return parts.fill(self, "_raw_parts") if isinstance(parts, Deferred) else parts

    def _materialize_symbols(self) -> None:
        """Make the globals and comdats, without their operands."""
        if (unread := self._unread_symbols) is not None:
            unread.fill(self, "_unread_symbols")

    def __str__(self) -> str:
        return text_of(self)

    def __repr__(self) -> str:
        counts = f"{len(self.functions)} functions, {len(self.global_variables)} variables"
        return f"<Module {self.identifier!r}: {counts}>"


_STEPS = tuple(slot for slot in Module.__slots__ if slot.startswith("_unread_"))


def _refuse() -> None:
    """Read a part of a closed module, which its lock refuses before."""
    raise ClosedModuleError


check_members(
    Module,
    identifier=a_text(),
    producer=a_text(),
    source_filename=a_text(),
    module_asm=a_text(),
    data_layout=an_instance_of(DataLayout),
    preserves_use_list_order=a_boolean(),
    wrapper=an_instance_of(FileWrapper, or_none=True),
)
