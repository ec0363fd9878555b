// C for nvptx64 without CUDA.
typedef unsigned long size;
static int square(int x) { return x * x; }
__attribute__((noinline)) static size length(const char *text) {
  size n = 0;
  while (text[n]) ++n;
  return n;
}
__attribute__((device_kernel)) void squares(int *out, int n) {
  for (int i = __nvvm_read_ptx_sreg_tid_x(); i < n; i += __nvvm_read_ptx_sreg_ntid_x()) out[i] = square(i);
}
__attribute__((device_kernel)) void lengths(const char *const *texts, size *out) {
  unsigned i = __nvvm_read_ptx_sreg_tid_x();
  out[i] = length(texts[i]);
}
__attribute__((device_kernel)) void polynomial(const double *x, double *y, const double *factors, int degree) {
  unsigned i = __nvvm_read_ptx_sreg_tid_x();
  double sum = 0;
  for (int k = degree; k >= 0; --k) sum = sum * x[i] + factors[k];
  y[i] = sum;
}
__attribute__((device_kernel)) void narrow(char a, short b, _Bool c, unsigned char d, long *out) { *out = a + b + c + d; }
