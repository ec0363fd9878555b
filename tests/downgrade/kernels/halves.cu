#include "device.h"
typedef _Float16 half2 __attribute__((ext_vector_type(2)));
typedef _Float16 half4 __attribute__((ext_vector_type(4)));
struct Pair { _Float16 first, second; };
__constant__ _Float16 table[4] = {1.5, -2.25, 0.1, 65504};
__device__ _Float16 scale = 3;
__device__ __attribute__((noinline)) _Float16 twice(_Float16 x) { return x + x; }
__global__ void arithmetic(_Float16 *a, const _Float16 *b, int n) {
  int i = THREAD;
  _Float16 x = a[i], y = b[i];
  for (int k = 0; k < n; ++k) x = (x + y) * y - table[k & 3] / (y + scale);
  a[i] = x < y ? -x : twice(x);
}
__global__ void vectors(half2 *a, half4 *b, half2 c) {
  a[THREAD] = a[THREAD] * c + a[THREAD + 1];
  b[THREAD] = b[THREAD] - b[THREAD + 1].wzyx;
}
__global__ void converted(_Float16 *a, float *b, double *c, int *d, uint *e, short *bits) {
  int i = THREAD;
  b[i] = a[i], c[i] = a[i + 1], d[i] = (int)a[i + 2], e[i] = (uint)a[i + 3];
  a[i] = (_Float16)b[i + 1], a[i + 1] = (_Float16)c[i + 1], a[i + 2] = (_Float16)d[i + 1], a[i + 3] = (_Float16)e[i + 1];
  bits[i] = __builtin_bit_cast(short, a[i]);
}
__global__ void passed(Pair pair, Pair *out, _Float16 x) {
  out[THREAD] = pair.first > x ? pair : Pair{x, pair.second};
  out[THREAD].second = __builtin_fmaf16(x, x, pair.first) + __builtin_sqrtf16(x) + __builtin_fabsf16(x);
}
__global__ void brains(__bf16 *a, float *b) {
  int i = THREAD;
  __bf16 x = a[i];
  b[i] = (float)x * 2;
  a[i] = (__bf16)(b[i + 1] + (float)a[i + 1]);
}
