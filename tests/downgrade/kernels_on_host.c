// What lowerings for libNVVM must not change, run on the host: both programs print the same.
#include <stdint.h>
#include <stdio.h>
#include <string.h>

typedef _Float16 half;
typedef unsigned _BitInt(24) u24;
typedef _BitInt(24) s24;
typedef unsigned __int128 u128;
typedef __int128 s128;

static uint64_t hash = 1469598103934665603u;
static void note(const void *data, int size) {
  for (int i = 0; i < size; ++i) hash = (hash ^ ((const unsigned char *)data)[i]) * 1099511628211u;
}
#define NOTE(...) (__extension__({ __typeof__(__VA_ARGS__) noted = (__VA_ARGS__); note(&noted, sizeof noted); }))
static void report(const char *name) { printf("%s %016llx\n", name, (unsigned long long)hash); }

static uint64_t state = 88172645463325252u;
static uint64_t next(void) { return state ^= state << 13, state ^= state >> 7, state ^= state << 17; }

static half half_of(uint16_t bits) { half x; memcpy(&x, &bits, 2); return x; }
static __bf16 brain_of(uint16_t bits) { __bf16 x; memcpy(&x, &bits, 2); return x; }

// What the compiler calls on the host: the nearest of the two numbers around, the even one of two that are as near.
__bf16 __truncdfbf2(double x) {
  uint64_t bits;
  memcpy(&bits, &x, 8);
  uint16_t sign = bits >> 48 & 0x8000, low = 0, high = 0x7f80;
  long double wanted = x < 0 ? -(long double)x : x;
  if (x != x) return brain_of(sign | 0x7fc0);
  while (high - low > 1) {
    uint16_t middle = (low + high) / 2;
    uint32_t wide = (uint32_t)middle << 16;
    float f;
    memcpy(&f, &wide, 4);
    if (f <= wanted) low = middle; else high = middle;
  }
  uint32_t ends[2] = {(uint32_t)low << 16, (uint32_t)high << 16};
  float f[2];
  memcpy(f, ends, 8);
  // Beyond the largest number, the next one would be 2**128.
  long double above = high == 0x7f80 ? 0x1p128L : f[1], down = wanted - f[0], up = above - wanted;
  return brain_of(sign | (down < up || (down == up && !(low & 1)) ? low : high));
}
__bf16 __truncsfbf2(float x) { return __truncdfbf2(x); }

// The sign and the payload of a result that is not a number are left open.
static void note_half(half x) { uint16_t bits; memcpy(&bits, &x, 2); if (x != x) bits = 0x7e00; note(&bits, 2); }
static void note_brain(__bf16 x) { uint16_t bits; memcpy(&bits, &x, 2); if ((float)x != (float)x) bits = 0x7fc0; note(&bits, 2); }

__attribute__((noinline)) static void halves(half a, half b) {
  note_half(a + b), note_half(a - b), note_half(a * b), note_half(a / b), note_half(-a);
  NOTE((a < b) + 2 * (a == b) + 4 * (a >= b) + 8 * (a != b));
  note_half(__builtin_sqrtf16(a)), note_half(__builtin_fabsf16(a)), note_half(__builtin_copysignf16(a, b));
  note_half(__builtin_floorf16(a)), note_half(__builtin_rintf16(a)), note_half(__builtin_truncf16(a));
  if (a == a && a > -60000 && a < 60000) NOTE((int)a), NOTE((long)a);
  float f = a;
  double d = a;
  if (f == f) NOTE(f), NOTE(d);
}
__attribute__((noinline)) static void to_halves(float f, double d, int i, unsigned long u) {
  note_half((half)f), note_half((half)d), note_half((half)i), note_half((half)u);
}
__attribute__((noinline)) static void to_brains(float f, double d) { note_brain((__bf16)f), note_brain((__bf16)d); }
__attribute__((noinline)) static void brains(__bf16 a, __bf16 b) {
  note_brain(a + b), note_brain(a * b), note_brain(a - b), note_brain(-a);
  NOTE((a < b) + 2 * (a == b));
}
__attribute__((noinline)) static void rounded(float f, double d) {
  if (f == f) NOTE(__builtin_roundf(f)), NOTE(__builtin_fabsf(f)), NOTE(__builtin_copysignf(f, (float)d));
  if (d == d) NOTE(__builtin_round(d)), NOTE(__builtin_fabs(d)), NOTE(__builtin_copysign(d, f));
}
__attribute__((noinline)) static void counted(u24 a, u128 b) {
  NOTE(__builtin_popcountg(a)), NOTE(__builtin_clzg(a, 24)), NOTE(__builtin_ctzg(a, 24));
  NOTE(__builtin_popcountg(b)), NOTE(__builtin_clzg(b, 128)), NOTE(__builtin_ctzg(b, 128));
}
__attribute__((noinline)) static void overflows(int8_t a, int8_t b, uint8_t c, uint8_t d, s128 e, s128 f) {
  int8_t s;
  uint8_t u;
  s128 w;
  u128 x;
  NOTE(__builtin_add_overflow(a, b, &s)), NOTE(s), NOTE(__builtin_sub_overflow(a, b, &s)), NOTE(s);
  NOTE(__builtin_mul_overflow(a, b, &s)), NOTE(s), NOTE(__builtin_add_overflow(c, d, &u)), NOTE(u);
  NOTE(__builtin_sub_overflow(c, d, &u)), NOTE(u), NOTE(__builtin_mul_overflow(c, d, &u)), NOTE(u);
  NOTE(__builtin_add_overflow(e, f, &w)), NOTE(w), NOTE(__builtin_sub_overflow(e, f, &w)), NOTE(w);
  NOTE(__builtin_add_overflow((u128)e, (u128)f, &x)), NOTE(x), NOTE(__builtin_sub_overflow((u128)e, (u128)f, &x)), NOTE(x);
}

int main(void) {
  for (int i = 0; i < 65536; ++i) halves(half_of(i), half_of(next())), brains(brain_of(i), brain_of(next()));
  report("16 bits");
  for (int i = 0; i < 200000; ++i) {
    uint64_t a = next(), b = next();
    // Every second number is near those of 16 bits, where rounding is to the even one.
    if (i & 1) a &= 0xfffe000fffffe000u | (i & 6 ? 0xfff : 0), b = (b & 0x807fffffe0000000u) | 0x3f00000000000000u | (b & 3);
    float f;
    double d;
    memcpy(&f, &a, 4), memcpy(&d, &b, 8);
    to_halves(f, d, (int)a >> (b & 31), b >> (a & 63)), to_brains(f, d);
  }
  report("conversions");
  for (int i = 0; i < 50000; ++i) {
    uint64_t a = next();
    float f;
    double d;
    a = i & 1 ? a : (a & 0x803fffff803fffffu) | 0x4000000040000000u;
    memcpy(&f, &a, 4), memcpy(&d, &a, 8);
    rounded(f, d), rounded((float)(int)(a % 64) / 2 - 16, (double)(int)(a % 128) / 2 - 32);
  }
  report("rounding");
  for (int i = 0; i < 20000; ++i) counted((u24)(next() >> (i & 31)), ((u128)next() << 64 | next()) >> i % 129 % 128), counted(0, 0);
  report("bits");
  for (int i = 0; i < 65536; ++i) {
    s128 e = (s128)((u128)next() << 64 | next()), f = (s128)((u128)next() << 64 | next());
    overflows((int8_t)i, (int8_t)(i >> 8), (uint8_t)i, (uint8_t)(i >> 8), i & 1 ? e : e >> 64, f >> (i & 7));
  }
  report("overflow");
  return 0;
}
