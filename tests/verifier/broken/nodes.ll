;;; invalid file
!DIDerivedType(tag: DW_TAG_typedef, file: !3, baseType: null)
;;; invalid tag
!DIDerivedType(tag: DW_TAG_array_type, baseType: null)
;;; invalid scope
!DIDerivedType(tag: DW_TAG_typedef, scope: !3, baseType: null)
;;; invalid base type
!DIDerivedType(tag: DW_TAG_typedef, baseType: !3)
;;; invalid set base type
!DIDerivedType(tag: DW_TAG_set_type, baseType: !4)
;;; invalid pointer to member type
!DIDerivedType(tag: DW_TAG_ptr_to_member_type, baseType: null, extraData: !3)
;;; DWARF address space only applies to pointer or reference types
!DIDerivedType(tag: DW_TAG_typedef, baseType: null, dwarfAddressSpace: 1)
;;; invalid tag
!DICompositeType(tag: DW_TAG_base_type)
;;; invalid scope
!DICompositeType(tag: DW_TAG_structure_type, scope: !3)
;;; invalid composite elements
!DICompositeType(tag: DW_TAG_structure_type, elements: !4)
;;; invalid vtable holder
!DICompositeType(tag: DW_TAG_structure_type, vtableHolder: !3)
;;; invalid reference flags
!DICompositeType(tag: DW_TAG_structure_type, flags: DIFlagTypePassByValue | DIFlagTypePassByReference)
;;; DIBlockByRefStruct on DICompositeType is no longer supported
!DICompositeType(tag: DW_TAG_structure_type, flags: DIFlagReservedBit4)
;;; DISubprogram contains null entry in `elements` field
!DICompositeType(tag: DW_TAG_structure_type, elements: !{null})
;;; invalid vector, expected one element of type subrange
!DICompositeType(tag: DW_TAG_array_type, baseType: !4, flags: DIFlagVector, elements: !{!4})
;;; invalid template params
!DICompositeType(tag: DW_TAG_structure_type, templateParams: !4)
;;; invalid template parameter
!DICompositeType(tag: DW_TAG_structure_type, templateParams: !{!4})
;;; discriminator can only appear on variant part
!DICompositeType(tag: DW_TAG_structure_type, discriminator: !5)
;;; dataLocation can only appear in array type
!DICompositeType(tag: DW_TAG_structure_type, dataLocation: !DIExpression())
;;; allocated can only appear in array type
!DICompositeType(tag: DW_TAG_structure_type, allocated: !DIExpression())
;;; rank can only appear in array type
!DICompositeType(tag: DW_TAG_structure_type, rank: 1)
;;; array types must have a base type
!DICompositeType(tag: DW_TAG_array_type)
;;; invalid composite elements
!DISubroutineType(types: !4)
;;; invalid subroutine type ref
!DISubroutineType(types: !{!3})
;;; invalid reference flags
!DISubroutineType(types: !{null}, flags: DIFlagLValueReference | DIFlagRValueReference)
;;; invalid tag
!DIBasicType(tag: DW_TAG_typedef)
;;; invalid encoding
!DIFixedPointType(name: "x", encoding: DW_ATE_signed, kind: Binary, factor: 1)
;;; invalid checksum length
!DIFile(filename: "a", directory: "", checksumkind: CSK_MD5, checksum: "00")
;;; invalid checksum
!DIFile(filename: "a", directory: "", checksumkind: CSK_MD5, checksum: "0000000000000000000000000000000g")
;;; Subrange can have any one of count or upperBound
!DISubrange(count: 1, upperBound: 2)
;;; Count must be signed constant or DIVariable or DIExpression
!DISubrange(count: !3)
;;; LowerBound must be signed constant or DIVariable or DIExpression
!DISubrange(count: 1, lowerBound: !3)
;;; GenericSubrange must contain lowerBound
!DIGenericSubrange(stride: !DIExpression())
;;; GenericSubrange must contain stride
!DIGenericSubrange(lowerBound: !DIExpression())
;;; BaseType must be a type
!DISubrangeType(name: "x", baseType: !3)
;;; Bias must be signed constant or DIVariable or DIExpression
!DISubrangeType(name: "x", baseType: !4, bias: !3)
;;; line specified with no file
!DISubprogram(name: "f", line: 1, spFlags: 0)
;;; invalid subroutine type
!DISubprogram(name: "f", type: !4, spFlags: 0)
;;; invalid containing type
!DISubprogram(name: "f", containingType: !3, spFlags: 0)
;;; invalid subprogram declaration
distinct !DISubprogram(name: "f", declaration: !4, spFlags: DISPFlagDefinition)
;;; invalid retained nodes list
!DISubprogram(name: "f", retainedNodes: !4, spFlags: 0)
;;; nullptr in retained nodes
!DISubprogram(name: "f", retainedNodes: !{null}, spFlags: 0)
;;; invalid retained nodes, retained node is not local
!DISubprogram(name: "f", retainedNodes: !{!DIImportedEntity(tag: DW_TAG_imported_module, scope: null)}, spFlags: 0)
;;; invalid retained nodes, retained node does not belong to subprogram
!DISubprogram(name: "f", retainedNodes: !{!DILabel(scope: !DILexicalBlock(scope: !6), name: "l", file: !1, line: 1)}, spFlags: 0)
;;; invalid retained nodes, expected DILocalVariable, DILabel or DIImportedEntity
!DISubprogram(name: "f", retainedNodes: !{!4}, spFlags: 0)
;;; invalid unit type
distinct !DISubprogram(name: "f", unit: !4, spFlags: DISPFlagDefinition)
;;; subprogram declarations must not have a compile unit
!DISubprogram(name: "f", unit: !4, spFlags: 0)
;;; subprogram declaration must not have a declaration field
!DISubprogram(name: "f", declaration: !6, spFlags: 0)
;;; invalid thrown types list
!DISubprogram(name: "f", thrownTypes: !4, spFlags: 0)
;;; invalid thrown type
!DISubprogram(name: "f", thrownTypes: !{!3}, spFlags: 0)
;;; DIFlagAllCallsDescribed must be attached to a definition
!DISubprogram(name: "f", flags: DIFlagAllCallsDescribed, spFlags: 0)
;;; invalid local scope
!DILexicalBlock(scope: !4, line: 1)
;;; scope points into the type hierarchy
!DILexicalBlock(scope: !6, line: 1)
;;; invalid scope ref
!DINamespace(name: "n", scope: !3)
;;; invalid declaration
!DICommonBlock(scope: null, declaration: !4)
;;; anonymous macro
!DIMacro(type: DW_MACINFO_define, name: "")
;;; invalid macinfo type
!DIMacro(type: DW_MACINFO_start_file, name: "x")
;;; invalid macro ref
!DIMacroFile(file: !1, nodes: !{!4})
;;; anonymous module
!DIModule(scope: null, name: "")
;;; invalid type ref
!DITemplateTypeParameter(name: "t", type: !3)
;;; invalid tag
!DITemplateValueParameter(tag: DW_TAG_member, type: !4, value: i32 1)
;;; invalid type ref
!DIGlobalVariable(name: "x", type: !3)
;;; missing global variable type
!DIGlobalVariable(name: "x")
;;; invalid static data member declaration
!DIGlobalVariable(name: "x", type: !4, declaration: !4)
;;; local variable requires a valid scope
!DILocalVariable(name: "x", scope: !4)
;;; invalid type
!DILocalVariable(name: "x", scope: !7, type: !8)
;;; label requires a valid scope
!DILabel(scope: !4, name: "x", file: !1, line: 1)
;;; invalid expression
!DIExpression(DW_OP_stack_value, DW_OP_deref)
;;; invalid tag
!DIImportedEntity(tag: DW_TAG_member, scope: null)
;;; invalid imported entity
!DIImportedEntity(tag: DW_TAG_imported_module, scope: null, entity: !3)
;;; invalid scope for imported entity
!DIImportedEntity(tag: DW_TAG_imported_module, scope: !3)
;;; invalid type ref
!DIObjCProperty(name: "p", type: !3)
;;; invalid filename
distinct !DICompileUnit(language: DW_LANG_C, file: !9)
;;; invalid file
distinct !DICompileUnit(language: DW_LANG_C, file: !4)
;;; invalid enum list
distinct !DICompileUnit(language: DW_LANG_C, file: !1, enums: !4)
;;; invalid enum type
distinct !DICompileUnit(language: DW_LANG_C, file: !1, enums: !{!4})
;;; invalid retained type
distinct !DICompileUnit(language: DW_LANG_C, file: !1, retainedTypes: !{!3})
;;; invalid global variable ref
distinct !DICompileUnit(language: DW_LANG_C, file: !1, globals: !{!4})
;;; invalid imported entity ref
distinct !DICompileUnit(language: DW_LANG_C, file: !1, imports: !{!4})
;;; invalid macro list
distinct !DICompileUnit(language: DW_LANG_C, file: !1, macros: !4)
;;; invalid tag
!GenericDINode(tag: 0, header: "x")
;;; invalid set base type
!DIDerivedType(tag: DW_TAG_set_type, baseType: !5)
;;; invalid template parameters
!DIDerivedType(tag: DW_TAG_template_alias, baseType: !4, extraData: !9)
;;; extraData must be ConstantAsMetadata, MDString, DIObjCProperty, or MDTuple with single ConstantAsMetadata operand
!DIDerivedType(tag: DW_TAG_member, baseType: !4, extraData: !4)
;;; extraData must be ConstantAsMetadata, MDString, DIObjCProperty, or MDTuple with single ConstantAsMetadata operand
!DIDerivedType(tag: DW_TAG_inheritance, baseType: !4, extraData: !{i32 1, i32 2})
;;; LowerBound must be signed constant or DIVariable or DIExpression or DIDerivedType
!DISubrangeType(baseType: !4, lowerBound: !4)
;;; UpperBound must be signed constant or DIVariable or DIExpression or DIDerivedType
!DISubrangeType(baseType: !4, upperBound: !4)
