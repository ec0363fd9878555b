#include "device.h"
__global__ void saxpy(int count, float a, const float *x, float *y) {
  for (int i = INDEX; i < count; i += BLOCK_SIZE * 64) y[i] = a * x[i] + y[i];
}
__global__ void daxpy(int count, double a, const double *__restrict__ x, double *__restrict__ y) {
  int i = INDEX;
  if (i < count) y[i] = a * x[i] + y[i];
}
