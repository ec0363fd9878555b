#include "device.h"
template <typename T, int N> struct Array {
  T data[N];
  __device__ T &operator[](int i) { return data[i]; }
};
template <typename T> __device__ void swap(T &a, T &b) { T c = a; a = b; b = c; }
template <typename T, int N> __global__ void sort(Array<T, N> *arrays) {
  Array<T, N> &a = arrays[THREAD];
  for (int i = 1; i < N; ++i)
    for (int j = i; j && a[j] < a[j - 1]; --j) swap(a[j], a[j - 1]);
}
template __global__ void sort<int, 8>(Array<int, 8> *);
template __global__ void sort<double, 4>(Array<double, 4> *);
template <typename F> __global__ void apply(F function, float *a) { a[THREAD] = function(a[THREAD]); }
struct Scale {
  float by;
  __device__ float operator()(float x) const { return x * by; }
};
template __global__ void apply<Scale>(Scale, float *);
