// Matrices that a warp multiplies.
#include "device.h"
__global__ void floats(const int *a, const int *b, float *c) {
  int left[8], right[8];
  float added[8], sum[8];
  __hmma_m16n16k16_ld_a(left, a, 16, 0);
  __hmma_m16n16k16_ld_b(right, b, 16, 1);
  __hmma_m16n16k16_ld_c_f32(added, c, 16, 0);
  __hmma_m16n16k16_mma_f32f32(sum, left, right, added, 1, 0);
  __hmma_m16n16k16_st_c_f32(c, sum, 16, 0);
}
__global__ void halves(const int *a, const int *b, int *c) {
  int left[8], right[8], added[8], sum[8];
  __hmma_m32n8k16_ld_a(left, a, 16, 0);
  __hmma_m32n8k16_ld_b(right, b, 16, 0);
  __hmma_m32n8k16_ld_c_f16(added, c, 16, 0);
  __hmma_m32n8k16_mma_f16f16(sum, left, right, added, 0, 0);
  __hmma_m32n8k16_st_c_f16(c, sum, 16, 0);
}
