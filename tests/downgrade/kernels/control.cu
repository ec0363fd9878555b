#include "device.h"
__device__ int fibonacci(int n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }
__device__ __attribute__((noinline)) int is_odd(uint n);
__device__ __attribute__((noinline)) int is_even(uint n) { return n ? is_odd(n - 1) : 1; }
__device__ int is_odd(uint n) { return n ? is_even(n - 1) : 0; }
__global__ void recursion(int *a) { a[THREAD] = fibonacci(a[THREAD]) + is_even(a[THREAD]); }
__global__ void choices(int *a) {
  int x = a[THREAD];
  switch (x) {
    case 1: x = 10; break;
    case 2: x += 7; [[fallthrough]];
    case 3: x *= 3; break;
    case 100: case 101: case 102: x = -x; break;
    default: x ^= 0x55;
  }
  for (int i = 0; i < x; ++i) {
    if (a[i] == 5) continue;
    if (a[i] < 0) goto end;
    do x -= a[i]; while (x > 100 && a[i]);
  }
end:
  a[THREAD] = x;
}
__global__ void variable(int n, int *out) {
  int *array = (int *)__builtin_alloca(n * sizeof(int));
  for (int i = 0; i < n; ++i) array[i] = i * n;
  out[THREAD] = array[out[THREAD] % n];
}
__global__ void collatz(ulong *a, int *steps) {
  ulong n = a[THREAD];
  int count = 0;
  while (n > 1) n = n & 1 ? 3 * n + 1 : n / 2, ++count;
  steps[THREAD] = count;
}
