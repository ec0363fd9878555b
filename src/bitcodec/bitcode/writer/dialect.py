"""Differences of bitcode for a version of LLVM: the interface of the writer to `bitcodec.downgrade`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

from bitcodec.bitcode.newer_constructs import has_newer_constructs
from bitcodec.bitcode.producers import producing_version
from bitcodec.bitcode.writer.abbreviations import LOCATION_LENGTH
from bitcodec.bitcode.writer.debug_info import NODE_PROGRAMS, NodeWritePrograms
from bitcodec.bitcode.writer.instructions import PROGRAMS
from bitcodec.bitcode.writer.types import TypeNumbers
from bitcodec.ir.debug_records import DbgVariableKind
from bitcodec.tables.versions import MODEL, NEWEST

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from bitcodec.bitcode.writer.attributes import Lowered
    from bitcodec.bitcode.writer.programs import Program
    from bitcodec.ir.attributes import AttributeSet
    from bitcodec.ir.constants import Constant
    from bitcodec.ir.functions import Function
    from bitcodec.ir.globals import GlobalObject, GlobalValue
    from bitcodec.ir.instructions import Instruction
    from bitcodec.ir.metadata import MDNode
    from bitcodec.ir.module import Module
    from bitcodec.ir.types import Type
    from bitcodec.ir.values import Value
    from bitcodec.tables.linkage import Linkage

__all__ = ["LLVM_22", "BitcodeDialect", "Written", "own_dialect"]

Written: TypeAlias = "list[tuple[list[Instruction], list[Instruction]]]"
"""By block, the instructions that are written, and those whose values they have."""


class BitcodeDialect:
    """Bitcode for LLVM 22; children describe older versions.  The module that is written is never changed.

    Attributes:
        version: the version of LLVM.
        instruction_programs, node_programs: how instructions and metadata nodes are written, by class.
        constant_writers: functions that write constants, by class; None for LLVM 22's.
        debug_codes: the record codes of debug records that describe variables.
        debug_calls: the intrinsics that are called where the module has debug records, by kind, and for labels by None;
            None if debug records are written.
        offset: the number of the offset of `llvm.dbg.value`, None if absent.
        dropped_kinds: kinds of attached metadata that are not written.
        added: declarations that the module lacks.
        attributes: returns the attributes written for a set at an index; None for the set itself.
        location_length: the number of operands of debug locations.
        ifunc_length: the number of operands of ifuncs after the place of their names, None for all.
        has_string_table: whether names of globals are in a separate table, not in tables of symbols.
        keeps_argument_lists, keeps_summaries, keeps_use_list_orders: whether these are written.
        lacks_types: whether types exist that the version lacks.
        refuses_late: whether a constant or something in a body may be refused where it is written.
        casts_pointers: whether `written_in` may refuse a body, because a cast of a pointer has no place.
    """

    version: int = MODEL
    instruction_programs: Mapping[type[Instruction], Program] = PROGRAMS
    node_programs: NodeWritePrograms = NODE_PROGRAMS
    constant_writers: Mapping[type[Value], Callable[[Any, Any], None]] | None = None
    debug_codes: Mapping[DbgVariableKind, int] = {kind: kind.code for kind in DbgVariableKind}
    debug_calls: Mapping[DbgVariableKind | None, Function] | None = None
    offset: Constant | None = None
    dropped_kinds: frozenset[str] = frozenset()
    added: Sequence[Function] = ()
    attributes: Callable[[int, AttributeSet], Lowered] | None = None
    location_length: int = LOCATION_LENGTH
    ifunc_length: int | None = None
    has_string_table: bool = True
    keeps_argument_lists: bool = True
    keeps_summaries: bool = True
    keeps_use_list_orders: bool = True
    lacks_types: bool = False
    refuses_late: bool = True
    casts_pointers: bool = False

    def written_in(self, _function: Function) -> Written | None:
        """Return the instructions written for the blocks of a body, None for its own instructions."""
        return None

    def declared(self, value: GlobalValue) -> Any:
        """Return the global that is declared in the place of another: this one itself, or another function."""
        return value

    def value_type(self, value: GlobalValue) -> Type:
        """Return the value type of a global."""
        return value.value_type

    def linkage(self, value: GlobalValue) -> Linkage:
        """Return how a global is linked."""
        return value.linkage

    def attached_to(self, value: GlobalObject) -> list[tuple[str, MDNode]]:
        """Return kind and node of the metadata that is written for a global without a body."""
        return list(value.metadata.items())

    def held(self, value: GlobalValue, operand: Value) -> Value:  # noqa: ARG002 - of other dialects
        """Return the constant written for an operand of a global: an initializer, an aliasee, a personality."""
        return operand

    def type_numbers(self) -> TypeNumbers:
        """Return the numbers of types, initially empty."""
        return TypeNumbers()

    def survey_metadata(self, own: Iterable[object], of_functions: Mapping[Function, Iterable[object]]) -> None:
        """Check the metadata of a module and of its functions for constructs that cannot be written."""

    def survey_types(self, types: Iterable[Type]) -> None:
        """Check the types that a module and its bodies use for those that cannot be written."""

    def data_layout(self, module: Module) -> str:
        """Return the data layout of a module."""
        return str(module.data_layout)


LLVM_22 = BitcodeDialect()
"""The version that bitcode is written for by default."""


class _NewerDialect(BitcodeDialect):
    """Bitcode with everything that the newest version of LLVM has which is known."""

    version = NEWEST
    node_programs = NodeWritePrograms(NEWEST)


_NEWER = _NewerDialect()


def own_dialect(module: Module, version: int | None) -> BitcodeDialect:
    """Return the form of a module without changes for a version: LLVM 22's, or a newer one.

    Args:
        module: the module.
        version: of LLVM, None if everything in the module is to be written.
    """
    is_newer = (producing_version(module.producer) or MODEL) > MODEL
    # A module from a file of LLVM 22 has nothing newer, unless a program added it.
    looks = version == MODEL or (version is None and not module.producer)
    return _NEWER if is_newer or (looks and has_newer_constructs(module)) else LLVM_22
