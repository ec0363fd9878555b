#include "device.h"
extern "C" __device__ int vprintf(const char *, const char *);
extern "C" __device__ int printf(const char *, ...);
extern "C" __device__ void *malloc(ulong);
extern "C" __device__ void free(void *);
extern "C" __device__ void __assertfail(const char *, const char *, uint, const char *, ulong) __attribute__((noreturn));
__global__ void prints(int n, double x) {
  printf("thread %d of %d: %f\n", THREAD, n, x);
  int arguments[1] = {n};
  vprintf("again %d\n", (const char *)arguments);
}
__global__ void allocates(int n, int *out) {
  int *room = (int *)malloc(n * sizeof(int));
  if (!room) __assertfail("room", "printing.cu", 16, "allocates", 1);
  for (int i = 0; i < n; ++i) room[i] = i;
  *out = room[n / 2];
  free(room);
}
__global__ void traps(int *a) {
  if (*a > 3) __builtin_trap();
  if (*a > 2) __builtin_unreachable();
  __builtin_assume(*a != 0);
  __nvvm_nanosleep(8);
}
