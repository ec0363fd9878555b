source_filename = "a.c"
target triple = "x86_64-unknown-linux-gnu"
@v = internal global i32 3
@vt = constant { [2 x ptr] } { [2 x ptr] [ptr null, ptr @f] }
@al = alias i32 (), ptr @f
declare i32 @g()
define i32 @f() { 
  %1 = load i32, ptr @v
  %2 = call i32 @g()
  ret i32 %1
}
define i32 @h() { 
  ret i32 7
}
^0 = module: (path: "a.bc", hash: (1, 2, 3, 4, 5))
^1 = gv: (name: "g")
^2 = gv: (name: "f", summaries: (function: (module: ^0, flags: (linkage: external, visibility: default, notEligibleToImport: 0, live: 0, dsoLocal: 0, canAutoHide: 0, importType: definition), insts: 3, funcFlags: (readNone: 0, readOnly: 1, noRecurse: 0, returnDoesNotAlias: 0, noInline: 0, alwaysInline: 0, noUnwind: 0, mayThrow: 0, hasUnknownCall: 0, mustBeUnreachable: 0), calls: ((callee: ^1, hotness: hot), (callee: ^7, tail: 1), (callee: ^8)), typeIdInfo: (typeTests: (^9, 77), typeTestAssumeVCalls: (vFuncId: (guid: 5, offset: 16)), typeTestAssumeConstVCalls: ((vFuncId: (guid: 5, offset: 16), args: (1, 2)))), allocs: ((versions: (none), memProf: ((type: notcold, stackIds: (1, 2, 3)), (type: cold, stackIds: (5, 2, 3))))), callsites: ((callee: ^1, clones: (0), stackIds: (9, 3))), params: ((param: 0, offset: [0, 3], calls: ((callee: ^1, param: 1, offset: [-4, 4])))), refs: (^3, readonly ^7))))
^3 = gv: (name: "v", summaries: (variable: (module: ^0, flags: (linkage: internal, visibility: default, notEligibleToImport: 0, live: 0, dsoLocal: 1, canAutoHide: 0, importType: definition), varFlags: (readonly: 1, writeonly: 1, constant: 0))))
^4 = gv: (name: "vt", summaries: (variable: (module: ^0, flags: (linkage: external, visibility: default, notEligibleToImport: 0, live: 0, dsoLocal: 0, canAutoHide: 0, importType: definition), varFlags: (readonly: 1, writeonly: 1, constant: 0, vcall_visibility: 0), vTableFuncs: ((virtFunc: ^2, offset: 8)), refs: (^2))))
^5 = gv: (name: "al", summaries: (alias: (module: ^0, flags: (linkage: external, visibility: default, notEligibleToImport: 0, live: 0, dsoLocal: 0, canAutoHide: 0, importType: definition), aliasee: ^2)))
^6 = gv: (name: "h", summaries: (function: (module: ^0, flags: (linkage: external, visibility: default, notEligibleToImport: 0, live: 0, dsoLocal: 0, canAutoHide: 0, importType: definition), insts: 1, allocs: ((versions: (none), memProf: ((type: cold, stackIds: (1, 2, 3)), (type: hot, stackIds: (2, 3)), (type: cold, stackIds: (7, 8, 2, 3)), (type: cold, stackIds: (4)), (type: notcold, stackIds: (1, 2, 3)))), (versions: (none), memProf: ((type: cold, stackIds: (6, 4))))))))
^7 = gv: (guid: 777)
^8 = gv: (guid: 555)
^9 = typeid: (name: "T", summary: (typeTestRes: (kind: single, sizeM1BitWidth: 0)))
^10 = typeidCompatibleVTable: (name: "T2", summary: ((offset: 16, ^4)))
^11 = flags: 8
^12 = blockcount: 9
