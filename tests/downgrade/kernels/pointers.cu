#include "device.h"
typedef float (*Operation)(float, float);
__device__ float plus(float a, float b) { return a + b; }
__device__ float minus(float a, float b) { return a - b; }
__device__ Operation operations[2] = {plus, minus};
__device__ int values[4] = {1, 2, 3, 4};
__device__ int *middle = &values[2];
static __device__ const char *const names[] = {"first", "second", "third"};
__global__ void indirect(float *a, int which, Operation given) {
  a[THREAD] = operations[which & 1](a[THREAD], 2) + given(a[THREAD], 3);
}
__global__ void texts(const char **out, int *lengths) {
  const char *name = names[THREAD % 3];
  int n = 0;
  while (name[n]) ++n;
  out[THREAD] = name, lengths[THREAD] = n + *middle;
}
struct Shape {
  __device__ virtual float area() const = 0;
};
struct Square : Shape {
  float side;
  __device__ Square(float side) : side(side) {}
  __device__ float area() const override { return side * side; }
};
struct Circle : Shape {
  float radius;
  __device__ Circle(float radius) : radius(radius) {}
  __device__ float area() const override { return 3.14159f * radius * radius; }
};
__global__ void virtuals(float *a, int which) {
  Square square(a[0]);
  Circle circle(a[1]);
  const Shape *shape = which ? (const Shape *)&square : &circle;
  a[2] = shape->area();
}
