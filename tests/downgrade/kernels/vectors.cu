#include "device.h"
typedef float float4 __attribute__((ext_vector_type(4)));
typedef float float3 __attribute__((ext_vector_type(3)));
typedef int int2 __attribute__((ext_vector_type(2)));
typedef unsigned char uchar16 __attribute__((ext_vector_type(16)));
typedef double double2 __attribute__((ext_vector_type(2)));
__global__ void lanes(float4 *a, float3 *b, int2 *c, double2 d) {
  a[THREAD] = a[THREAD].wzyx * 2 + a[THREAD + 1];
  b[THREAD] = b[THREAD] / b[THREAD + 1];
  c[THREAD] = c[THREAD] > c[THREAD + 1] ? c[THREAD] : -c[THREAD + 1];
  a[THREAD].x += d.y;
}
__global__ void bytes(uchar16 *a, uchar16 b, float4 *c) {
  a[THREAD] = (a[THREAD] + b) >> (unsigned char)1;
  c[THREAD] = __builtin_convertvector(__builtin_shufflevector(a[THREAD], b, 0, 5, 17, 20), float4);
}
