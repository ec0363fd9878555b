"""Rules of debug-info nodes: a table for each class; `debug_types` contains the tables of types."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from bitcodec.ir.debug_expressions import is_valid
from bitcodec.ir.debug_info import (
    DIAssignID,
    DICommonBlock,
    DICompileUnit,
    DICompositeType,
    DIDerivedType,
    DIExpression,
    DIFile,
    DIGlobalVariable,
    DIGlobalVariableExpression,
    DIImportedEntity,
    DILabel,
    DILexicalBlock,
    DILexicalBlockFile,
    DILocalScope,
    DILocalVariable,
    DILocation,
    DIMacro,
    DIMacroFile,
    DIMacroNode,
    DIModule,
    DINamespace,
    DINode,
    DIObjCProperty,
    DIScope,
    DISubprogram,
    DISubroutineType,
    DIType,
    GenericDINode,
)
from bitcodec.tables.debug_info_flags import ChecksumKind, DIFlag, EmissionKind
from bitcodec.tables.dwarf import MacroType, Tag
from bitcodec.verifier.debug_types import TYPE_RULES
from bitcodec.verifier.fragments import fits_variable, is_part_of_variable
from bitcodec.verifier.node_rules import (
    FILE,
    FLAGS,
    IN_DEFINITION,
    OF_VARIABLES,
    SCOPE,
    SCOPE_REFERENCE,
    TEMPLATE_PARAMETERS,
    TYPE,
    has_tag,
    is_definition,
    is_list,
    list_rules,
    may_be,
    must_be,
    with_entry,
    with_field,
)
from bitcodec.verifier.retained_nodes import RETAINED_NODES
from bitcodec.verifier.rules import Called, without_values

if TYPE_CHECKING:
    from bitcodec.ir.metadata import MDNode
    from bitcodec.verifier.node_rules import NodeRules
    from bitcodec.verifier.rules import Rule, Rules

__all__ = ["DISTINCT_DEFINITION", "NODE_RULES"]


def _is_declaration(node: Any) -> bool:
    return isinstance(node, DISubprogram) and not is_definition(node)


def _is_enumeration(entry: Any) -> bool:
    return isinstance(entry, DICompositeType) and entry.tag == Tag.enumeration_type


def _is_retained_type(entry: Any) -> bool:
    return isinstance(entry, DIType) or _is_declaration(entry)


def _has_checksum_length(node: Any) -> bool:
    return not node.checksum_kind or len(node.checksum) == _CHECKSUM_LENGTHS[node.checksum_kind]


_CHECKSUM_LENGTHS = {ChecksumKind.MD5: 32, ChecksumKind.SHA1: 40, ChecksumKind.SHA256: 64}
_LEXICAL_BLOCK: Rules = (
    ("invalid local scope", must_be("scope", DILocalScope), with_field("scope")),
    IN_DEFINITION,
)
DISTINCT_DEFINITION: Rule = (
    "subprogram definitions must be distinct",
    lambda node: not is_definition(node) or node.is_distinct,
)

NODE_RULES: dict[type[MDNode], NodeRules] = {
    **TYPE_RULES,
    DILocation: (
        ("location requires a valid scope", must_be("scope", DILocalScope), with_field("scope")),
        ("inlined-at should be a location", may_be("inlined_at", DILocation), with_field("inlined_at")),
        IN_DEFINITION,
    ),
    GenericDINode: (("invalid tag", lambda node: node.tag),),
    DIFile: (
        ("invalid checksum kind", lambda node: not node.checksum_kind or node.checksum_kind in _CHECKSUM_LENGTHS),
        ("invalid checksum length", _has_checksum_length),
        (
            "invalid checksum",
            lambda node: not node.checksum_kind or re.fullmatch("[0-9a-fA-F]*", node.checksum),
        ),
    ),
    DICompileUnit: (
        ("compile units must be distinct", lambda node: node.is_distinct),
        ("invalid file", must_be("file", DIFile), with_field("file")),
        ("invalid filename", lambda node: node.file.filename, with_field("file")),
        ("invalid emission kind", lambda node: node.emission_kind in EmissionKind.spellings),
        is_list("enums", "invalid enum list"),
        (
            "invalid enum type",
            lambda node: all(map(_is_enumeration, node.enums or ())),
            with_entry("enums", _is_enumeration, has_list=True),
        ),
        is_list("retained_types", "invalid retained type list"),
        (
            "invalid retained type",
            lambda node: all(map(_is_retained_type, node.retained_types or ())),
            with_entry("retained_types", _is_retained_type),
        ),
        *list_rules(
            "globals", "invalid global variable list", "invalid global variable ref", DIGlobalVariableExpression
        ),
        *list_rules("imports", "invalid imported entity list", "invalid imported entity ref", DIImportedEntity),
        *list_rules("macros", "invalid macro list", "invalid macro ref", DIMacroNode),
    ),
    DISubprogram: (
        SCOPE,
        FILE,
        (
            "line specified with no file",
            lambda node: node.file is not None or not node.line,
            with_field("line"),
        ),
        ("invalid subroutine type", may_be("type", DISubroutineType), with_field("type")),
        ("invalid containing type", may_be("containing_type", DIType), with_field("containing_type")),
        TEMPLATE_PARAMETERS,
        (
            "invalid subprogram declaration",
            lambda node: node.declaration is None or _is_declaration(node.declaration),
            with_field("declaration"),
        ),
        is_list("retained_nodes", "invalid retained nodes list"),
        RETAINED_NODES,
        FLAGS,
        DISTINCT_DEFINITION,
        (
            "subprogram definitions must have a compile unit",
            lambda node: not is_definition(node) or node.unit is not None,
        ),
        (
            "invalid unit type",
            lambda node: not is_definition(node) or isinstance(node.unit, DICompileUnit),
            with_field("unit"),
        ),
        ("subprogram declarations must not have a compile unit", lambda node: is_definition(node) or node.unit is None),
        (
            "subprogram declaration must not have a declaration field",
            lambda node: is_definition(node) or node.declaration is None,
            without_values,
        ),
        *list_rules("thrown_types", "invalid thrown types list", "invalid thrown type", DIType, has_list=True),
        (
            "DIFlagAllCallsDescribed must be attached to a definition",
            lambda node: is_definition(node) or not node.flags & DIFlag.AllCallsDescribed,
            without_values,
        ),
    ),
    DILexicalBlock: (
        Called(_LEXICAL_BLOCK),
        ("cannot have column info without line info", lambda node: node.line or not node.column),
    ),
    DILexicalBlockFile: _LEXICAL_BLOCK,
    DICommonBlock: (
        SCOPE_REFERENCE,
        ("invalid declaration", may_be("declaration", DIGlobalVariable), with_field("declaration")),
    ),
    DINamespace: (SCOPE_REFERENCE,),
    DIMacro: (
        ("invalid macinfo type", lambda node: node.type in {MacroType.define, MacroType.undef}),
        ("anonymous macro", lambda node: node.name),
    ),
    DIMacroFile: (
        ("invalid macinfo type", lambda node: node.type == MacroType.start_file),
        FILE,
        *list_rules("nodes", "invalid macro list", "invalid macro ref", DIMacroNode),
    ),
    DIModule: (("anonymous module", lambda node: node.name),),
    DIGlobalVariable: (
        OF_VARIABLES,
        TYPE,
        ("missing global variable type", lambda node: not node.is_definition or node.type is not None),
        ("invalid static data member declaration", may_be("declaration", DIDerivedType), with_field("declaration")),
    ),
    DILocalVariable: (
        OF_VARIABLES,
        TYPE,
        ("local variable requires a valid scope", must_be("scope", DILocalScope), with_field("scope")),
        ("invalid type", lambda node: not isinstance(node.type, DISubroutineType), with_field("type")),
    ),
    DIAssignID: (("DIAssignID must be distinct", lambda node: node.is_distinct),),
    DILabel: (SCOPE, FILE, ("label requires a valid scope", must_be("scope", DILocalScope), with_field("scope"))),
    DIExpression: (("invalid expression", lambda node: is_valid(node.elements)),),
    DIGlobalVariableExpression: (
        ("missing variable", lambda node: node.variable is not None, without_values),
        (
            "fragment is larger than or outside of variable",
            lambda node: fits_variable(node.variable, node.expression),
            with_field("variable"),
        ),
        (
            "fragment covers entire variable",
            lambda node: is_part_of_variable(node.variable, node.expression),
            with_field("variable"),
        ),
    ),
    DIObjCProperty: (TYPE, FILE),
    DIImportedEntity: (
        has_tag(Tag.imported_module, Tag.imported_declaration),
        ("invalid scope for imported entity", may_be("scope", DIScope), with_field("scope")),
        ("invalid imported entity", may_be("entity", DINode), with_field("entity")),
    ),
}
"""By class; the first broken rule of a node is reported, and the first broken rule of each part that LLVM calls."""
