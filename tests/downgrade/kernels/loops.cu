// Atomic operations that PTX has no instruction for.
#include "device.h"
typedef unsigned char uchar;
typedef unsigned short ushort;
__global__ void bytes(uchar *a, signed char *b) {
  int i = INDEX;
  a[i] = __atomic_fetch_add(&a[i + 1], 3, __ATOMIC_RELAXED);
  a[3] = __atomic_exchange_n(a, 1, __ATOMIC_RELEASE);
  b[i] = __atomic_fetch_max(b, 5, __ATOMIC_SEQ_CST);
  uchar expected = 1;
  a[1] = __atomic_compare_exchange_n(a, &expected, 2, 0, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED);
  a[2] = expected;
}
__global__ void nand(uint *a, ulong *b, ushort *c) {
  a[INDEX] = __atomic_fetch_nand(a, 3, __ATOMIC_RELAXED);
  b[INDEX] = __atomic_fetch_nand(b, 5, __ATOMIC_SEQ_CST);
  c[INDEX] = __atomic_nand_fetch(c, 5, __ATOMIC_ACQ_REL);
}
__global__ void floats(float *a, double *b) {
  a[INDEX] = __atomic_fetch_max(a, 3.f, __ATOMIC_RELAXED);
  b[INDEX] = __atomic_fetch_sub(b, 1.5, __ATOMIC_SEQ_CST);
}
