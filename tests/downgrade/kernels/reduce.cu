#include "device.h"
__shared__ float partial[256];
__global__ void __launch_bounds__(256, 2) reduce(const float *in, float *out, int count) {
  int t = THREAD;
  float sum = 0;
  for (int i = INDEX; i < count; i += 256 * 32) sum += in[i];
  partial[t] = sum;
  __syncthreads();
  for (int width = 128; width; width >>= 1) {
    if (t < width) partial[t] += partial[t + width];
    __syncthreads();
  }
  if (!t) out[BLOCK] = partial[0];
}
__global__ void scan(uint *data) {
  __shared__ uint tile[2][128];
  int t = THREAD, from = 0;
  tile[0][t] = data[t];
  __syncthreads();
  for (int step = 1; step < 128; step *= 2) {
    tile[!from][t] = tile[from][t] + (t >= step ? tile[from][t - step] : 0);
    from = !from;
    __syncthreads();
  }
  data[t] = tile[from][t];
}
