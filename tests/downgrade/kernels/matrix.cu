#include "device.h"
__constant__ float filter[9] = {1, 2, 1, 2, 4, 2, 1, 2, 1};
extern __shared__ float dynamic[];
__global__ void multiply(const float (*a)[16], const float (*b)[16], float (*c)[16]) {
  int row = THREAD / 16, column = THREAD % 16;
  float sum = 0;
  for (int k = 0; k < 16; ++k) sum += a[row][k] * b[k][column];
  c[row][column] = sum;
}
__global__ void blur(const unsigned char *in, unsigned char *out, int width) {
  int x = THREAD + 1, y = BLOCK + 1;
  float sum = 0;
  for (int dy = -1; dy <= 1; ++dy)
    for (int dx = -1; dx <= 1; ++dx) sum += filter[(dy + 1) * 3 + dx + 1] * in[(y + dy) * width + x + dx];
  out[y * width + x] = (unsigned char)(sum / 16);
}
__global__ void transpose(const float *in, float *out, int width) {
  int t = THREAD;
  dynamic[t] = in[t];
  __syncthreads();
  out[(t % width) * width + t / width] = dynamic[t];
}
