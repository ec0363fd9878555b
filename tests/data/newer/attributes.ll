; Attributes that LLVM 23 added, or gave a value.
target datalayout = "e-m:e-i64:64-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"
declare void @a() denormal_fpenv(preservesign)
declare void @b() denormal_fpenv(dynamic|positivezero, float: preservesign|ieee)
declare void @c() flatten nooutline noipa
declare ptr @d(ptr dead_on_return(8), ptr dead_on_return, ptr dead_on_return dead_on_unwind align 4)
declare void @a2() denormal_fpenv(ieee)
declare void @a3() denormal_fpenv(ieee|preservesign) mustprogress nounwind
declare void @a4() denormal_fpenv(float: preservesign) 
