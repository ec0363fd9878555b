#include "device.h"
__global__ void count(uint *a, ulong *b, unsigned short *c) {
  int t = THREAD;
  a[t] = __builtin_popcount(a[t]) + __builtin_clz(a[t] | 1) + __builtin_ctz(a[t] | 8) + __builtin_bitreverse32(a[t]);
  b[t] = __builtin_popcountl(b[t]) + __builtin_clzl(b[t] | 1) + __builtin_bswap64(b[t]) + __builtin_bitreverse64(b[t]);
  c[t] = __builtin_bswap16(c[t]) + __builtin_bitreverse16(c[t]);
}
__global__ void overflows(int *a, uint *b, long *c, signed char *d, __int128 *e) {
  int t = THREAD;
  int flags = __builtin_add_overflow(a[t], 5, &a[t]) | __builtin_mul_overflow(a[t], 7, &a[t]) << 1;
  flags |= __builtin_sub_overflow(b[t], 9u, &b[t]) << 2 | __builtin_mul_overflow(c[t], 11l, &c[t]) << 3;
  flags |= __builtin_add_overflow(d[t], d[t + 1], &d[t]) << 4 | __builtin_mul_overflow(d[t], d[t + 2], &d[t]) << 5;
  flags |= __builtin_add_overflow(e[t], e[t + 1], &e[t]) << 6 | __builtin_sub_overflow(e[t], e[t + 2], &e[t]) << 7;
  a[t] += flags;
}
__global__ void wide(__int128 *a, unsigned __int128 *b) {
  a[THREAD] = a[THREAD] * a[THREAD + 1] + (__int128)(b[THREAD] >> 77);
  b[THREAD] = b[THREAD] / 10 - b[THREAD + 1] % 1000;
}
