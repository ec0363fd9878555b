; ModuleID = 'llvm-link'
source_filename = "llvm-link"
target triple = "x86_64-unknown-linux-gnu"

%P = type { i32, ptr }
%P.0 = type { double, ptr }

define void @f() {
  %p = alloca %P, align 8
  %c = bitcast ptr %p to ptr
  call void @llvm.lifetime.start.p0(ptr %p)
  call void @use(ptr %p)
  call void @llvm.lifetime.end.p0(ptr %p)
  ret void
}

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
declare void @llvm.lifetime.start.p0(ptr captures(none)) #0

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
declare void @llvm.lifetime.end.p0(ptr captures(none)) #0

define void @g() {
  %p = alloca %P, align 8
  %c = bitcast ptr %p to ptr
  call void @llvm.lifetime.start.p0(ptr %p)
  call void @use(ptr %p)
  call void @llvm.lifetime.end.p0(ptr %p)
  call void @f()
  ret void
}

define void @use(ptr %p) {
  %n = alloca i8, align 1
  call void @llvm.lifetime.start.p0(ptr %n)
  %c = bitcast ptr %p to ptr
  %s = call i64 @llvm.objectsize.i64.p0(ptr %c, i1 false, i1 true, i1 false)
  ret void
}

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare i64 @llvm.objectsize.i64.p0(ptr, i1 immarg, i1 immarg, i1 immarg) #1

define void @h() {
  %n = alloca i8, align 1
  call void @llvm.lifetime.start.p0(ptr %n)
  ret void
}

define ptr @own(ptr %p) {
  %q = alloca %P.0, align 8
  ret ptr %q
}

attributes #0 = { nocallback nofree nosync nounwind willreturn memory(argmem: readwrite) }
attributes #1 = { nocallback nofree nosync nounwind speculatable willreturn memory(none) }
