// OpenCL; work-item functions are NVPTX registers here.
#define ID (__nvvm_read_ptx_sreg_ctaid_x() * __nvvm_read_ptx_sreg_ntid_x() + __nvvm_read_ptx_sreg_tid_x())
kernel void add(global const float *a, global const float *b, global float *c) { c[ID] = a[ID] + b[ID]; }
kernel void tiles(global const float4 *in, global float4 *out, local float4 *tile, constant float *weights) {
  int l = __nvvm_read_ptx_sreg_tid_x();
  tile[l] = in[ID];
  __nvvm_barrier_sync(0);
  out[ID] = tile[l ^ 1] * weights[l & 3] + tile[l].wzyx;
}
kernel __attribute__((reqd_work_group_size(64, 2, 1))) void sized(global int *a, int3 offset, uchar4 bytes) {
  a[ID] += offset.x + offset.z * bytes.w;
}
kernel void mandelbrot(global int *out, float x0, float y0, float step, int width, int limit) {
  float cx = x0 + (ID % width) * step, cy = y0 + (ID / width) * step, x = 0, y = 0;
  int n = 0;
  while (x * x + y * y < 4 && n < limit) {
    float t = x * x - y * y + cx;
    y = 2 * x * y + cy, x = t, ++n;
  }
  out[ID] = n;
}
kernel void squared_norm(global const double2 *a, global double *out, private double bias) {
  double2 v = a[ID];
  out[ID] = v.x * v.x + v.y * v.y + bias;
}
