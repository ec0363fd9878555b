// Rust without its core library: what the compiler itself emits for kernels.
#![feature(no_core, lang_items, abi_ptx, intrinsics, rustc_attrs, asm_experimental_arch, link_llvm_intrinsics, arbitrary_self_types, auto_traits, negative_impls)]
#![no_core]
#![crate_type = "lib"]
#![allow(internal_features, dead_code, non_camel_case_types, improper_ctypes, improper_ctypes_definitions)]

#[lang = "pointee_sized"] pub trait PointeeSized {}
#[lang = "meta_sized"] pub trait MetaSized: PointeeSized {}
#[lang = "sized"] pub trait Sized: MetaSized {}
#[lang = "legacy_receiver"] pub trait LegacyReceiver {}
impl<T: PointeeSized> LegacyReceiver for &T {}
#[lang = "copy"] pub trait Copy {}
impl Copy for i32 {} impl Copy for u32 {} impl Copy for f32 {} impl Copy for f64 {} impl Copy for u64 {} impl Copy for bool {} impl Copy for usize {}
impl<T: PointeeSized> Copy for *mut T {} impl<T: PointeeSized> Copy for *const T {} impl<T: PointeeSized> Copy for &T {}
#[lang = "freeze"] unsafe auto trait Freeze {}
#[lang = "destruct"] pub trait Destruct {}
#[lang = "drop_in_place"] unsafe fn drop_in_place<T: PointeeSized>(_: *mut T) {}

#[lang = "add"] pub trait Add<R = Self> { type Output; fn add(self, other: R) -> Self::Output; }
#[lang = "sub"] pub trait Sub<R = Self> { type Output; fn sub(self, other: R) -> Self::Output; }
#[lang = "mul"] pub trait Mul<R = Self> { type Output; fn mul(self, other: R) -> Self::Output; }
#[lang = "eq"] pub trait PartialEq<R: PointeeSized = Self>: PointeeSized { fn eq(&self, other: &R) -> bool; fn ne(&self, other: &R) -> bool; }
#[lang = "partial_ord"] pub trait PartialOrd<R: PointeeSized = Self>: PartialEq<R> { fn lt(&self, other: &R) -> bool; fn le(&self, other: &R) -> bool; fn gt(&self, other: &R) -> bool; fn ge(&self, other: &R) -> bool; }
macro_rules! numbers { ($($t:ty)*) => { $(
    impl Add for $t { type Output = $t; fn add(self, other: $t) -> $t { self + other } }
    impl Sub for $t { type Output = $t; fn sub(self, other: $t) -> $t { self - other } }
    impl Mul for $t { type Output = $t; fn mul(self, other: $t) -> $t { self * other } }
    impl PartialEq for $t { fn eq(&self, other: &$t) -> bool { *self == *other } fn ne(&self, other: &$t) -> bool { *self != *other } }
    impl PartialOrd for $t { fn lt(&self, other: &$t) -> bool { *self < *other } fn le(&self, other: &$t) -> bool { *self <= *other } fn gt(&self, other: &$t) -> bool { *self > *other } fn ge(&self, other: &$t) -> bool { *self >= *other } }
)* } }
numbers! { i32 u32 f32 f64 u64 usize }


#[rustc_intrinsic] pub const unsafe fn offset<P, D>(pointer: P, by: D) -> P;
extern "C" {
    #[link_name = "llvm.nvvm.read.ptx.sreg.tid.x"] fn thread() -> u32;
    #[link_name = "llvm.nvvm.read.ptx.sreg.ntid.x"] fn block_size() -> u32;
    #[link_name = "llvm.nvvm.barrier0"] fn barrier();
}

#[repr(C)] pub struct Point { x: f32, y: f32, tag: u32 }
impl Copy for Point {}
pub trait Shape { fn area(&self) -> f32; }
pub struct Square(f32);
impl Shape for Square { #[inline(never)] fn area(&self) -> f32 { self.0 * self.0 } }

#[no_mangle] pub unsafe extern "ptx-kernel" fn scale(values: *mut f32, by: f32, count: u32) {
    let mut i = thread();
    while i < count {
        let place = offset(values, i as usize);
        *place = *place * by;
        i = i + block_size();
    }
}
#[no_mangle] pub unsafe extern "ptx-kernel" fn points(points: *mut Point, by: Point, sums: *mut f64) {
    let place = offset(points, thread() as usize);
    let old = *place;
    *place = Point { x: old.x + by.x, y: old.y * by.y, tag: old.tag - by.tag };
    barrier();
    *offset(sums, thread() as usize) = (old.x as f64) * (old.y as f64);
}
#[inline(never)] fn ackermann(m: u64, n: u64) -> u64 { if m == 0 { n + 1 } else if n == 0 { ackermann(m - 1, 1) } else { ackermann(m - 1, ackermann(m, n - 1)) } }
#[no_mangle] pub unsafe extern "ptx-kernel" fn recursive(a: *const u64, b: *const u64, out: *mut u64) {
    let i = thread() as usize;
    *offset(out, i) = ackermann(*offset(a, i), *offset(b, i));
}
pub enum Choice { None, Whole(i32), Real(f32) }
#[inline(never)] fn value(choice: &Choice) -> f32 { match choice { Choice::None => 0.0, Choice::Whole(n) => *n as f32, Choice::Real(x) => *x } }
#[no_mangle] pub unsafe extern "ptx-kernel" fn choices(out: *mut f32, n: i32) {
    let choice = if n == 0 { Choice::None } else if n < 5 { Choice::Whole(n) } else { Choice::Real(1.5) };
    *offset(out, thread() as usize) = value(&choice) + Square(2.0).area();
}
#[no_mangle] pub extern "C" fn device_sum(a: u32, b: u64, wide: u64) -> u64 { (a as u64) + b * wide }
