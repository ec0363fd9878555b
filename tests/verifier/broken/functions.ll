;;; Attribute 'sret' is not on first or second parameter!
declare void @third(i32, i32, ptr sret(i32))
;;; Cannot have multiple 'sret' parameters!
declare void @two(ptr sret(i32), ptr sret(i32))
;;; Attributes 'byval', 'inalloca', 'preallocated', 'inreg', 'nest', 'byref', and 'sret' are incompatible!
declare void @both(ptr byval(i32) inreg)
;;; Attributes 'zeroext and signext' are incompatible!
declare void @extended(i32 zeroext signext)
;;; Attributes 'readnone and readonly' are incompatible!
declare void @read(ptr readnone readonly)
;;; Attributes 'readnone and writeonly' are incompatible!
declare void @written(ptr readnone writeonly)
;;; Attributes 'readonly and writeonly' are incompatible!
declare void @read_written(ptr readonly writeonly)
;;; Attributes 'sret and returned' are incompatible!
declare void @given_back(ptr sret(i32) returned)
;;; Attributes 'inalloca and readonly' are incompatible!
declare void @in_alloca(ptr inalloca(i32) readonly)
;;; Attributes writable and readnone are incompatible!
declare void @writable(ptr writable readnone)
;;; Attributes writable and readonly are incompatible!
declare void @writable_read(ptr writable readonly)
;;; Attribute writable and memory without argmem: write are incompatible!
declare void @writable_memory(ptr writable) memory(argmem: read)
;;; More than one parameter has attribute nest!
declare void @nests(ptr nest, ptr nest)
;;; More than one parameter has attribute returned!
declare ptr @returned(ptr returned, ptr returned)
;;; Incompatible argument and return types for 'returned' attribute
declare i32 @returned_other(ptr returned)
;;; Cannot have multiple 'swiftself' parameters!
declare void @selves(ptr swiftself, ptr swiftself)
;;; Cannot have multiple 'swifterror' parameters!
declare void @errors(ptr swifterror, ptr swifterror)
;;; Cannot have multiple 'swiftasync' parameters!
declare void @asyncs(ptr swiftasync, ptr swiftasync)
;;; inalloca isn't on the last parameter!
declare void @not_last(ptr inalloca(i32), i32)
;;; Attribute 'byval' does not support unsized types!
%opaque = type opaque
declare void @unsized(ptr byval(%opaque))
;;; Attribute 'byref' does not support unsized types!
%opaque = type opaque
declare void @unsized_reference(ptr byref(%opaque))
;;; huge 'byval' arguments are unsupported
declare void @huge(ptr byval([8589934592 x i8]))
;;; Attribute 'elementtype' can only be applied to intrinsics and inline asm.
declare void @elements(ptr elementtype(i32))
;;; Attributes 'noinline and alwaysinline' are incompatible!
declare void @inlined() noinline alwaysinline
;;; Attribute 'optnone' requires 'noinline'!
declare void @unoptimized() optnone
;;; Attributes 'optsize and optnone' are incompatible!
declare void @small() optnone noinline optsize
;;; Attributes 'minsize and optnone' are incompatible!
declare void @smallest() optnone noinline minsize
;;; Attributes 'optdebug and optnone' are incompatible!
declare void @debugged() optnone noinline optdebug
;;; Attributes 'optsize and optdebug' are incompatible!
declare void @small_debugged() optdebug optsize
;;; Attributes 'minsize and optdebug' are incompatible!
declare void @smallest_debugged() optdebug minsize
;;; Attributes 'sanitize_realtime and sanitize_realtime_blocking' are incompatible!
declare void @real_time() sanitize_realtime sanitize_realtime_blocking
;;; Attributes 'aarch64_pstate_sm_enabled and aarch64_pstate_sm_compatible' are incompatible!
declare void @streaming() "aarch64_pstate_sm_enabled" "aarch64_pstate_sm_compatible"
;;; Attributes 'aarch64_new_za', 'aarch64_in_za', 'aarch64_out_za', 'aarch64_inout_za', 'aarch64_preserves_za' and 'aarch64_za_state_agnostic' are mutually exclusive
declare void @matrix() "aarch64_new_za" "aarch64_in_za"
;;; Attributes 'aarch64_new_zt0', 'aarch64_in_zt0', 'aarch64_out_zt0', 'aarch64_inout_zt0', 'aarch64_preserves_zt0' and 'aarch64_za_state_agnostic' are mutually exclusive
declare void @table() "aarch64_new_zt0" "aarch64_in_zt0"
;;; Attribute 'jumptable' requires 'unnamed_addr'
declare void @jump_table() jumptable
;;; 'allocsize' element size argument is out of bounds
declare ptr @allocates(i32) allocsize(1)
;;; 'allocsize' element size argument must refer to an integer parameter
declare ptr @allocates_pointer(ptr) allocsize(0)
;;; 'allocsize' number of elements argument is out of bounds
declare ptr @allocates_some(i32) allocsize(0, 1)
;;; 'allockind()' requires exactly one of alloc, realloc, and free
declare ptr @kinds() allockind("alloc,free")
;;; 'allockind("free")' doesn't allow uninitialized, zeroed, or aligned modifiers.
declare void @freed(ptr) allockind("free,zeroed")
;;; 'allockind()' can't be both zeroed and uninitialized
declare ptr @zeroed() allockind("alloc,zeroed,uninitialized")
;;; 'alloc-variant-zeroed' must not be empty
declare ptr @variant() "alloc-variant-zeroed"=""
;;; 'alloc-variant-zeroed' must name a function with 'allockind("zeroed")'
declare ptr @variant() "alloc-variant-zeroed"="other"
declare ptr @other()
;;; 'alloc-variant-zeroed' must name a function with the same signature
declare ptr @variant() "alloc-variant-zeroed"="other"
declare ptr @other(i32) allockind("alloc,zeroed")
;;; 'alloc-variant-zeroed' must name a function belonging to the same 'alloc-family'
declare ptr @variant() "alloc-variant-zeroed"="other" "alloc-family"="a"
declare ptr @other() allockind("alloc,zeroed") "alloc-family"="b"
;;; 'vscale_range' minimum must be greater than 0
declare void @scaled() vscale_range(0, 8)
;;; 'vscale_range' minimum cannot be greater than maximum
declare void @scaled() vscale_range(8, 4)
;;; 'vscale_range' minimum must be power-of-two value
declare void @scaled() vscale_range(3, 8)
;;; 'vscale_range' maximum must be power-of-two value
declare void @scaled() vscale_range(1, 7)
;;; invalid value for 'frame-pointer' attribute: some
declare void @framed() "frame-pointer"="some"
;;; invalid value for 'no-nans-fp-math' attribute: maybe
declare void @numbers() "no-nans-fp-math"="maybe"
;;; "patchable-function-prefix" takes an unsigned integer: -1
declare void @patched() "patchable-function-prefix"="-1"
;;; "warn-stack-size" takes an unsigned integer: many
declare void @warned() "warn-stack-size"="many"
;;; "patchable-function-entry-section" must not be empty
declare void @patched_section() "patchable-function-entry-section"=""
;;; invalid value for 'sign-return-address' attribute: some
declare void @signed() "sign-return-address"="some"
;;; 'sign-return-address-key' present without `sign-return-address`
declare void @signed_key() "sign-return-address-key"="a_key"
;;; invalid value for 'branch-target-enforcement' attribute: yes
declare void @enforced() "branch-target-enforcement"="yes"
;;; invalid value for 'denormal-fp-math' attribute: some
declare void @denormal() "denormal-fp-math"="some"
;;; modular-format attribute requires at least 5 arguments
declare void @format() "modular-format"="a,b"
;;; modular-format attribute first arg index is not an integer
declare void @format(ptr) "modular-format"="printf,1,x,i,n"
;;; modular-format attribute first arg index is out of bounds
declare void @format(ptr) "modular-format"="printf,1,9,i,n"
;;; cannot use argument of naked function
define i32 @naked(i32 %x) naked {
  ret i32 %x
}
;;; Calling convention requires void return type
declare amdgpu_kernel i32 @kernel()
;;; Calling convention does not allow sret
declare amdgpu_kernel void @kernel_sret(ptr sret(i32))
;;; Calling convention disallows byval
declare amdgpu_kernel void @kernel_byval(ptr byval(i32))
;;; Calling convention disallows inalloca
declare amdgpu_kernel void @kernel_inalloca(ptr inalloca(i32))
;;; Calling convention disallows stack byref
declare amdgpu_kernel void @kernel_byref(ptr byref(i32))
;;; Calling convention does not support varargs or perfect forwarding!
declare fastcc void @fast(...)
;;; Calling convention parameter requires byval
declare x86_intrcc void @interrupt(ptr)
;;; Attribute 'immarg' is incompatible with other attributes except the 'range' attribute
declare void @llvm.test.immarg.intrinsic.i32(i32 immarg inreg)
;;; function declaration may not have a !prof attachment
declare !prof !0 void @counted()
!0 = !{!"function_entry_count", i64 1}
;;; !prof annotations should have no less than 2 operands
define void @counted() !prof !0 {
  ret void
}
!0 = !{!"function_entry_count"}
;;; first operand should be 'function_entry_count' or 'synthetic_function_entry_count'
define void @counted() !prof !0 {
  ret void
}
!0 = !{!"entry_count", i64 1}
;;; expected integer argument to function_entry_count
define void @counted() !prof !0 {
  ret void
}
!0 = !{!"function_entry_count", !"1"}
;;; expected string with name of the !prof annotation
define void @counted() !prof !0 {
  ret void
}
!0 = !{i64 1, i64 1}
;;; !kcfi_type must have exactly one operand
define void @typed() !kcfi_type !0 {
  ret void
}
!0 = !{i32 1, i32 2}
;;; expected a 32-bit integer constant operand for !kcfi_type
define void @typed() !kcfi_type !0 {
  ret void
}
!0 = !{i64 1}
;;; expected a constant operand for !kcfi_type
define void @typed() !kcfi_type !0 {
  ret void
}
!0 = !{!"x"}
;;; 'unknown' !prof should have a single additional operand
define void @counted() !prof !0 {
  ret void
}
!0 = !{!"unknown", !"pass", !"more"}
;;; the 'unknown' !prof operand should not be an empty string
define void @counted() !prof !0 {
  ret void
}
!0 = !{!"unknown", !""}
;;; target feature 'x87' must start with a '+' or '-'
declare void @featured() "target-features"="+a,x87"
;;; target-features attribute should not contain an empty string
declare void @featured() "target-features"="+a,,-b"
;;; invalid name for a VFABI variant: _ZGV_LLVM_N4v_lanes(vector)
declare i64 @lanes() "vector-function-abi-variant"="_ZGV_LLVM_N4v_lanes(vector)"
;;; invalid name for a VFABI variant: _ZGV_LLVM_N4v_without_vector_name
declare void @a(i8) "vector-function-abi-variant"="_ZGV_LLVM_N4v_without_vector_name"
declare void @b(i8) "vector-function-abi-variant"="_ZGV_LLVM_N4v_with_one(x)"
declare void @c(i8) "vector-function-abi-variant"="_ZGVnN4v_without_vector_name"
declare void @d(i8) "vector-function-abi-variant"="_ZGVnN0v_d"
declare void @e(i8) "vector-function-abi-variant"="_ZGVnN4294967296v_e"
declare void @f(i8) "vector-function-abi-variant"="_ZGVzM4294967295v_f(),y)"
declare void @g(i8) "vector-function-abi-variant"="_ZGVnN2_g"
declare void @h(i8) "vector-function-abi-variant"=""
;;; invalid name for a VFABI variant: _ZGVnNxv_a
declare void @a(i8) "vector-function-abi-variant"="_ZGVnNxv_a"
declare void @b(i8) "vector-function-abi-variant"="_ZGVsMxv_b"
declare void @c(i128) "vector-function-abi-variant"="_ZGVsMxv_c"
declare void @d(i128) "vector-function-abi-variant"="_ZGVsMxu_d"
declare bfloat @e(i128) "vector-function-abi-variant"="_ZGVrMxu_e"
declare {double, ptr} @f() "vector-function-abi-variant"="_ZGVrMx_f"
declare {double, ptr} @g(i1) "vector-function-abi-variant"="_ZGVrMxl_g"
declare <{double, ptr}> @h(i32) "vector-function-abi-variant"="_ZGVrMxv_h"
declare {} @i(i32) "vector-function-abi-variant"="_ZGVrMxv_i"
declare fp128 @j(i32) "vector-function-abi-variant"="_ZGVrMxv_j"
;;; invalid name for a VFABI variant: _ZGVnN2la3_a
declare void @a(ptr) "vector-function-abi-variant"="_ZGVnN2la3_a"
declare void @b(ptr) "vector-function-abi-variant"="_ZGVnN2ln-18a9223372036854775808_b"
declare void @c(ptr) "vector-function-abi-variant"="_ZGVnN2ls_c"
declare void @d(ptr) "vector-function-abi-variant"="_ZGVnN2ls2147483647_d"
declare void @e(ptr) "vector-function-abi-variant"="_ZGVnN2ls2147483648_e"
declare void @f(ptr) "vector-function-abi-variant"="_ZGVnN2Us-2147483648_f"
declare void @g(ptr) "vector-function-abi-variant"="_ZGVnN2U18446744073709551615_g"
declare void @h(ptr) "vector-function-abi-variant"="_ZGVnN2U18446744073709551616_h"
declare void @i(ptr) "vector-function-abi-variant"="_ZGVnN2L-9223372036854775809_i"
declare void @j(ptr, ptr) "vector-function-abi-variant"="_ZGVnN2RnR5a08v_j"
;;; invalid value for 'guarded-control-stack' attribute: yes
declare void @order(ptr) "denormal-fp-math"="some" "vector-function-abi-variant"="x" "guarded-control-stack"="yes" "patchable-function-prefix"="x" "frame-pointer"="x" "modular-format"="a" "target-features"="x"
;;; "patchable-function-entry" takes an unsigned integer: -1
declare void @order() "patchable-function-entry"="-1" "patchable-function-entry-section"="" "warn-stack-size"="x"
;;; target feature 'a' must start with a '+' or '-'
declare void @order() "target-features"="+x,a,,b"
