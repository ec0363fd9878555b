"""What older versions of LLVM lack: one row each, with the first version that has it and what is written instead.

Rows of attributes, debug-info fields and intrinsics are in the tables of these.  If a construct is a record, the row of
the record has the first version.  Rules: docs/reference/older-readers.md.
"""

from __future__ import annotations

from bitcodec.bitcode.schema.blocks import ConstantsCode, FunctionCode, MetadataCode, TypeCode
from bitcodec.named_tuple import NamedTuple
from bitcodec.plain_enum import PlainEnum
from bitcodec.tables.instruction_flags import FLAGS, flags_of_opcode
from bitcodec.tables.opcodes import AtomicRMWOperation

__all__ = [
    "ALLOCA_OTHER_SPACE",
    "ALLOCA_SPACE",
    "ANNOTATION_DETAILS",
    "ARGUMENT_LISTS",
    "ASSEMBLY_PROPERTIES",
    "ASSIGNMENTS",
    "ASSIGNMENT_IDS",
    "ATOMIC_ALIGNMENT",
    "ATOMIC_OPERATION",
    "ATTACHED_CALL",
    "ATTACHED_TAG",
    "ATTACHED_TO_DECLARATION",
    "BFLOAT",
    "BLOCK_ADDRESS_SPACE",
    "BUNDLES",
    "CALLBR",
    "CALLBR_RESULT",
    "CODE_MODEL",
    "DEBUG_RECORDS",
    "DECLARE_VALUES",
    "DISJOINT_DOMAIN",
    "EQUIVALENT",
    "EXPECTED_WEIGHTS",
    "EXPRESSION_OPERATORS",
    "EXPRESSION_OPERATORS_IN_NODES",
    "FAST_MATH_ARRAY",
    "FAST_MATH_CAST",
    "FAST_MATH_FLAGS",
    "FAST_MATH_PHI",
    "FAST_MATH_SELECT",
    "FAST_MATH_STRUCT",
    "FLAGS_OF_INSTRUCTIONS",
    "FLOATING_EXCHANGE",
    "FNEG",
    "FREEZE",
    "FREEZE_AGGREGATE",
    "FUNCTION_ADDRESS",
    "FUNCTION_SPACE",
    "HIGHER_FLAGS",
    "INDIRECT_RESULT",
    "IN_RANGE",
    "JOINT_DOMAIN",
    "LABELS",
    "LARGE_ALIGNMENT",
    "LOCAL_IFUNC",
    "LOWER_BOUND",
    "MAX_BEHAVIOR",
    "METADATA_INPUT",
    "MIN_BEHAVIOR",
    "NAMELESS_VARIABLE",
    "NEWER_FLAGS",
    "NO_CFI",
    "OPAQUE_POINTERS",
    "PARTITION",
    "POINTER_EXCHANGE",
    "POISON",
    "PREFERRED_ALIGNMENT",
    "PRIVATE_COMDAT",
    "PTRTOADDR",
    "RESTORED_MIN_BEHAVIOR",
    "RETAINED_ENTITY",
    "REWRITTEN",
    "SANITIZER",
    "SCALABLE_SHUFFLE",
    "SCALABLE_VECTOR",
    "SIGNED_POINTER",
    "SIGNED_POINTER_SYMBOL",
    "STRONGER_FAILURE",
    "SUBPROGRAM_FLAGS",
    "SUMMARIES",
    "SYNC_SCOPE",
    "TARGET_TYPE",
    "UNALIGNED_ATOMIC",
    "UNWINDING_ASM",
    "VARIABLE_COUNT",
    "WIDE_ENUMERATOR",
    "X86_AMX",
    "Construct",
    "Rule",
    "arguments",
    "atomic_operation",
    "attachments",
    "attribute",
    "data_layout_part",
    "expanded",
    "fast_math",
    "field",
    "intrinsic",
    "language",
    "memory_location",
    "new_intrinsic",
    "node",
    "other_form",
    "other_intrinsic",
    "string_attribute",
    "tag",
]


class Rule(PlainEnum):
    """What becomes of a construct that a version of LLVM lacks."""

    DROP = "dropped"
    """It is left out: only optimizations, checks or details of debug information are lost."""
    LOWER = "lowered"
    """Something else with the same meaning is written."""
    KEEP = "kept"
    """It is written as it is: readers and verifiers accept it, code generators do not know it."""
    REFUSE = "refused"
    """Without it, the program would have another meaning."""


class Construct(NamedTuple):
    """A row.

    Attributes:
        name: of the construct, in the words of LLVM IR.
        since: the first version of LLVM that has it; 0 for what a profile lacks.
        rule: what becomes of it.
        instead: what is written instead, "" if nothing.
        message: of what a profile lacks, how its reader refuses it, with `{0}` for the name of the function or other
            global; "" if it accepts it, and takes it for something else.
    """

    name: str
    since: int
    rule: Rule
    instead: str = ""
    message: str = ""

    @property
    def is_of_profile(self) -> bool:
        """Whether readers of a profile lack it, whatever their version of LLVM has."""
        return not self.since


_DROP, _LOWER, _KEEP, _REFUSE = Rule


def _constructs_of_flags() -> dict[str, dict[int, Construct]]:
    made: dict[str, dict[int, Construct]] = {}
    for opcode in dict.fromkeys(opcode for row in FLAGS for opcode in row.opcodes):
        for since in dict.fromkeys(row.since for row in flags_of_opcode(opcode) if row.since):
            words = [f"`{row.word}`" for row in flags_of_opcode(opcode) if row.since == since]
            name = f"flag{'s' * (len(words) > 1)} {' and '.join(words)} of {opcode}"
            made.setdefault(opcode, {})[since] = Construct(name, since, _DROP)
    return made


# Instructions
FAST_MATH_CAST = Construct("fast-math flags of fptrunc and fpext", 20, _DROP)
FLAGS_OF_INSTRUCTIONS = _constructs_of_flags()
"""By opcode, and by the first version that has them."""
PTRTOADDR = Construct("ptrtoaddr", 22, _LOWER, "ptrtoint")
FREEZE = Construct("freeze", FunctionCode.INST_FREEZE.since, _DROP, "its operand")
FREEZE_AGGREGATE = Construct("freeze of an aggregate", FunctionCode.INST_FREEZE.since, _REFUSE)
FNEG = Construct("fneg", FunctionCode.INST_UNOP.since, _LOWER, "fsub from -0.0")
FAST_MATH_PHI = Construct("fast-math flags of phi", 10, _DROP)
FAST_MATH_SELECT = Construct("fast-math flags of select", 9, _DROP)
FAST_MATH_FLAGS = Construct("fast-math flags `afn`, `reassoc` and `contract`", 6, _DROP)
FAST_MATH_ARRAY = Construct("fast-math flags of an array", 10, _DROP)
FAST_MATH_STRUCT = Construct("fast-math flags of a structure", 20, _DROP)
FLOATING_EXCHANGE = Construct(
    "atomicrmw xchg of floating-point numbers", 9, _LOWER, "bitcast, atomicrmw xchg and bitcast"
)
POINTER_EXCHANGE = Construct("atomicrmw xchg of pointers", 15, _LOWER, "ptrtoint, atomicrmw xchg and inttoptr")
ALLOCA_SPACE = Construct("alloca in an address space other than 0", 5, _REFUSE)
ALLOCA_OTHER_SPACE = Construct("alloca in an address space other than the data layout's", 15, _REFUSE)
BLOCK_ADDRESS_SPACE = Construct("address of a block in an address space other than 0", 12, _REFUSE)
STRONGER_FAILURE = Construct(
    "cmpxchg with a stronger ordering on failure", 13, _LOWER, "a stronger ordering on success"
)
ATOMIC_ALIGNMENT = Construct("alignment of atomicrmw and cmpxchg that exceeds the size", 13, _DROP)
UNALIGNED_ATOMIC = Construct("atomicrmw or cmpxchg of less alignment than its size", 13, _REFUSE)
LARGE_ALIGNMENT = Construct("alignment of more than 2**29 bytes", 15, _DROP, "2**29 bytes")
ATTACHED_TAG = "clang.arc.attachedcall"
ATTACHED_CALL = Construct(
    "operand bundle clang.arc.attachedcall with a function", 14, _LOWER, "a call of the function behind it"
)
BUNDLES = {
    ATTACHED_TAG: ATTACHED_CALL,
    "cfguardtarget": Construct("operand bundle cfguardtarget", 10, _REFUSE),
    "convergencectrl": Construct("operand bundle convergencectrl", 17, _DROP),
    "deactivation-symbol": Construct("operand bundle deactivation-symbol", 22, _REFUSE),
    "gc-live": Construct("operand bundle gc-live", 11, _LOWER, "arguments of the statepoint"),
    "kcfi": Construct("operand bundle kcfi", 16, _DROP),
    "preallocated": Construct("operand bundle preallocated", 11, _REFUSE),
    "ptrauth": Construct("operand bundle ptrauth", 15, _REFUSE),
}
"""By tag; code generators end on tags that they do not know."""
METADATA_INPUT = Construct("operand bundle with metadata", 20, _REFUSE)
CALLBR_RESULT = Construct("result of callbr", 11, _REFUSE)
CALLBR = Construct("callbr", FunctionCode.INST_CALLBR.since, _REFUSE)
SCALABLE_SHUFFLE = Construct("shufflevector of scalable vectors", 11, _REFUSE)
ATOMIC_OPERATION = {
    operation.spelling: Construct(f"atomicrmw {operation}", operation.since, _LOWER, "a loop of cmpxchg")
    for operation in AtomicRMWOperation
    if operation.since
}
"""By spelling of the operation."""
VECTOR_OPERATION = Construct("atomicrmw of vectors", 19, _LOWER, "a loop of cmpxchg")
REWRITTEN = frozenset({*ATOMIC_OPERATION.values(), VECTOR_OPERATION, ATTACHED_CALL})
"""What takes blocks or declarations of its own."""

# Constants
IN_RANGE = Construct("`inrange` of a constant getelementptr", ConstantsCode.CE_GEP_WITH_INRANGE.since, _DROP)
SIGNED_POINTER = Construct("constant ptrauth", ConstantsCode.PTRAUTH.since, _REFUSE)
SIGNED_POINTER_SYMBOL = Construct("deactivation symbol of a constant ptrauth", ConstantsCode.PTRAUTH2.since, _REFUSE)
INDIRECT_RESULT = Construct("result of callbr on an indirect edge", 17, _REFUSE)

SYNC_SCOPE = Construct(
    "synchronization scope other than `singlethread`", 5, _LOWER, "the whole system, which is stricter"
)
POISON = Construct("constant poison", ConstantsCode.POISON.since, _LOWER, "undef")
EQUIVALENT = Construct("constant dso_local_equivalent", ConstantsCode.DSO_LOCAL_EQUIVALENT.since, _DROP, "the function")
NO_CFI = Construct("constant no_cfi", ConstantsCode.NO_CFI_VALUE.since, _DROP, "the function")
UNWINDING_ASM = Construct("flag `unwind` of inline assembly", ConstantsCode.INLINEASM_OLD3.since, _REFUSE)

# Types
TARGET_TYPE = Construct("target extension type", TypeCode.TARGET_TYPE.since, _REFUSE)
BFLOAT = Construct("type bfloat", TypeCode.BFLOAT.since, _REFUSE)
X86_AMX = Construct("type x86_amx", TypeCode.X86_AMX.since, _REFUSE)
SCALABLE_VECTOR = Construct("scalable vector", 9, _REFUSE)
LABELS = Construct("#dbg_label", MetadataCode.LABEL.since, _DROP)

ARGUMENT_LISTS = 13
"""The first version of LLVM that has `!DIArgList`; expressions for it have an operator that older versions lack."""
OPAQUE_POINTERS = 15
"""The first version of LLVM whose pointers have no types."""

# Debug information
DEBUG_RECORDS = Construct(
    "debug records", FunctionCode.DEBUG_RECORD_VALUE.since, _LOWER, "calls of llvm.dbg intrinsics"
)
EXPRESSION_OPERATORS = {
    since: Construct("operators of !DIExpression", since, _DROP, "a variable without location")
    for since in (5, 6, 7, 9, 10, 11, 12, 13, 17, 19, 22)
}
"""By the first version that knows them."""
EXPRESSION_OPERATORS_IN_NODES = {
    since: row._replace(name="operators of !DIExpression in a type", instead="an empty expression")
    for since, row in EXPRESSION_OPERATORS.items()
}
"""By the first version that knows them."""
MIN_BEHAVIOR = Construct("behavior `min` of a module flag", 15, _DROP, "`error`")
RESTORED_MIN_BEHAVIOR = Construct("behavior `min` of a module flag that was `max`", 15, _LOWER, "`max`")
NAMELESS_VARIABLE = Construct("!DIGlobalVariable without a name", 9, _DROP, "the name `.unnamed`")
SUBPROGRAM_FLAGS = Construct("newer flags of !DISubprogram", 11, _DROP)
VARIABLE_COUNT = Construct("bounds of !DISubrange that are not numbers", 11, _DROP)
WIDE_ENUMERATOR = Construct("value of !DIEnumerator of more than 64 bits", 11, _DROP, "its lowest 64 bits")
RETAINED_ENTITY = Construct("!DIImportedEntity among the retained nodes of !DISubprogram", 17, _DROP)
NEWER_FLAGS = Construct("newer flags of debug-info nodes", 9, _DROP)
HIGHER_FLAGS = Construct("flags of debug-info nodes above `AllCallsDescribed`", 12, _DROP)
JOINT_DOMAIN = Construct("`i1 false` in a domain of alias scopes", 24, _LOWER, "a domain without it")
DISJOINT_DOMAIN = Construct("`i1 true` in a domain of alias scopes", 24, _DROP)
ANNOTATION_DETAILS = Construct("details of !annotation", 17, _DROP, "strings of the annotation")
EXPECTED_WEIGHTS = Construct("`expected` in branch weights", 20, _DROP)
LOWER_BOUND = Construct("missing `lowerBound` of !DISubrange", 11, _LOWER, "0")
ATTACHED_TO_DECLARATION = Construct("debug information of a declaration", 9, _DROP)
MAX_BEHAVIOR = Construct("behavior `max` of a module flag", 5, _DROP, "`error`")
PRIVATE_COMDAT = Construct("private global in a comdat", 10, _LOWER, "an internal one")
DECLARE_VALUES = Construct("#dbg_declare_value", FunctionCode.DEBUG_RECORD_DECLARE_VALUE.since, _LOWER, "#dbg_value")
ASSIGNMENTS = Construct("#dbg_assign", 16, _DROP, "#dbg_value")
ASSIGNMENT_IDS = Construct("!DIAssignID", MetadataCode.ASSIGN_ID.since, _DROP)

# Modules and globals
ASSEMBLY_PROPERTIES = Construct("processor and features of the assembly text beside the IR", 23, _DROP)
SUMMARIES = Construct("ThinLTO summaries", 22, _DROP)
CODE_MODEL = Construct("code model of a global variable", 18, _DROP)
PREFERRED_ALIGNMENT = Construct("preferred alignment of a function", 22, _DROP)
PARTITION = Construct("partition of a global", 9, _DROP)
SANITIZER = Construct("flags of a global variable for sanitizers", 15, _DROP)
LOCAL_IFUNC = Construct("flag `dso_local` of an ifunc", 7, _DROP)
FUNCTION_SPACE = Construct("function in an address space other than 0", 8, _LOWER, "a function in address space 0")
FUNCTION_ADDRESS = Construct("address of a function in an address space other than 0", 8, _REFUSE)


_FOLLOWING = {"keyInstructions": " and atom groups of its locations"}
"""By field, what means nothing without it."""


def atomic_operation(operation: str, *, is_vector: bool) -> Construct | None:
    """Return the row of an operation of atomicrmw, None if all versions have it."""
    row = ATOMIC_OPERATION.get(operation)
    return VECTOR_OPERATION if is_vector and (row is None or row.since < VECTOR_OPERATION.since) else row


def attribute(name: str, since: int, rule: Rule, instead: str = "") -> Construct:
    """Return the row of an attribute."""
    return Construct(f"attribute `{name}`", since, rule, instead)


def string_attribute(text: str, since: int, instead: str) -> Construct:
    """Return the row of a value of a string attribute that older verifiers refuse."""
    return Construct(f"attribute {text}", since, _DROP, instead)


def memory_location(location: str) -> Construct:
    """Return the row of a location of `memory(...)` that older versions do not know apart from others."""
    return Construct(f"`{location}` in attribute `memory`", 21 if location == "errnomem" else 22, _DROP)


def field(node_name: str, name: str, since: int) -> Construct:
    """Return the row of a field of a debug-info node."""
    return Construct(f"field `{name}` of !{node_name}{_FOLLOWING.get(name, '')}", since, _DROP)


def language(since: int, rule: Rule, instead: str) -> Construct:
    """Return the row of a source language by name and version, which older versions have as one number."""
    return Construct("field `sourceLanguageName` of !DICompileUnit", since, rule, instead)


def node(name: str, since: int, instead: str) -> Construct:
    """Return the row of a kind of debug-info nodes."""
    return Construct(f"!{name}", since, _DROP, instead)


def tag(name: str, since: int, instead: str) -> Construct:
    """Return the row of a tag of debug-info nodes."""
    return Construct(name, since, _DROP, instead)


def data_layout_part(part: str, since: int, instead: str) -> Construct:
    """Return the row of a part of the data layout that older readers end on."""
    return Construct(f"`{part}` in the data layout", since, _DROP, f"`{instead}`" if instead else "")


def intrinsic(name: str, since: int, instead: str) -> Construct:
    """Return the row of an intrinsic that older versions have in another form."""
    return Construct(name, since, _LOWER, instead)


def expanded(name: str, since: int, instead: str, rule: Rule) -> Construct:
    """Return the row of an intrinsic that older versions do not know, and that is written as something else."""
    return Construct(name, since, rule, instead)


def attachments(name: str, since: int) -> Construct:
    """Return the row of metadata attached to calls of an intrinsic that is written as something else."""
    return Construct(f"metadata of {name}", since, _DROP)


def fast_math(name: str, since: int) -> Construct:
    """Return the row of fast-math flags of calls of an intrinsic that is written as something else."""
    return Construct(f"fast-math flags of {name}", since, _DROP)


def arguments(name: str, since: int) -> Construct:
    """Return the row of arguments of an intrinsic that older versions have no place for."""
    return Construct(f"arguments of {name}", since, _DROP)


def other_intrinsic(name: str, since: int) -> Construct:
    """Return the row of an intrinsic whose name is that of another one in older versions."""
    return Construct(name, since, _REFUSE)


def other_form(name: str, since: int) -> Construct:
    """Return the row of an intrinsic that takes other arguments in older versions, for which nothing is written."""
    return Construct(f"today's form of {name}", since, _REFUSE)


def new_intrinsic(name: str, since: int, rule: Rule = _KEEP) -> Construct:
    """Return the row of an intrinsic that older versions do not know."""
    return Construct(name, since, rule)
