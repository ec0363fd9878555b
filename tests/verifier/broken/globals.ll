;;; Only global arrays can have appending linkage!
@scalar = appending global i32 0
;;; 'common' global must have a zero initializer!
@filled = common global i32 1
;;; 'common' global may not be marked constant!
@fixed = common constant i32 0
;;; 'common' global may not be in a Comdat!
$grouped = comdat any
@grouped = common global i32 0, comdat
;;; Declaration may not be in a Comdat!
$outside = comdat any
@outside = external global i32, comdat
;;; Declaration may not be in a Comdat!
$looked_at = comdat any
define available_externally void @looked_at() comdat {
  ret void
}
;;; Global is marked as dllimport, but not external
@imported = dllimport global i32 0
;;; Globals cannot contain scalable types
@scalable = global <vscale x 4 x i32> zeroinitializer
;;; Globals cannot contain scalable types
@scalable = external global { <vscale x 4 x i32>, <vscale x 4 x i32> }
;;; Global @counter has illegal target extension type
@counter = external global target("llvm.test.vectorelement")
;;; invalid linkage for intrinsic global variable
@llvm.global_ctors = global [1 x { i32, ptr, ptr }] [{ i32, ptr, ptr } { i32 1, ptr null, ptr null }]
;;; wrong type for intrinsic global variable
@llvm.global_ctors = appending global [1 x { i64, ptr, ptr }] [{ i64, ptr, ptr } { i64 1, ptr null, ptr null }]
;;; wrong type for intrinsic global variable
@llvm.global_dtors = appending global [1 x { i32, ptr, i32 }] [{ i32, ptr, i32 } { i32 1, ptr null, i32 0 }]
;;; invalid uses of intrinsic global variable
@llvm.global_ctors = appending global [0 x { i32, ptr, ptr }] zeroinitializer
@user = global ptr @llvm.global_ctors
;;; wrong type for intrinsic global variable
@llvm.used = appending global [1 x i32] [i32 1]
;;; invalid linkage for intrinsic global variable
@x = global i32 0
@llvm.used = global [1 x ptr] [ptr @x]
;;; wrong initializer for intrinsic global variable
@llvm.used = appending global [1 x ptr] zeroinitializer
;;; invalid llvm.used member
@llvm.used = appending global [2 x ptr] [ptr inttoptr (i64 1 to ptr), ptr null]
;;; members of llvm.compiler.used must be named
@0 = global i32 0
@llvm.compiler.used = appending global [1 x ptr] [ptr @0]
;;; Alias must point to a definition
@outside = external global i32
@alias = alias i32, ptr @outside
;;; Aliases cannot form a cycle
@a = alias i32, ptr @b
@b = alias i32, ptr @a
;;; Aliases cannot form a cycle
@a = alias i32, ptr @a
;;; Alias cannot point to an interposable alias
@x = global i32 0
@weak = weak alias i32, ptr @x
@alias = alias i32, ptr @weak
;;; available_externally alias must point to available_externally global value
@x = global i32 0
@alias = available_externally alias i32, ptr @x
;;; Aliasee should be either GlobalValue or ConstantExpr
@alias = alias i32, ptr null
;;; IFunc must have a Function resolver
@x = global i32 0
@ifunc = ifunc void (), ptr @x
;;; IFunc resolver must be a definition
declare ptr @resolver()
@ifunc = ifunc void (), ptr @resolver
;;; IFunc resolver must return a pointer
define i32 @resolver() {
  ret i32 0
}
@ifunc = ifunc void (), ptr @resolver
;;; comdat global value has private linkage
target triple = "x86_64-unknown-windows-msvc"
$private = comdat any
@private = private global i32 0, comdat
;;; associated metadata must have one operand
@x = global i32 0, !associated !{}
;;; associated metadata must be ValueAsMetadata
@x = global i32 0, !associated !{!"x"}
;;; associated metadata must have a global value
@x = global i32 0, !associated !{null}
;;; associated value must be pointer typed
@x = global i32 0, !associated !{i32 1}
;;; global values should not associate to themselves
@x = global i32 0, !associated !{ptr @x}
;;; ref metadata must have one operand
@x = global i32 0, !implicit.ref !{}
;;; values should not reference themselves
@x = global i32 0, !implicit.ref !{ptr @x}
;;; ref metadata must not be placed on a declaration
@x = external global i32, !implicit.ref !{ptr @x}
;;; Unfinished range!
@x = external global i32, !absolute_symbol !{i64 1}
;;; Range types must match instruction type!
@x = external global i32, !absolute_symbol !{i32 1, i32 2}
;;; !dbg attachment of global variable must be a DIGlobalVariableExpression
@x = global i32 0, !dbg !0
!llvm.module.flags = !{!1}
!0 = !{}
!1 = !{i32 2, !"Debug Info Version", i32 3}
