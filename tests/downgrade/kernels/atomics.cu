#include "device.h"
__device__ int counter;
__global__ void histogram(const unsigned char *data, uint *bins, int count) {
  __shared__ uint local[256];
  local[THREAD] = 0;
  __syncthreads();
  for (int i = INDEX; i < count; i += 4096) __atomic_fetch_add(&local[data[i]], 1u, __ATOMIC_RELAXED);
  __syncthreads();
  __atomic_fetch_add(&bins[THREAD], local[THREAD], __ATOMIC_RELAXED);
}
__global__ void operations(int *i, uint *u, ulong *l, float *f, double *d) {
  __nvvm_atom_add_gen_i(i, 1);
  __nvvm_atom_cta_add_gen_i(i, 2);
  __nvvm_atom_sys_max_gen_i(i, 3);
  __nvvm_atom_and_gen_i(i, 4);
  __nvvm_atom_or_gen_i(i, 5);
  __nvvm_atom_xor_gen_i(i, 6);
  __nvvm_atom_max_gen_i(i, 7);
  __nvvm_atom_min_gen_ui(u, 8);
  __nvvm_atom_xchg_gen_i(i, 9);
  __nvvm_atom_cas_gen_i(i, 10, 11);
  __nvvm_atom_inc_gen_ui(u, 12);
  __nvvm_atom_dec_gen_ui(u, 13);
  __nvvm_atom_add_gen_f(f, 14);
  __nvvm_atom_add_gen_d(d, 15);
  __atomic_fetch_sub(l, 16, __ATOMIC_SEQ_CST);
}
__global__ void ordered(int *flag, int *data, long *wide, void **pointers) {
  if (!THREAD) {
    *data = 42;
    __atomic_store_n(flag, 1, __ATOMIC_RELEASE);
    __atomic_store_n(wide, 1, __ATOMIC_SEQ_CST);
  }
  while (!__atomic_load_n(flag, __ATOMIC_ACQUIRE)) {}
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
  int expected = 1;
  while (!__atomic_compare_exchange_n(flag, &expected, 2, true, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED)) expected = 1;
  void *none = nullptr;
  __atomic_compare_exchange_n(pointers, &none, data, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
  __atomic_exchange_n(pointers, data, __ATOMIC_RELAXED);
  __nvvm_membar_gl();
}
__global__ void locked(int *lock, double *sum, double value) {
  int free = 0;
  while (!__atomic_compare_exchange_n(lock, &free, 1, false, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED)) free = 0;
  *sum += value;
  __atomic_store_n(lock, 0, __ATOMIC_RELEASE);
  __atomic_fetch_add(&counter, 1, __ATOMIC_RELAXED);
}
