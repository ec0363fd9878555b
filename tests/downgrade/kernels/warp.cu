#include "device.h"
__global__ void shuffles(int *a, float *b) {
  uint mask = 0xffffffff;
  int x = a[THREAD];
  for (int width = 16; width; width /= 2) x += __nvvm_shfl_sync_bfly_i32(mask, x, width, 31);
  a[THREAD] = x + __nvvm_shfl_sync_idx_i32(mask, x, 0, 31) + __nvvm_shfl_sync_up_i32(mask, x, 1, 0);
  b[THREAD] = __nvvm_shfl_sync_down_f32(mask, b[THREAD], 1, 31);
}
__global__ void votes(int *a) {
  uint mask = __nvvm_vote_ballot_sync(0xffffffff, a[THREAD] > 0);
  a[THREAD] = mask + __nvvm_vote_any_sync(mask, a[THREAD] > 1) + 2 * __nvvm_vote_all_sync(mask, a[THREAD] > 2);
  a[THREAD] += __nvvm_match_any_sync_i32(0xffffffff, a[THREAD]);
  __nvvm_bar_warp_sync(0xffffffff);
  a[THREAD] += __nvvm_activemask();
}
__global__ void registers(uint *a) {
  a[0] = __nvvm_read_ptx_sreg_laneid() + __nvvm_read_ptx_sreg_warpsize() + __nvvm_read_ptx_sreg_nctaid_y();
  a[1] = (uint)__nvvm_read_ptx_sreg_clock64() + __nvvm_read_ptx_sreg_lanemask_lt() + (uint)__builtin_readcyclecounter();
  a[2] = (uint)__nvvm_read_ptx_sreg_globaltimer() + __nvvm_read_ptx_sreg_smid();
}
__global__ void barriers(int *a) {
  a[THREAD] = __nvvm_bar0_popc(a[THREAD]) + __nvvm_bar0_and(a[THREAD]) + __nvvm_bar0_or(a[THREAD]);
  __nvvm_bar_sync(1);
  __nvvm_barrier_sync(2);
  __nvvm_barrier_sync_cnt(3, 64);
}
