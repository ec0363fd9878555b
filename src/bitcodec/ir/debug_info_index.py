"""The debug information of a module by kind: compile units, subprograms, types, variables, files."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from bitcodec.ir.debug_info import (
    DICompileUnit,
    DIFile,
    DIGlobalVariable,
    DILocalVariable,
    DISubprogram,
    DIType,
)
from bitcodec.ir.metadata import MDNode
from bitcodec.ir.metadata_walk import nodes_of

if TYPE_CHECKING:
    from bitcodec.ir.module import Module

__all__ = ["DebugInfo"]

N = TypeVar("N", bound=MDNode)


class DebugInfo:
    """The nodes of debug information in a module, each once, in the order in which the module refers to them.

    It is a snapshot of the module; create it again after the module changes.

    Args:
        module: the module; all of it is read.

    Attributes:
        nodes: all nodes of metadata, including debug information.

    Raises:
        BitcodecError: something in the module is malformed.

    >>> import bitcodec
    >>> found = bitcodec.open("examples/hello.bc").debug_info
    >>> [subprogram.name for subprogram in found.subprograms]
    ['main', 'printf']
    >>> [file.path for file in found.files]
    ['./hello.c', '/usr/include/stdio.h']
    """

    __slots__ = ("nodes",)

    def __init__(self, module: Module) -> None:
        module.materialize()
        self.nodes: tuple[MDNode, ...] = tuple(nodes_of(module))

    @property
    def compile_units(self) -> tuple[DICompileUnit, ...]:
        """One for each source file that was compiled."""
        return self._of(DICompileUnit)

    @property
    def subprograms(self) -> tuple[DISubprogram, ...]:
        """Functions, those too that were inlined everywhere or are only declared."""
        return self._of(DISubprogram)

    @property
    def types(self) -> tuple[DIType, ...]:
        """Types of all kinds: basic, derived (pointers, members, typedefs), composite, subroutine."""
        return self._of(DIType)

    @property
    def global_variables(self) -> tuple[DIGlobalVariable, ...]:
        """Variables outside of functions, and static ones inside."""
        return self._of(DIGlobalVariable)

    @property
    def local_variables(self) -> tuple[DILocalVariable, ...]:
        """Variables of functions, arguments among them."""
        return self._of(DILocalVariable)

    @property
    def files(self) -> tuple[DIFile, ...]:
        """Source files."""
        return self._of(DIFile)

    def _of(self, kind: type[N]) -> tuple[N, ...]:
        return tuple(node for node in self.nodes if isinstance(node, kind))

    def __repr__(self) -> str:
        counts = f"{len(self.compile_units)} units, {len(self.subprograms)} subprograms, {len(self.types)} types"
        return f"<DebugInfo: {counts}>"
