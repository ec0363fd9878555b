"""Names of the constructs that readers differ in."""

from __future__ import annotations

from bitcodec.named_tuple import NamedTuple
from bitcodec.plain_enum import PlainEnum

__all__ = ["ConstructKind", "Key"]


class ConstructKind(PlainEnum):
    """Kinds of constructs; the value begins the identifier of a rule."""

    EPOCH = "epoch"
    MODULE_VERSION = "module-version"
    LAYOUT = "data-layout"
    MANGLING = "data-layout-mangling"
    TYPE = "type"
    LATER_PARAMETER = "type-of-later-parameter"
    NO_PARAMETER = "type-of-no-parameter"
    SCALABLE_VECTOR = "scalable-vector"
    ATTRIBUTE = "attribute"
    ATTRIBUTE_TAG = "attribute-form"
    UNKNOWN_IN_OTHER_FORM = "attribute-in-other-form"
    TYPE_ATTRIBUTE = "type-attribute"
    NOT_INTEGER = "attribute-not-integer"
    NOT_ENUM = "attribute-not-enum"
    NOT_TYPE = "attribute-not-type"
    NOT_RANGE = "attribute-not-range"
    UNWIND_TABLE = "attribute-uwtable-value"
    MEMORY = "attribute-memory-errnomem"
    PARTLY_DEAD = "attribute-dead-on-return-value"
    CONSTANT = "constant"
    GLOBAL_IN_CONSTANT = "global-in-constant"
    CONSTANT_TYPE = "constant-type"
    CONSTANT_CAST = "constant-cast"
    INSTRUCTION = "instruction"
    CAST_FLAGS = "cast-flags"
    CAST = "cast"
    SAME_SIGN = "icmp-samesign"
    CALL_FLAGS = "call-fast-math"
    CALLED_TYPE = "call-fast-math-of-type"
    """Calls with flags, by the number of the function type: the type decides their key."""
    CALL_OF_AGGREGATE = "call-fast-math-aggregate"
    PHI_FLAGS = "phi-fast-math"
    PHI_TYPE = "phi-fast-math-of-type"
    """Phis with flags, by the number of the type."""
    PHI_OF_AGGREGATE = "phi-fast-math-aggregate"
    METADATA_INPUT = "operand-bundle-metadata"
    FLAGS = "flags"
    ATOMIC_OPERATION = "atomicrmw"
    ELEMENTWISE = "atomicrmw-elementwise"
    ATOMIC_ALIGNMENT = "atomicrmw-alignment"
    COMPARE_EXCHANGE_ALIGNMENT = "cmpxchg-alignment"
    ALIGNMENT = "alignment"
    GLOBAL_FIELD = "global"
    OLD_GLOBAL = "variable-at-pointer"
    VALUE_NUMBER = "number-of-value"
    OLD_ALLOCA = "alloca-at-pointer"
    ALLOCA_ALIGNMENT = "alloca-alignment"
    NODE = "metadata"
    SUBPROGRAM = "subprogram-flags"
    SUMMARY = "summary-version"
    SYMBOL_TABLE_OFFSET = "symbol-table-offset"
    SYMBOL_TABLE_BEHIND = "symbol-table-behind-the-end"
    LATE_TARGET = "target-behind-function"
    ASSEMBLY_PARTS = "assembly-parts"
    METADATA_KIND = "metadata-kind"
    SEVERAL_MODULES = "several-modules"
    NO_MODULE = "no-module"
    FILE_SIZE = "file-size"
    LIFETIME = "lifetime-without-size"
    COMPUTED_CASE = "switch-computed-case"
    DOMAIN = "alias-scope-domain"


class Key(NamedTuple):
    """A construct, as far as readers distinguish it.

    Attributes:
        kind: of construct.
        number: its number among constructs of its kind: a record code, an attribute kind, an operation.
        length: number of operands of a metadata record; size of the part that a place is outside of.
    """

    kind: ConstructKind
    number: int
    length: int = 0
