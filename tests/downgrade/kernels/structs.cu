#include "device.h"
struct Vector { float x, y, z; };
struct __attribute__((packed)) Packed { char tag; int value; short more[3]; };
struct alignas(16) Aligned { double values[3]; };
union Either { float f; int i; char bytes[8]; };
struct Nested { Vector position; Aligned aligned; Either either; Nested *next; };
__device__ Vector add(Vector a, Vector b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
__device__ __attribute__((noinline)) Vector cross(Vector a, Vector b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
__global__ void moved(Vector *v, Vector by) { v[THREAD] = add(v[THREAD], cross(v[THREAD], by)); }
__global__ void by_value(Nested nested, Packed packed, Aligned aligned, Either either, int *out) {
  out[THREAD] = nested.either.i + packed.value + packed.more[1] + (int)aligned.values[2] + either.bytes[3];
}
__global__ void linked(Nested *list, float *sum) {
  float total = 0;
  for (; list; list = list->next) total += list->position.x * list->either.f;
  *sum = total;
}
__global__ void no_parameters() {}
