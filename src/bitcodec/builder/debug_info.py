"""Debug information: the nodes that a compiler makes for each function.

Other nodes are made by their classes in `ir.debug_info`; `MetadataTable.unique` keeps one of each.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.builder.metadata import add_module_flag, add_named_metadata, has_module_flag, metadata_node
from bitcodec.ir.debug_info import (
    DIBasicType,
    DICompileUnit,
    DIDerivedType,
    DIFile,
    DILexicalBlock,
    DILocalVariable,
    DILocation,
    DISubprogram,
    DISubroutineType,
)
from bitcodec.tables.debug_info_flags import DISPFlag, EmissionKind
from bitcodec.tables.dwarf import Language, Tag, TypeEncoding
from bitcodec.tables.module_flags import Behavior

if TYPE_CHECKING:
    from bitcodec.ir.debug_info import DILocalScope, DIScope, DIType
    from bitcodec.ir.functions import Function
    from bitcodec.ir.module import Module

__all__ = ["DebugInfo"]

_VERSION_FLAG = "Debug Info Version"
_VERSION = 3


class DebugInfo:
    """Makes the debug information of one compile unit, and adds the module flag for its version.

    Args:
        module: the module.
        filename, directory: its main source file.
        language: a number of `tables.dwarf.Language`.
        producer: the compiler.
        is_optimized: whether it was optimized.
        emission_kind: a number of `tables.debug_info_flags.EmissionKind`.

    Attributes:
        module: the module.
        file: the main source file.
        unit: the compile unit.
    """

    __slots__ = ("file", "module", "unit")

    def __init__(
        self,
        module: Module,
        filename: str,
        directory: str = "",
        *,
        language: int = Language.C11,
        producer: str = "",
        is_optimized: bool = False,
        emission_kind: int = EmissionKind.FullDebug,
    ) -> None:
        self.module = module
        self.file = self.other_file(filename, directory)
        self.unit = DICompileUnit(
            language=language,
            file=self.file,
            producer=producer,
            is_optimized=is_optimized,
            emission_kind=emission_kind,
            is_distinct=True,
        )
        add_named_metadata(module, "llvm.dbg.cu", self.unit)
        if not has_module_flag(module, _VERSION_FLAG):
            add_module_flag(module, Behavior.WARNING, _VERSION_FLAG, _VERSION)

    def other_file(self, filename: str, directory: str = "") -> DIFile:
        """Return a source file."""
        return self.module.context.metadata.unique(DIFile(filename=filename, directory=directory))

    def basic_type(self, name: str, size_in_bits: int, encoding: int = TypeEncoding.signed) -> DIBasicType:
        """Return a type that is not made of others; the encoding is a number of `tables.dwarf.Encoding`."""
        return self.module.context.metadata.unique(DIBasicType(name=name, size=size_in_bits, encoding=encoding))

    def pointer_type(self, pointee: DIType | None) -> DIDerivedType:
        """Return the type of a pointer; its base type is None for `void`."""
        bits = 8 * self.module.data_layout.pointer_size()
        return self.module.context.metadata.unique(DIDerivedType(tag=Tag.pointer_type, base_type=pointee, size=bits))

    def subroutine_type(self, returned: DIType | None = None, *parameters: DIType) -> DISubroutineType:
        """Return the type of a subprogram; its result type is None for `void`."""
        types = metadata_node(self.module, returned, *parameters)
        return self.module.context.metadata.unique(DISubroutineType(types=types))

    def subprogram(
        self,
        function: Function,
        line: int,
        type: DISubroutineType | None = None,
        *,
        name: str = "",
        file: DIFile | None = None,
        scope: DIScope | None = None,
        scope_line: int | None = None,
        flags: int = 0,
    ) -> DISubprogram:
        """Return a function as the source has it, and attach it to its definition.

        Args:
            function: the definition.
            line: where its name is.
            type: its parameters and result, None for nothing.
            name: its name in the source, if not its symbol.
            file: where it is, None for the main file.
            scope: its scope, None for the file.
            scope_line: where its body begins, None for `line`.
            flags: of `tables.debug_info_flags.DIFlag`.
        """
        source = file or self.file
        kind = DISPFlag.Definition | DISPFlag.Optimized * self.unit.is_optimized
        made = DISubprogram(
            name=name or function.name,
            linkage_name=function.name if name and name != function.name else "",
            scope=scope or source,
            file=source,
            line=line,
            type=type or self.subroutine_type(),
            scope_line=line if scope_line is None else scope_line,
            flags=flags,
            sp_flags=kind | DISPFlag.LocalToUnit * function.linkage.is_local,
            unit=self.unit,
            is_distinct=True,
        )
        function.metadata.add("dbg", made)
        return made

    def lexical_block(self, scope: DILocalScope, line: int, column: int = 0) -> DILexicalBlock:
        """Return a new block of a subprogram."""
        return DILexicalBlock(scope=scope, file=_file(scope), line=line, column=column, is_distinct=True)

    def local_variable(
        self, scope: DILocalScope, name: str, type: DIType | None, line: int, *, parameter: int = 0, flags: int = 0
    ) -> DILocalVariable:
        """Return a local variable, or a parameter by its number from 1."""
        return self.module.context.metadata.unique(
            DILocalVariable(name=name, arg=parameter, scope=scope, file=_file(scope), line=line, type=type, flags=flags)
        )

    def location(
        self, line: int, column: int, scope: DILocalScope, *, inlined_at: DILocation | None = None
    ) -> DILocation:
        """Return a place in the source; for inlined code with the call that it was inlined at."""
        return self.module.context.metadata.unique(
            DILocation(line=line, column=column, scope=scope, inlined_at=inlined_at)
        )


def _file(scope: DILocalScope) -> DIFile | None:
    """Return the file of a scope inside a subprogram, or of the subprogram."""
    found = getattr(scope, "file", None)
    return found if isinstance(found, DIFile) else None
