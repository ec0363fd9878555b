"""Metadata of older LLVM: records, debug information as a whole, module flags, nodes attached to instructions."""

from __future__ import annotations

import pytest

import bitcodec
from bitcodec.bitcode.reader.old_node_records import Number, modern_record
from bitcodec.bitcode.schema.blocks import MetadataCode as Code
from bitcodec.errors import BitcodecError
from bitcodec.ir.constants import ConstantInt
from bitcodec.ir.context import Context
from bitcodec.ir.debug_info import (
    DICompileUnit,
    DICompositeType,
    DIDerivedType,
    DIGlobalVariable,
    DIGlobalVariableExpression,
    DISubprogram,
    DISubroutineType,
)
from bitcodec.ir.metadata import ConstantAsMetadata, MDNode, MDString, MDTuple, Metadata, NamedMetadata
from bitcodec.upgrade.expressions import upgraded_expression
from bitcodec.upgrade.loops import upgraded_loop
from bitcodec.upgrade.module_flags import (
    debug_info_version,
    upgrade_linker_options,
    upgrade_module_flags,
    upgrade_retain_release_marker,
)
from bitcodec.upgrade.tbaa import upgraded_tbaa

from .metadata_files import read_metadata
from .streams import (
    METADATA,
    Record,
    constant_integer,
    constants,
    integer,
    llvm_dis,
    metadata,
    pointer,
    record,
    set_type,
    stream,
    types,
    value_symtab,
)
from .streams import function as function_record
from .streams import module as module_block
from .streams import variable as variable_record

DEREF, CONSTU, MINUS, PLUS, PLUS_UCONST, BIT_PIECE, FRAGMENT = 0x06, 0x10, 0x1C, 0x22, 0x23, 0x9D, 0x1000


@pytest.mark.parametrize(
    ("version", "old", "new"),
    [
        (0, [BIT_PIECE, 0, 32], [FRAGMENT, 0, 32]),
        (0, [DEREF, BIT_PIECE, 0, 32], [DEREF, FRAGMENT, 0, 32]),
        (1, [DEREF, PLUS, 8], [PLUS_UCONST, 8, DEREF]),
        (1, [DEREF, PLUS, 8, FRAGMENT, 0, 8], [PLUS_UCONST, 8, DEREF, FRAGMENT, 0, 8]),
        (2, [DEREF, MINUS, 8], [DEREF, CONSTU, 8, MINUS]),
        (2, [CONSTU, PLUS, PLUS], [CONSTU, PLUS, PLUS_UCONST]),
        (3, [DEREF, PLUS], [DEREF, PLUS]),
        (0, [], []),
    ],
)
def test_expressions(version: int, old: list[int], new: list[int]):
    assert upgraded_expression(version, old) == new


@pytest.mark.parametrize(
    ("code", "old", "new"),
    [
        (Code.SUBRANGE, [1, 10, 3], [0, 10, -2, 0, 0]),
        (Code.SUBRANGE, [1 << 1, 4, 2], [0, 4, 1, 0, 0]),
        (Code.STRING_TYPE, [0, 18, 1, 2, 3, 32, 8, 0], [0, 18, 1, 2, 3, 0, 32, 8, 0]),
        (Code.DERIVED_TYPE, [0, *range(1, 14)], [0, *range(1, 13)]),
        (Code.FILE, [0, 1, 2, 0, 7], [0, 1, 2, 0, 0]),
        (Code.NAMESPACE, [2, 1, 9, 3, 40], [2, 1, 3]),
        (Code.TEMPLATE_VALUE, [0, 48, 1, 2, 3], [0, 48, 1, 2, 0, 3]),
        (Code.MODULE, [0, 1, 2, 3, 4, 5], [0, 0, 1, 2, 3, 4, 5, 0, 0]),
        (Code.MODULE, [0, 1, 2, 3, 4], [0, 0, 1, 2, 3, 4, 0, 0, 0]),
        (Code.LOCAL_VAR, [0, 257, 1, 2, 3, 4, 5, 6, 7, 9], [0, 1, 2, 3, 4, 5, 6, 7]),
        (Code.LOCAL_VAR, [2, 1, 2, 3, 4, 5, 6, 7, 32], [2, 1, 2, 3, 4, 5, 6, 7, 32]),
        (Code.IMPORTED_ENTITY, [0, 8, 1, 2, 77, 3], [0, 8, 1, 2, 0, 3]),
        (Code.GLOBAL_VAR, [2 | 1, 1, 2, 3, 4, 5, 6, 7, 8, 0, 9, 64], [5, 1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 64]),
        (Code.GLOBAL_VAR, [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10], [4, 1, 2, 3, 4, 5, 6, 7, 8, 10, 0, 0]),
        (
            Code.SUBPROGRAM,
            [2, 11, 12, 13, 14, 15, 16, 1, 1, 17, 18, 2, 19, 1 << 21, 1, 20, 21, 22, 23, 24, 25],
            [3, 11, 12, 13, 14, 15, 16, 17, 18, 2 | 4 | 8 | 16 | 256, 19, 0, 20, 21, 22, 23, 24, 25],
        ),
        (
            Code.SUBPROGRAM,
            [0, 11, 12, 13, 14, 15, 16, 0, 0, 17, 18, 0, 19, 64, 0, 21, 22, 23],
            [0, 11, 12, 13, 14, 15, 16, 17, 18, 0, 19, 64, 0, 21, 22, 23, 0, 0],
        ),
        (Code.COMPILE_UNIT, [0, 1 << 63 | 4, *[0] * 21], [1, 0, *[0] * 22, 5]),
    ],
)
def test_records(code: int, old: list[int], new: list[int]):
    assert modern_record(code, old) == new


def test_sizes_that_were_numbers_are_marked():
    operands = modern_record(Code.COMPOSITE_TYPE, [0, *range(1, 16)])
    assert [position for position, operand in enumerate(operands) if type(operand) is Number] == [7, 9]
    operands = modern_record(Code.COMPOSITE_TYPE, [4, *range(1, 16)])
    assert not any(type(operand) is Number for operand in operands)


UNIT = [1, 12, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0]
"""A compile unit without anything."""


def unit(**lists: int) -> Record:
    """Return a compile unit; each list is a metadata id plus one."""
    operands = UNIT.copy()
    for name, listed in lists.items():
        operands[{"subprograms": 11, "globals": 12, "imports": 13}[name]] = listed
    return record(Code.COMPILE_UNIT, *operands)


def old_subprogram(function: int = 0) -> Record:
    return record(Code.SUBPROGRAM, 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, function, 0, 0, 0)


def module_of(*records: Record):
    """Return the metadata of a module: value 0 is a variable, 1 a function, 2 the constant `i32 5`."""
    data = stream(
        module_block(
            types(integer(32), pointer(0)),
            variable_record(1),
            function_record(1, is_declaration=0),
            constants(set_type(0), constant_integer(5)),
            metadata(*records),
        )
    )
    return next(read_metadata(data))[0]


def test_compile_units_that_list_their_subprograms():
    module = module_of(unit(subprograms=2), record(Code.NODE, 3), old_subprogram())
    subprogram = module.node(2)
    assert isinstance(subprogram, DISubprogram)
    assert subprogram.unit is module.node(0)


def test_subprograms_that_tell_their_function():
    module = module_of(unit(subprograms=2), record(Code.NODE, 3), old_subprogram(4), record(Code.VALUE, 1, 1))
    assert module.function_subprograms == [(1, 2)]
    subprogram = module.node(2)
    assert isinstance(subprogram, DISubprogram)
    assert subprogram.unit is module.node(0)


def old_variable(location: int) -> Record:
    return record(Code.GLOBAL_VAR, 0, 0, 0, 0, 0, 0, 0, 0, 1, location, 0)


def test_variables_that_tell_where_they_are():
    module = module_of(unit(globals=2), record(Code.NODE, 3), old_variable(4), record(Code.VALUE, 1, 0))
    variable = module.node(2)
    assert isinstance(variable, DIGlobalVariable)
    ((kind, metadata_id),) = module.global_attachments[0]
    attached = module.node(metadata_id)
    listed = module.node(1)
    assert isinstance(listed, MDTuple)
    for expression in (attached, listed[0]):
        assert isinstance(expression, DIGlobalVariableExpression)
        assert kind == "dbg"
        assert expression.is_distinct
        assert expression.variable is variable
        assert expression.expression.elements == ()  # type: ignore[union-attr]
    assert attached is not listed[0]


def test_variables_that_are_constants():
    module = module_of(unit(globals=2), record(Code.NODE, 3), old_variable(4), record(Code.VALUE, 0, 2))
    expression = module.node(2)
    assert isinstance(expression, DIGlobalVariableExpression)
    assert isinstance(expression.variable, DIGlobalVariable)
    assert expression.expression.elements == (CONSTU, 5, 0x9F)  # type: ignore[union-attr]
    assert module.global_attachments == {}


def test_local_imports_move_to_their_subprogram():
    block = record(Code.LEXICAL_BLOCK, 1, 4, 0, 1, 1)
    subprogram = record(Code.SUBPROGRAM, 7, *[0] * 8, 8, 0, 0, 1, 0, 0, 0, 0, 0)
    local = record(Code.IMPORTED_ENTITY, 0, 8, 3, 0, 1, 0, 0)
    outer = record(Code.IMPORTED_ENTITY, 0, 8, 1, 0, 1, 0, 0)
    module = module_of(unit(imports=2), record(Code.NODE, 5, 6), block, subprogram, local, outer)
    compile_unit, owner = module.node(0), module.node(3)
    assert isinstance(compile_unit, DICompileUnit)
    assert isinstance(owner, DISubprogram)
    assert compile_unit.imports.operands == (module.node(5),)  # type: ignore[union-attr]
    assert owner.retained_nodes.operands == (module.node(4),)  # type: ignore[union-attr]


def test_scopes_in_a_circle_own_nothing():
    block = record(Code.LEXICAL_BLOCK, 1, 3, 0, 1, 1)
    local = record(Code.IMPORTED_ENTITY, 0, 8, 3, 0, 1, 0, 0)
    compile_unit = module_of(unit(imports=2), record(Code.NODE, 4), block, local).node(0)
    assert isinstance(compile_unit, DICompileUnit)
    assert compile_unit.imports.operands == ()  # type: ignore[union-attr]


def test_types_that_are_named():
    named = record(Code.STRING_OLD, "T")
    declared = record(Code.COMPOSITE_TYPE, 1, 0x13, 1, 0, 0, 0, 0, 0, 0, 0, 4, 0, 0, 0, 0, 1)
    defined = record(Code.COMPOSITE_TYPE, 1, 0x13, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1)
    derived = record(Code.DERIVED_TYPE, 0, 0x0F, 0, 0, 0, 0, 1, 64, 64, 0, 0, 0)
    array, subroutine = record(Code.NODE, 0, 1), record(Code.SUBROUTINE_TYPE, 0, 0, 5)
    module = module_of(named, declared, defined, derived, array, subroutine)
    derived_type, subroutine_type, definition = module.node(3), module.node(5), module.node(2)
    assert isinstance(definition, DICompositeType)
    assert isinstance(derived_type, DIDerivedType)
    assert isinstance(subroutine_type, DISubroutineType)
    assert derived_type.base_type is definition
    assert (derived_type.size, definition.identifier) == (64, "T")
    assert subroutine_type.types.operands == (None, definition)  # type: ignore[union-attr]
    assert module.node(4).operands == (None, MDString("T"))  # type: ignore[attr-defined]


def test_a_refused_upgrade_stays_refused():
    """Records that have been rewritten until then are not taken for old ones."""
    types_of_functions = [record(Code.SUBROUTINE_TYPE, 0, 0, 3), record(Code.SUBROUTINE_TYPE, 0)]
    defined = record(Code.COMPOSITE_TYPE, 1, 0x13, 1, *[0] * 12, 1)
    module = module_of(record(Code.STRING_OLD, "T"), defined, record(Code.NODE, 0, 1), *types_of_functions)
    for _ in range(2):
        with pytest.raises(BitcodecError, match="SUBROUTINE_TYPE record: has too few operands"):
            module.node(0)


OLD_VARIABLE = stream(
    module_block(
        types(integer(32), pointer(0), METADATA),
        variable_record(1),
        constants(set_type(0), constant_integer(3), constant_integer(2)),
        metadata(
            record(Code.STRING_OLD, "T"),
            record(Code.COMPOSITE_TYPE, 1, 0x13, 1, *[0] * 12, 1),
            record(Code.VALUE, 1, 0),
            record(Code.GLOBAL_VAR, 0, 0, 1, 0, 0, 0, 1, 0, 1, 3, 0),
            record(Code.FILE, 0, 1, 1),
            record(Code.NODE, 4),
            record(Code.COMPILE_UNIT, 1, 12, 5, 0, 0, 0, 0, 0, 1, 0, 0, 0, 6, 0),
            record(Code.STRING_OLD, "Debug Info Version"),
            record(Code.VALUE, 0, 1),
            record(Code.VALUE, 0, 2),
            record(Code.NODE, 10, 8, 9),
            record(Code.NAME, "llvm.dbg.cu"),
            record(Code.NAMED_NODE, 6),
            record(Code.NAME, "llvm.module.flags"),
            record(Code.NAMED_NODE, 10),
        ),
        value_symtab({0: "x"}),
    )
)
"""A variable whose debug information has its type by identifier, and its location itself, as up to LLVM 3.8."""
OLD_VARIABLE_TEXT = """\
@x = external global i32, !dbg !0

!llvm.dbg.cu = !{!3}
!llvm.module.flags = !{!7}

!0 = distinct !DIGlobalVariableExpression(var: !1, expr: !DIExpression())
!1 = !DIGlobalVariable(name: "T", scope: null, type: !2, isLocal: false, isDefinition: true)
!2 = distinct !DICompositeType(tag: DW_TAG_structure_type, name: "T", identifier: "T")
!3 = distinct !DICompileUnit(language: DW_LANG_C99, file: !4, isOptimized: false, runtimeVersion: 0, \
emissionKind: FullDebug, globals: !5)
!4 = !DIFile(filename: "T", directory: "T")
!5 = !{!6}
!6 = distinct !DIGlobalVariableExpression(var: !1, expr: !DIExpression())
!7 = !{i32 2, !"Debug Info Version", i32 3}
"""
"""The end of the text of llvm-dis 22."""


def test_variables_of_types_that_are_named():
    assert str(bitcodec.loads(OLD_VARIABLE)).endswith(OLD_VARIABLE_TEXT)


def test_variables_of_types_that_are_named_live():
    assert llvm_dis(OLD_VARIABLE).endswith(OLD_VARIABLE_TEXT)


def test_expressions_of_old_files_are_known():
    assert module_of(record(Code.EXPRESSION, 1 << 1)).has_old_expressions
    assert not module_of(record(Code.EXPRESSION, 2 << 1)).has_old_expressions
    assert not module_of(record(Code.NODE)).has_old_expressions


class Flags:
    """Module flags, in numbers and text."""

    def __init__(self, *flags: tuple[int, str, int | str | MDNode]) -> None:
        self.context = Context()
        nodes = [self._flag(*flag) for flag in flags]
        self.named = {"llvm.module.flags": NamedMetadata("llvm.module.flags", nodes)}

    def _flag(self, behavior: int, flag_id: str, value: int | str | MDNode) -> MDTuple:
        table = self.context.metadata
        content: Metadata = value if isinstance(value, Metadata) else table.string(str(value))
        if isinstance(value, int):
            content = self.integer(value)
        return table.tuple([self.integer(behavior), table.string(flag_id), content])

    def integer(self, value: int) -> Metadata:
        return self.context.metadata.value(self.context.constants.integer(self.context.types.integer(32), value))

    def shown(self) -> list[tuple[str, str, str]]:
        return [tuple(map(shown, node.operands)) for node in self.named["llvm.module.flags"].operands]  # type: ignore[misc]


def shown(metadata: object) -> str:
    if isinstance(metadata, ConstantAsMetadata) and isinstance(metadata.value, ConstantInt):
        return f"{metadata.value.type} {metadata.value.value}"
    return metadata.text if isinstance(metadata, MDString) else "!"


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ((1, "PIC Level", 2), ("i32 8", "PIC Level", "i32 2")),
        ((7, "PIC Level", 2), ("i32 8", "PIC Level", "i32 2")),
        ((2, "PIC Level", 2), ("i32 2", "PIC Level", "i32 2")),
        ((1, "PIE Level", 2), ("i32 7", "PIE Level", "i32 2")),
        ((1, "sign-return-address-all", 0), ("i32 8", "sign-return-address-all", "i32 0")),
        ((1, "guarded-control-stack", 0), ("i32 1", "guarded-control-stack", "i32 0")),
        ((1, "amdgpu_code_object_version", 400), ("i32 1", "amdhsa_code_object_version", "i32 400")),
        (
            (1, "Objective-C Image Info Section", "__DATA, __objc_imageinfo, regular"),
            ("i32 1", "Objective-C Image Info Section", "__DATA,__objc_imageinfo,regular"),
        ),
    ],
)
def test_module_flags(old: tuple[int, str, int | str], new: tuple[str, str, str]):
    flags = Flags(old)
    upgrade_module_flags(flags.named, flags.context)
    assert flags.shown() == [new]


def test_objective_c_flags():
    flags = Flags((1, "Objective-C Image Info Version", 0), (4, "Objective-C Garbage Collection", 0x05030702))
    for _ in range(2):
        upgrade_module_flags(flags.named, flags.context)
        assert flags.shown() == [
            ("i32 1", "Objective-C Image Info Version", "i32 0"),
            ("i32 1", "Objective-C Garbage Collection", "i8 2"),
            ("i32 4", "Objective-C Class Properties", "i32 0"),
            ("i32 1", "Swift ABI Version", "i32 7"),
            ("i32 1", "Swift Major Version", "i8 5"),
            ("i32 1", "Swift Minor Version", "i8 3"),
        ]


def test_linker_options():
    option = MDTuple([MDString("-lm")])
    flags = Flags((6, "Linker Options", MDTuple([option])))
    upgrade_linker_options(flags.named)
    assert flags.named["llvm.linker.options"].operands == [option]
    assert len(flags.named["llvm.module.flags"].operands) == 1


def test_the_marker_of_retain_release():
    name = "clang.arc.retainAutoreleasedReturnValueMarker"
    context = Context()
    named = {name: NamedMetadata(name, [MDTuple([MDString("mov r7, r7 # marker")])])}
    assert upgrade_retain_release_marker(named, context)
    assert list(named) == ["llvm.module.flags"]
    (flag,) = named["llvm.module.flags"].operands
    assert list(map(shown, flag.operands)) == ["i32 1", name, "mov r7, r7 ; marker"]
    assert not upgrade_retain_release_marker(named, context)


def test_version_of_debug_information():
    assert debug_info_version(Flags((2, "Debug Info Version", 3)).named) == 3
    assert debug_info_version(Flags((2, "Dwarf Version", 3)).named) == 0
    assert debug_info_version({}) == 0


def test_scalar_aliasing_tags():
    context = Context()
    table = context.metadata
    root = table.tuple([table.string("root")])
    scalar = table.tuple([table.string("int"), root])
    zero = table.value(context.constants.integer(context.types.integer(64), 0))
    upgraded = upgraded_tbaa(scalar, context)
    assert upgraded.operands == (scalar, scalar, zero)
    assert upgraded_tbaa(upgraded, context) is upgraded
    constant = table.tuple([table.string("int"), root, zero])
    assert upgraded_tbaa(constant, context).operands == (scalar, scalar, zero, zero)


def test_hints_on_loops():
    table = Context().metadata
    unroll = table.tuple([table.string("llvm.vectorizer.unroll"), None])
    width = table.tuple([table.string("llvm.vectorizer.width"), None])
    loop = MDTuple([None, unroll, width, MDTuple()], is_distinct=True)
    upgraded = upgraded_loop(loop, table)
    hints = [operand[0] for operand in upgraded.operands if isinstance(operand, MDTuple) and len(operand)]
    assert hints == [MDString("llvm.loop.interleave.count"), MDString("llvm.loop.vectorize.width")]
    assert not upgraded.is_distinct
    assert upgraded_loop(upgraded, table) is upgraded
