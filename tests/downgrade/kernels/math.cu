#include "device.h"
__global__ void rounding(const double *x, double *y, const float *a, float *b) {
  int i = THREAD;
  y[i] = __builtin_floor(x[i]) + __builtin_ceil(x[i]) * __builtin_trunc(x[i]) - __builtin_rint(x[i]);
  y[i] += __builtin_fabs(x[i]) + __builtin_copysign(x[i], y[i]) + __builtin_round(x[i]) + __builtin_sqrt(x[i]);
  b[i] = __builtin_floorf(a[i]) + __builtin_ceilf(a[i]) * __builtin_truncf(a[i]) - __builtin_nearbyintf(a[i]);
  b[i] += __builtin_fabsf(a[i]) + __builtin_copysignf(a[i], b[i]) + __builtin_roundf(a[i]) + __builtin_sqrtf(a[i]);
}
__global__ void bounds(float *a, const float *b, double *c, const double *d) {
  int i = THREAD;
  a[i] = __builtin_fmaf(a[i], b[i], __builtin_fminf(a[i], b[i])) + __builtin_fmaxf(a[i], 0.5f);
  c[i] = __builtin_fma(c[i], d[i], __builtin_fmin(c[i], d[i])) + __builtin_fmax(c[i], 0.5);
}
__global__ void approximations(float *a) {
  float x = a[THREAD];
  x = __nvvm_sin_approx_f(x) + __nvvm_cos_approx_f(x) * __nvvm_ex2_approx_f(x) - __nvvm_lg2_approx_f(x);
  a[THREAD] = x + __nvvm_rcp_approx_ftz_d(x) + __nvvm_rsqrt_approx_f(x) + __nvvm_div_approx_f(x, 3) + __nvvm_fma_rz_f(x, x, x);
}
extern "C" __device__ float __nv_sinf(float);
extern "C" __device__ double __nv_pow(double, double);
__global__ void library(float *a, double *b) {
  a[THREAD] = __nv_sinf(a[THREAD]);
  b[THREAD] = __nv_pow(b[THREAD], 1.5);
}
__global__ void conversions(const float *f, int *i, uint *u, long *l, double *d, short *s) {
  int t = THREAD;
  i[t] = (int)f[t], u[t] = (uint)f[t], l[t] = (long)d[t], d[t] = (double)u[t] + (double)l[t] + f[t], s[t] = (short)f[t];
}
