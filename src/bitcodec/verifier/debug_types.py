"""Rules of the types of debug information: a table for each class."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bitcodec.ir.debug_info import (
    DIBasicType,
    DICompositeType,
    DIDerivedType,
    DIFixedPointType,
    DIGenericSubrange,
    DIObjCProperty,
    DIStringType,
    DISubrange,
    DISubrangeType,
    DISubroutineType,
    DITemplateTypeParameter,
    DITemplateValueParameter,
    DIType,
)
from bitcodec.ir.metadata import ConstantAsMetadata, MDString, MDTuple
from bitcodec.tables.debug_info_flags import DIFlag, FixedPointKind
from bitcodec.tables.dwarf import Tag, TypeEncoding
from bitcodec.verifier.node_rules import (
    BASE_TYPE,
    COMPUTED,
    CONSTANT,
    CONSTANT_SIZE,
    FLAGS,
    NOTHING,
    OF_SCOPES,
    OF_TEMPLATES,
    SCOPE,
    SIZE,
    TEMPLATE_PARAMETERS,
    bound,
    has_tag,
    is_list,
    list_rules,
    may_be,
    with_field,
)
from bitcodec.verifier.rules import Called, without_values

if TYPE_CHECKING:
    from collections.abc import Callable

    from bitcodec.ir.metadata import MDNode
    from bitcodec.verifier.node_rules import NodeRules
    from bitcodec.verifier.rules import Rule, Rules

__all__ = ["SET_BASE", "TYPE_RULES"]


def _is_set_base(base: Any) -> bool:
    match base:
        case None | DISubrangeType():
            return True
        case DICompositeType():
            return base.tag == Tag.enumeration_type
        case DIBasicType():
            return base.encoding in _SET_ENCODINGS
    return False


def _is_vector_of_one_range(node: Any) -> bool:
    if not node.flags & DIFlag.Vector:
        return True
    elements = tuple(node.elements or ())
    if len(elements) != 1:
        return False
    element = elements[0]
    return isinstance(element, (DISubrange, DISubrangeType)) or getattr(element, "tag", 0) == Tag.subrange_type


def _only_in(field: str, tag: int) -> Callable[[Any], bool]:
    return lambda node: getattr(node, field) is None or node.tag == tag


def _is_count(node: Any) -> bool:
    return not isinstance(node.count, int) or node.count >= -1


def _has_member_data(node: Any) -> bool:
    """Return whether the extra data of a member is nothing, a constant, a string or a property."""
    data = node.extra_data
    if node.tag not in _WITH_MEMBER_DATA or data is None:
        return True
    if isinstance(data, MDTuple):
        return len(data.operands) == 1 and isinstance(data.operands[0], ConstantAsMetadata)
    return isinstance(data, (str, MDString, ConstantAsMetadata, DIObjCProperty))


_SET_ENCODINGS = {
    TypeEncoding.unsigned,
    TypeEncoding.signed,
    TypeEncoding.unsigned_char,
    TypeEncoding.signed_char,
    TypeEncoding.boolean,
}
_POINTER_TAGS = (Tag.pointer_type, Tag.reference_type, Tag.rvalue_reference_type)
_MEMBER_DATA = (
    "extraData must be ConstantAsMetadata, MDString, DIObjCProperty, or MDTuple with single ConstantAsMetadata operand"
)
_WITH_MEMBER_DATA = {Tag.inheritance, Tag.member, Tag.variable}
_DERIVED_TAGS = {
    Tag.typedef,
    *_POINTER_TAGS,
    Tag.ptr_to_member_type,
    Tag.const_type,
    Tag.immutable_type,
    Tag.volatile_type,
    Tag.restrict_type,
    Tag.atomic_type,
    Tag.LLVM_ptrauth_type,
    Tag.member,
    Tag.inheritance,
    Tag.friend,
    Tag.set_type,
    Tag.template_alias,
}
_BASIC_TYPE: Rules = (has_tag(Tag.base_type, Tag.unspecified_type, Tag.string_type), CONSTANT_SIZE)
_STRIDE = bound("stride", "Stride", *CONSTANT)


def _type_bound(field: str, name: str) -> Rule:
    """Return the rule for a bound of a subrange type, which may also be a member that contains it."""
    return (f"{bound(field, name)[0]} or DIDerivedType", may_be(field, *COMPUTED, DIDerivedType))


SET_BASE: Rule = (
    "invalid set base type",
    lambda node: node.tag != Tag.set_type or _is_set_base(node.base_type),
    with_field("base_type"),
)
TYPE_RULES: dict[type[MDNode], NodeRules] = {
    DISubrangeType: (
        ("BaseType must be a type", may_be("base_type", DIType), without_values),
        _type_bound("lower_bound", "LowerBound"),
        _type_bound("upper_bound", "UpperBound"),
        _STRIDE,
        bound("bias", "Bias", *CONSTANT),
        CONSTANT_SIZE,
    ),
    DISubrange: (
        (
            "Subrange can have any one of count or upperBound",
            lambda node: node.count is None or node.upper_bound is None,
        ),
        bound("count", "Count", *CONSTANT),
        ("invalid subrange count", _is_count),
        bound("lower_bound", "LowerBound", *CONSTANT),
        bound("upper_bound", "UpperBound", *CONSTANT),
        _STRIDE,
    ),
    DIGenericSubrange: (
        (
            "GenericSubrange can have any one of count or upperBound",
            lambda node: node.count is None or node.upper_bound is None,
        ),
        bound("count", "Count"),
        ("GenericSubrange must contain lowerBound", lambda node: node.lower_bound is not None),
        bound("lower_bound", "LowerBound"),
        bound("upper_bound", "UpperBound"),
        ("GenericSubrange must contain stride", lambda node: node.stride is not None),
        bound("stride", "Stride"),
    ),
    DIBasicType: _BASIC_TYPE,
    DIFixedPointType: (
        Called(_BASIC_TYPE),
        has_tag(Tag.base_type),
        ("invalid encoding", lambda node: node.encoding in {TypeEncoding.signed_fixed, TypeEncoding.unsigned_fixed}),
        ("invalid kind", lambda node: node.kind in FixedPointKind.spellings),
        (
            "factor should be 0 for rationals",
            lambda node: node.kind != FixedPointKind.Rational or not node.factor,
        ),
        (
            "numerator and denominator should be 0 for non-rationals",
            lambda node: node.kind == FixedPointKind.Rational or not (node.numerator or node.denominator),
        ),
    ),
    DIStringType: (has_tag(Tag.string_type),),
    DIDerivedType: (
        OF_SCOPES,
        (
            "invalid tag",
            lambda node: node.tag in _DERIVED_TAGS or (node.tag == Tag.variable and node.flags & DIFlag.StaticMember),
        ),
        (
            "invalid pointer to member type",
            lambda node: node.tag != Tag.ptr_to_member_type or isinstance(node.extra_data, (DIType, NOTHING)),
            with_field("extra_data"),
        ),
        (
            "invalid template parameters",
            lambda node: node.tag != Tag.template_alias or isinstance(node.extra_data, (MDTuple, NOTHING)),
            with_field("extra_data"),
        ),
        (_MEMBER_DATA, _has_member_data, with_field("extra_data")),
        SET_BASE,
        SCOPE,
        BASE_TYPE,
        (
            "DWARF address space only applies to pointer or reference types",
            lambda node: node.dwarf_address_space is None or node.tag in _POINTER_TAGS,
        ),
        SIZE,
    ),
    DICompositeType: (
        OF_SCOPES,
        has_tag(
            Tag.array_type,
            Tag.structure_type,
            Tag.union_type,
            Tag.enumeration_type,
            Tag.class_type,
            Tag.variant_part,
            Tag.variant,
            Tag.namelist,
        ),
        SCOPE,
        BASE_TYPE,
        is_list("elements", "invalid composite elements"),
        ("invalid vtable holder", may_be("vtable_holder", DIType), with_field("vtable_holder")),
        FLAGS,
        (
            "DIBlockByRefStruct on DICompositeType is no longer supported",
            lambda node: not node.flags & DIFlag.ReservedBit4,
        ),
        (
            "DISubprogram contains null entry in `elements` field",
            lambda node: all(entry is not None for entry in node.elements or ()),
        ),
        ("invalid vector, expected one element of type subrange", _is_vector_of_one_range),
        TEMPLATE_PARAMETERS,
        (
            "discriminator can only appear on variant part",
            lambda node: (
                node.discriminator is None
                or (isinstance(node.discriminator, DIDerivedType) and node.tag == Tag.variant_part)
            ),
            without_values,
        ),
        ("dataLocation can only appear in array type", _only_in("data_location", Tag.array_type), without_values),
        ("associated can only appear in array type", _only_in("associated", Tag.array_type), without_values),
        ("allocated can only appear in array type", _only_in("allocated", Tag.array_type), without_values),
        ("rank can only appear in array type", _only_in("rank", Tag.array_type), without_values),
        (
            "array types must have a base type",
            lambda node: node.tag != Tag.array_type or node.base_type is not None,
        ),
        SIZE,
    ),
    DISubroutineType: (
        *list_rules(
            "types", "invalid composite elements", "invalid subroutine type ref", DIType, NOTHING, has_list=True
        ),
        FLAGS,
    ),
    DITemplateTypeParameter: (OF_TEMPLATES,),
    DITemplateValueParameter: (
        OF_TEMPLATES,
        has_tag(Tag.template_value_parameter, Tag.GNU_template_template_param, Tag.GNU_template_parameter_pack),
    ),
}
