"""Constructs that each version of LLVM does not read: one row for each construct, range of versions and message.

Rules: docs/reference/older-readers.md.  Every row was compared with the readers of LLVM 4 to 23; rows about LLVM 24 are
from its sources, before its release.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.bitcode.schema.attributes import ATTRIBUTE_NAMES, AttributeTag
from bitcodec.bitcode.schema.blocks import BlockId, ConstantsCode, FunctionCode, MetadataCode, ModuleCode, TypeCode
from bitcodec.bitcode.schema.instructions import first_version_of
from bitcodec.bitcode.schema.node_versions import NODE_VERSIONS, UNKNOWN_NODES
from bitcodec.bitcode.schema.summaries import NEWEST_SUMMARY_VERSION
from bitcodec.doctor.flags import MISREAD_FLAGS
from bitcodec.doctor.keys import ConstructKind, Key
from bitcodec.doctor.record_names import message_about_record
from bitcodec.doctor.rule import Effect, Remedy, Rule
from bitcodec.downgrade import alias_scopes, attributes, calls, debug_records, memory, operations, types
from bitcodec.tables.attributes import first_version
from bitcodec.tables.debug_info import NODES
from bitcodec.tables.globals import FIELDS
from bitcodec.tables.opcodes import CASTS, AtomicRMWOperation
from bitcodec.tables.removed_expressions import FIRST_WITH_CASTS_OF_CASES
from bitcodec.tables.versions import NEWEST, OLDEST

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bitcodec.bitcode.schema.codes import NamedCode
    from bitcodec.downgrade.constructs import Construct

__all__ = [
    "NEWEST",
    "OLDEST",
    "RULES",
    "SUMMARY_LIMITS",
    "SYMBOL_TABLE_MESSAGES",
    "VERSIONS",
    "rules_of",
]

VERSIONS = range(OLDEST, NEWEST + 1)
"""The versions of LLVM whose readers are known."""

_REFUSES, _CRASHES, _MISREADS, _REJECTS = Effect
_VALUE, _RECORD, _NO_MESSAGE = "Invalid value", "Invalid record", ""
_SILENT_CONSTANT = "read as undef"
_NO_TYPE = "Missing element type for old-style {}"


def _row(
    kind: ConstructKind,
    number: int | None,
    versions: tuple[int, int],
    message: str,
    construct: str,
    remedy: Remedy = Remedy.DOWNGRADE,
    *,
    effect: Effect = Effect.REFUSES,
    name: str = "",
) -> Rule:
    identifier = "-".join(filter(None, (str(kind.value), name)))
    return Rule(identifier, kind, number, *versions, effect, message, construct, remedy)


def _module_rows() -> Iterator[Rule]:
    message = "Incompatible epoch: Bitcode '{0}' vs current: '0'"
    yield _row(ConstructKind.EPOCH, None, (OLDEST, NEWEST), message, "epoch {0} of the bitcode format", Remedy.NONE)
    yield _row(
        ConstructKind.MODULE_VERSION, 2, (OLDEST, 4), _VALUE, "names in a string table (module version 2)", name="2"
    )
    words = "module version {0}, which no LLVM has"
    yield _row(ConstructKind.MODULE_VERSION, None, (OLDEST, NEWEST), _VALUE, words, Remedy.NONE)
    expected = "Expected a single module"
    yield _row(ConstructKind.SEVERAL_MODULES, 0, (OLDEST, 12), expected, "several modules in one file", Remedy.NONE)
    yield _row(ConstructKind.NO_MODULE, 0, (OLDEST, NEWEST), expected, "no module in the file", Remedy.NONE)
    yield from _layout_rows()
    words = "module asm in several parts, of which it keeps the last,"
    yield _row(ConstructKind.ASSEMBLY_PARTS, 0, (OLDEST, 22), _NO_MESSAGE, words, effect=_MISREADS)
    yield from _late_target_rows()
    yield from _summary_rows()
    yield from _symbol_table_rows()
    message, words = "Conflicting METADATA_KIND records", "number of a kind of metadata that is given twice"
    yield _row(ConstructKind.METADATA_KIND, 0, (OLDEST, NEWEST), message, words, Remedy.NONE)
    message, words = "Invalid bitcode signature", "size that is no multiple of 4 bytes"
    yield _row(ConstructKind.FILE_SIZE, 0, (OLDEST, NEWEST), message, words, Remedy.NONE)
    yield _row(
        ConstructKind.ALIGNMENT, 0, (OLDEST, 13), "Invalid alignment value", "alignment above 2**29 bytes", Remedy.NONE
    )
    for number, field in enumerate(FIELDS):
        if field.ignored:
            versions, words = (OLDEST, field.since - 1), field.ignored
            yield _row(
                ConstructKind.GLOBAL_FIELD, number, versions, _NO_MESSAGE, words, effect=_MISREADS, name=field.name
            )
    message = "Invalid value reference from metadata"
    words = "global behind constants, which changes the numbers of values,"
    yield _row(ConstructKind.VALUE_NUMBER, 0, (15, NEWEST), message, words, Remedy.NONE)
    yield _row(ConstructKind.VALUE_NUMBER, 0, (OLDEST, 14), _NO_MESSAGE, words, Remedy.NONE, effect=_CRASHES)
    yield from _old_form_rows()


def _layout_rows() -> Iterator[Rule]:
    # fmt: off
    specifier, mangling = "Unknown specifier in datalayout string", "Unknown mangling in datalayout string"
    for number, letter, newest, words in (
        (0, "F", 8, "alignment of function pointers"),
        (1, "G", 11, "address space of globals"),
        (2, "P", 6, "address space of functions"),
        (3, "A", 4, "address space of allocas"),
    ):
        yield _row(ConstructKind.LAYOUT, number, (OLDEST, newest), f"LLVM ERROR: {specifier}",
                   f"`{letter}` in the data layout ({words})", name=letter)
    for number, text, newest in ((0, "m:a", 10), (1, "m:l", 13)):
        yield _row(ConstructKind.MANGLING, number, (OLDEST, newest), f"LLVM ERROR: {mangling}",
                   f"mangling `{text}` in the data layout", name=text[2:])
    # fmt: on


def _late_target_rows() -> Iterator[Rule]:
    for code, name, part, last in (
        (ModuleCode.TRIPLE, "target triple", "target", "target"),
        (ModuleCode.DATALAYOUT, "datalayout", "data layout", "layout"),
    ):
        message, words = f"{name} too late in module", f"{part} behind a function"
        yield _row(
            ConstructKind.LATE_TARGET, code, (_FIRST_WITH_LATE_LAYOUT, NEWEST), message, words, Remedy.NONE, name=last
        )


def _old_form_rows() -> Iterator[Rule]:
    words = "variable with the type of its address in the place of its own"
    yield _row(ConstructKind.OLD_GLOBAL, 0, (OLDEST, NEWEST), "Invalid type for value", words, Remedy.NONE)
    yield _row(ConstructKind.OLD_GLOBAL, 1, (15, NEWEST), _NO_TYPE.format("global"), words, Remedy.NONE)
    words = "alloca with the type of its result, an opaque pointer, in the place of that of the memory"
    yield _row(ConstructKind.OLD_ALLOCA, 0, (15, NEWEST), _NO_TYPE.format("alloca"), words, Remedy.NONE)
    words = "alignment above 2**29 bytes, read as another,"
    yield _row(ConstructKind.ALLOCA_ALIGNMENT, 0, (OLDEST, 13), _NO_MESSAGE, words, Remedy.NONE, effect=_MISREADS)


_FIRST_WITH_LATE_LAYOUT = 11
"""The first version that checks the data layout only when it reads a function."""


def _symbol_table_rows() -> Iterator[Rule]:
    words = "symbol table that is not at its stated offset"
    # Readers of LLVM 12 to 14 read on from there, whatever they find; so do older ones without assertions.
    for kind, number in (
        (ConstructKind.SYMBOL_TABLE_BEHIND, None),
        *((ConstructKind.SYMBOL_TABLE_OFFSET, each) for each in range(4)),
    ):
        yield _row(kind, number, (OLDEST, 11), _NO_MESSAGE, words, Remedy.NONE, effect=_CRASHES)
    for number, message in enumerate(SYMBOL_TABLE_MESSAGES):
        yield _row(ConstructKind.SYMBOL_TABLE_OFFSET, number, (15, NEWEST), message, words, Remedy.NONE)
    message = "Unexpected end of file reading {0} of {1} bytes"
    yield _row(ConstructKind.SYMBOL_TABLE_BEHIND, None, (15, NEWEST), message, words, Remedy.NONE)


SYMBOL_TABLE_MESSAGES = (
    "Expected value symbol table subblock",
    "Invalid encoding",
    "Abbrev record with no operands",
    "Fixed or VBR abbrev record with size > MaxChunkData",
)
"""Messages about a symbol table that is not at its stated offset; all but the first if it is a definition."""


def _summary_rows() -> Iterator[Rule]:
    for number in (0, *range(10, NEWEST_SUMMARY_VERSION + 1)):
        for version, newest in SUMMARY_LIMITS.items():
            if not 0 < number <= newest:
                message = f"Invalid summary version {number}. Version should be in the range [1-{newest}]."
                yield _row(
                    ConstructKind.SUMMARY,
                    number,
                    (version, version),
                    message,
                    f"ThinLTO summary of version {number} (which llvm-dis and ThinLTO read, clang and opt do not)",
                    Remedy.NO_SUMMARY,
                    name=str(number),
                )


SUMMARY_LIMITS = {13: 9, 14: 9, 15: 9, 16: 9, 19: 10, 22: 12, 23: 14, 24: 14}
"""The newest version of summaries by version of LLVM, where a tool that reads summaries was tried."""


def _type_rows() -> Iterator[Rule]:
    for code, words in (
        (TypeCode.BFLOAT, "type bfloat"),
        (TypeCode.X86_AMX, "type x86_amx"),
        (TypeCode.BYTE, "type byte (b8, ...)"),
    ):
        yield _row(ConstructKind.TYPE, code, _before(code), _VALUE, words, Remedy.NONE, name=words.split()[1])
    code = TypeCode.OPAQUE_POINTER
    words = "opaque pointers (type ptr)"
    yield _row(ConstructKind.TYPE, code, _before(code), _VALUE, words, Remedy.TYPED_POINTERS, name="ptr")
    mode = "Opaque pointers are only supported in -opaque-pointers mode"
    yield _row(ConstructKind.TYPE, code, (14, 14), mode, words, Remedy.OPAQUE_POINTER_MODE, name="ptr")
    half = "opaque pointers (type ptr), of which it knows only a part,"
    yield _row(
        ConstructKind.TYPE, code, (13, 13), _NO_MESSAGE, half, Remedy.TYPED_POINTERS, effect=_MISREADS, name="ptr"
    )
    message, words = "Invalid function argument type", "parameter of a type that is defined later"
    yield _row(ConstructKind.LATER_PARAMETER, 0, (21, NEWEST), message, words, Remedy.NONE)
    yield _row(
        ConstructKind.NO_PARAMETER, 0, (OLDEST, NEWEST), message, "parameter of a type that has no values", Remedy.NONE
    )
    target = types.TARGET_TYPE
    yield _of(target, ConstructKind.TYPE, TypeCode.TARGET_TYPE, _VALUE, Remedy.NONE, name="target")
    yield _row(ConstructKind.TYPE, None, (OLDEST, NEWEST), _VALUE, "type of an unknown kind ({0})", Remedy.NONE)
    yield _row(
        ConstructKind.SCALABLE_VECTOR, 0, (OLDEST, 8), _NO_MESSAGE,
        "scalable vector, read as a fixed one,", Remedy.NONE,
        effect=_MISREADS,
    )  # fmt: skip


def _before(code: NamedCode) -> tuple[int, int]:
    """Return the versions that do not know a record."""
    return OLDEST, code.since - 1


def _of(
    construct: Construct, kind: ConstructKind, number: int, message: str, remedy: Remedy, *, name: str = ""
) -> Rule:
    """Return the row of a construct that the table of downgrades knows."""
    return _row(kind, number, (OLDEST, construct.since - 1), message, construct.name, remedy, name=name)


def _attribute_rows() -> Iterator[Rule]:
    message = "Unknown attribute kind ({0})"
    for number, name in ATTRIBUTE_NAMES.items():
        newest = first_version(number) - 1
        if newest >= OLDEST:
            remedy = Remedy.NONE if name in attributes.OF_CALLS else Remedy.DOWNGRADE
            yield _row(
                ConstructKind.ATTRIBUTE, number, (OLDEST, newest), message, f"attribute `{name}`", remedy, name=name
            )
    yield _row(
        ConstructKind.ATTRIBUTE, None, (OLDEST, NEWEST), message, "attribute of an unknown kind ({0})", Remedy.NONE
    )
    for tag, words in ((AttributeTag.TYPE_UNKNOWN, "type attribute"), (AttributeTag.TYPE, "type attribute")):
        yield _row(ConstructKind.ATTRIBUTE_TAG, tag, (OLDEST, 8), _NO_MESSAGE, words, name="type", effect=_CRASHES)
    for name, newest in (("sret", 11), ("inalloca", 12)):
        words = f"attribute `{name}` with a type"
        yield _row(
            ConstructKind.TYPE_ATTRIBUTE, _NUMBERS[name], (9, newest), _NO_MESSAGE, words, name=name, effect=_CRASHES
        )
    for tag, words in ((AttributeTag.RANGE, "attribute `range`"), (AttributeTag.RANGES, "attribute `initializes`")):
        yield _row(ConstructKind.ATTRIBUTE_TAG, tag, (OLDEST, 11), _NO_MESSAGE, words, name="range", effect=_CRASHES)
        # LLVM 12 to 14 look at the number of the attribute first.
        yield _row(ConstructKind.ATTRIBUTE_TAG, tag, (15, 18), "Invalid attribute group entry", words, name="range")
    yield from _form_rows()
    words = "attribute `dead_on_return` for a part of an object"
    yield _row(ConstructKind.PARTLY_DEAD, 0, (OLDEST, 22), "Not an int attribute", words)
    yield _row(
        ConstructKind.UNWIND_TABLE, 0, (OLDEST, 11), _NO_MESSAGE, "attribute `uwtable` with a value", effect=_CRASHES
    )
    yield _row(ConstructKind.UNWIND_TABLE, 0, (12, 14), "Not an int attribute", "attribute `uwtable` with a value")
    words = "`errnomem` in attribute `memory`, read as the effect on other memory,"
    yield _row(ConstructKind.MEMORY, 0, (16, 20), _NO_MESSAGE, words, effect=_MISREADS)


def _form_rows() -> Iterator[Rule]:
    """Yield the rows of attributes that are not in the form that their number has."""
    words = "attribute in a form of another kind of attribute"
    entry = "Invalid attribute group entry"
    for kind, number, first, message in (
        (ConstructKind.NOT_INTEGER, AttributeTag.INTEGER, 13, "Not an int attribute"),
        (ConstructKind.NOT_ENUM, AttributeTag.ENUM, 13, "Not an enum attribute"),
        (ConstructKind.NOT_TYPE, AttributeTag.TYPE_UNKNOWN, 13, "Not a type attribute"),
        (ConstructKind.NOT_TYPE, AttributeTag.TYPE, 13, "Not a type attribute"),
        (ConstructKind.NOT_RANGE, AttributeTag.RANGE, 19, "Not a ConstantRange attribute"),
        (ConstructKind.NOT_RANGE, AttributeTag.RANGES, 19, "Not a ConstantRangeList attribute"),
    ):
        yield _row(kind, number, (first, NEWEST), message, words, Remedy.NONE)
        if kind in {ConstructKind.NOT_INTEGER, ConstructKind.NOT_ENUM}:
            yield _row(kind, number, (OLDEST, 11), _NO_MESSAGE, words, Remedy.NONE, effect=_CRASHES)
    # What LLVM 12 takes for the number of the next attribute is behind the end of the record.
    yield _row(
        ConstructKind.NOT_INTEGER, AttributeTag.INTEGER, (12, 12), _NO_MESSAGE, words, Remedy.NONE, effect=_CRASHES
    )  # fmt: skip
    message, words = "Unknown attribute kind ({0})", "attribute of an unknown kind ({0}), in a form of an unknown kind"
    yield _row(ConstructKind.UNKNOWN_IN_OTHER_FORM, None, (12, 14), message, words, Remedy.NONE)
    words = "form of attributes of an unknown kind ({0})"
    yield _row(ConstructKind.ATTRIBUTE_TAG, None, (OLDEST, 11), _NO_MESSAGE, words, Remedy.NONE, effect=_CRASHES)
    yield _row(ConstructKind.ATTRIBUTE_TAG, None, (13, 14), "Not a type attribute", words, Remedy.NONE)
    yield _row(ConstructKind.ATTRIBUTE_TAG, None, (15, NEWEST), entry, words, Remedy.NONE)


_NUMBERS = {name: number for number, name in ATTRIBUTE_NAMES.items()}


def _constant_rows() -> Iterator[Rule]:
    for code, words, remedy in (
        (ConstantsCode.CE_GEP_WITH_INRANGE_INDEX_OLD, "constant getelementptr with `inrange`", Remedy.DOWNGRADE),
        (ConstantsCode.CE_UNOP, "constant fneg", Remedy.DOWNGRADE),
        (ConstantsCode.POISON, "constant poison", Remedy.DOWNGRADE),
        (ConstantsCode.DSO_LOCAL_EQUIVALENT, "constant dso_local_equivalent", Remedy.NONE),
        (ConstantsCode.INLINEASM_OLD3, "inline assembly", Remedy.DOWNGRADE),
        (ConstantsCode.NO_CFI_VALUE, "constant no_cfi", Remedy.NONE),
        (ConstantsCode.INLINEASM, "inline assembly", Remedy.DOWNGRADE),
        (ConstantsCode.CE_GEP_WITH_INRANGE, "constant getelementptr with a range `inrange`", Remedy.DOWNGRADE),
        (ConstantsCode.CE_GEP, "constant getelementptr", Remedy.DOWNGRADE),
        (ConstantsCode.PTRAUTH, "constant ptrauth", Remedy.NONE),
        (ConstantsCode.PTRAUTH2, "constant ptrauth with a deactivation symbol", Remedy.NONE),
        (ConstantsCode.BYTE, "constant byte", Remedy.NONE),
        (ConstantsCode.WIDE_BYTE, "constant byte of more than 64 bits", Remedy.NONE),
    ):
        yield _row(
            ConstructKind.CONSTANT, code, _before(code), _NO_MESSAGE, f"{words}, {_SILENT_CONSTANT},", remedy,
            effect=_MISREADS, name=words.removeprefix("constant ").split()[0],
        )  # fmt: skip
    words = f"constant of an unknown kind ({{0}}), {_SILENT_CONSTANT},"
    yield _row(ConstructKind.CONSTANT, None, (OLDEST, NEWEST), _NO_MESSAGE, words, Remedy.NONE, effect=_MISREADS)
    # Its globals are typed pointers even if the file has opaque ones.
    fatal = "LLVM ERROR: Type mismatch in constant table!"
    words = "constant that contains the address of a global as an opaque pointer"
    yield _row(ConstructKind.GLOBAL_IN_CONSTANT, 0, (13, 13), fatal, words, Remedy.TYPED_POINTERS, effect=_CRASHES)
    words = "constant that refers to another one by a type that this has not"
    yield _row(ConstructKind.CONSTANT_TYPE, 0, (OLDEST, 12), fatal, words, Remedy.NONE)
    yield _row(ConstructKind.CONSTANT_TYPE, 0, (13, 14), fatal, words, Remedy.NONE, effect=_CRASHES)
    for number, cast, versions in _newer_casts():
        words = f"constant {cast}, {_SILENT_CONSTANT},"
        row = _row(ConstructKind.CONSTANT_CAST, number, versions, _NO_MESSAGE, words, effect=_MISREADS)
        yield row._replace(identifier=f"constant-{cast}")


def _newer_casts() -> Iterator[tuple[int, str, tuple[int, int]]]:
    """Yield number and opcode of casts that not all versions know, and those that lack them."""
    return ((number, row.opcode, (OLDEST, row.since - 1)) for number, row in enumerate(CASTS) if row.since)


def _instruction_rows() -> Iterator[Rule]:
    for code, words, remedy in (
        (FunctionCode.INST_UNOP, "fneg", Remedy.DOWNGRADE),
        (FunctionCode.INST_CALLBR, "callbr", Remedy.NONE),
        (FunctionCode.INST_FREEZE, "freeze", Remedy.DOWNGRADE),
        (FunctionCode.INST_ATOMICRMW, "atomicrmw", Remedy.DOWNGRADE),
        (FunctionCode.BLOCKADDR_USERS, "block address that is used in another function", Remedy.DOWNGRADE),
        (FunctionCode.INST_BITINSERT, "bitinsert", Remedy.NONE),
        (FunctionCode.INST_BITEXTRACT, "bitextract", Remedy.NONE),
    ):
        yield _row(ConstructKind.INSTRUCTION, code, _before(code), _VALUE, words, remedy, name=words.split()[0])
    for number in range(FunctionCode.DEBUG_RECORD_VALUE, FunctionCode.DEBUG_RECORD_LABEL + 1):
        yield _of(
            debug_records.DEBUG_RECORDS,
            ConstructKind.INSTRUCTION,
            number,
            _VALUE,
            Remedy.DOWNGRADE,
            name="debug-record",
        )
    code = FunctionCode.DEBUG_RECORD_DECLARE_VALUE
    yield _of(
        debug_records.DECLARE_VALUES, ConstructKind.INSTRUCTION, code, _VALUE, Remedy.DOWNGRADE, name="declare-value"
    )
    yield _row(
        ConstructKind.INSTRUCTION, None, (OLDEST, NEWEST), _VALUE, "instruction of an unknown kind ({0})", Remedy.NONE
    )
    words = "case of a switch that is ptrtoint of inttoptr, which it does not compute"
    for versions in ((FIRST_WITH_CASTS_OF_CASES, 22), (23, NEWEST)):
        message = message_about_record(BlockId.FUNCTION_BLOCK, "INST_SWITCH", versions[0])
        yield _row(ConstructKind.COMPUTED_CASE, 0, versions, message, words)
    versions = OLDEST, first_version_of(FunctionCode.INST_CAST, "flags") - 1
    yield _row(ConstructKind.CAST_FLAGS, None, versions, _RECORD, "flags of a cast (nneg, nuw, nsw or fast-math)")
    for number, cast, versions in _newer_casts():
        yield _row(ConstructKind.CAST, number, versions, _RECORD, cast)._replace(identifier=cast)
    for same_sign in operations.FLAGS_OF_INSTRUCTIONS["icmp"].values():
        yield _of(same_sign, ConstructKind.SAME_SIGN, 0, _RECORD, Remedy.DOWNGRADE)
    yield _of(calls.METADATA_INPUT, ConstructKind.METADATA_INPUT, 0, _RECORD, Remedy.NONE)
    yield _of(_FAST_MATH_PHI, ConstructKind.PHI_FLAGS, 0, _RECORD, Remedy.DOWNGRADE)
    message = "Fast math flags indicator set for call with no FMF"
    for since, math in operations.FAST_MATH_CONSTRUCTS.items():
        yield _row(ConstructKind.CALL_FLAGS, since, (OLDEST, since - 1), message, f"{math.name} of a call")
    yield from _flags_of_aggregates()
    for number, flags in enumerate(MISREAD_FLAGS):
        row = _row(
            ConstructKind.FLAGS, number, (OLDEST, flags.since - 1), _NO_MESSAGE, flags.description, effect=_MISREADS
        )
        yield row._replace(identifier=f"{flags.opcode}-flags")
    for operation in AtomicRMWOperation:
        name = operation.spelling
        if construct := memory.ATOMIC_OPERATION.get(name):
            yield _of(construct, ConstructKind.ATOMIC_OPERATION, operation.value, _RECORD, Remedy.DOWNGRADE, name=name)
    yield _row(ConstructKind.ELEMENTWISE, 0, (OLDEST, 22), _RECORD, "elementwise atomicrmw", Remedy.NONE)
    yield _row(
        ConstructKind.ATOMIC_ALIGNMENT, 0, _before(FunctionCode.INST_ATOMICRMW), _RECORD, "alignment of atomicrmw"
    )
    versions = OLDEST, first_version_of(FunctionCode.INST_CMPXCHG, "alignment") - 1
    yield _row(ConstructKind.COMPARE_EXCHANGE_ALIGNMENT, 0, versions, _RECORD, "alignment of cmpxchg")


_FAST_MATH_PHI = operations.FAST_MATH_OF_INSTRUCTIONS["phi",]


def _flags_of_aggregates() -> Iterator[Rule]:
    message = "Fast-math-flags specified for call without floating-point scalar or vector return type"
    struct, array = operations.FAST_MATH_STRUCT, operations.FAST_MATH_ARRAY
    words = "fast-math flags of a call that returns a structure"
    yield _row(ConstructKind.CALL_OF_AGGREGATE, 0, (12, struct.since - 1), message, words)
    # A call that was half made is still in use when the module is freed.
    yield _row(ConstructKind.CALL_OF_AGGREGATE, 0, (OLDEST, 11), _NO_MESSAGE, words, effect=_CRASHES)
    words = "fast-math flags of a call that returns an array"
    yield _row(ConstructKind.CALL_OF_AGGREGATE, 1, (OLDEST, array.since - 1), _NO_MESSAGE, words, effect=_CRASHES)
    words = "fast-math flags of phi of a structure"
    yield _row(ConstructKind.PHI_OF_AGGREGATE, 0, (15, struct.since - 1), "Invalid phi record", words)
    yield _row(ConstructKind.PHI_OF_AGGREGATE, 0, (_FAST_MATH_PHI.since, 14), _RECORD, words)


def _domain_rows() -> Iterator[Rule]:
    # The verifier of LLVM 14 is the first that looks at domains.
    versions, words = (14, alias_scopes.JOINT_DOMAIN.since - 1), "`i1` in a domain of alias scopes"
    for length, message in (
        (2, "second domain operand must be string (if used)"),
        (3, "domain must have one or two operands"),
    ):
        yield _row(ConstructKind.DOMAIN, length, versions, message, words, effect=_REJECTS)


def _intrinsic_rows() -> Iterator[Rule]:
    words = "llvm.lifetime.start or llvm.lifetime.end without a size"
    for version, message in (
        (20, "immarg operand has non-immediate parameter"),
        (21, "Intrinsic has incorrect argument type!"),
    ):
        yield _row(ConstructKind.LIFETIME, 0, (version, version), message, words, effect=_REJECTS)


_CLASSES = {MetadataCode[row.record].value: f"!{row.name}" for row in NODES}


def _class_of(code: int) -> str:
    """Return the name of the nodes of a record in text."""
    return _CLASSES.get(code, "!DILocation" if code == MetadataCode.LOCATION else MetadataCode(code).name)


def _node_rows() -> Iterator[Rule]:
    for code, versions in NODE_VERSIONS.items():
        words = f"{_class_of(code)} in a form that it does not know ({{1}} operands)"
        ends = [lengths.since - 1 for lengths in versions.lengths[1:]]
        for (oldest, lengths), newest in zip(versions.lengths, [*ends, NEWEST], strict=True):
            if lengths is None:
                continue
            yield Rule(
                f"metadata-{MetadataCode(code).name.lower()}",
                ConstructKind.NODE, code, oldest, newest, _REFUSES, _RECORD,
                words, Remedy.STRIP, frozenset(lengths),
            )  # fmt: skip
    for code, newest, words in UNKNOWN_NODES:
        # Readers skip the record, so that all later nodes have other numbers than references to them say.
        name = MetadataCode(code).name.lower()
        # Arguments are in blocks of functions, where few references follow.
        effect = _MISREADS if code == MetadataCode.ARG_LIST else _CRASHES
        yield _row(
            ConstructKind.NODE,
            code,
            (OLDEST, newest),
            _NO_MESSAGE,
            f"metadata {words}",
            Remedy.STRIP,
            effect=effect,
            name=name,
        )
    words = "!DISubprogram with `spFlags`"
    yield _row(ConstructKind.SUBPROGRAM, 0, (OLDEST, 7), _RECORD, words, Remedy.STRIP)
    yield _row(ConstructKind.SUBPROGRAM, 1, (OLDEST, 7), _NO_MESSAGE, words, Remedy.STRIP, effect=_CRASHES)


def _rows() -> Iterator[Rule]:
    yield from _module_rows()
    yield from _type_rows()
    yield from _attribute_rows()
    yield from _constant_rows()
    yield from _instruction_rows()
    yield from _intrinsic_rows()
    yield from _node_rows()
    yield from _domain_rows()


RULES: tuple[Rule, ...] = tuple(_rows())
"""All rows."""

_INDEX: dict[tuple[ConstructKind, int | None], list[Rule]] = {
    (ConstructKind.ATTRIBUTE, number): [] for number in ATTRIBUTE_NAMES
}
for _rule in RULES:
    _INDEX.setdefault((_rule.kind, _rule.number), []).append(_rule)


def rules_of(key: Key) -> list[Rule]:
    """Return the rows that describe a construct."""
    found = _INDEX.get((key.kind, key.number))
    return _INDEX.get((key.kind, None), []) if found is None else found
