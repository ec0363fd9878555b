// Textures and surfaces by handle; C without CUDA.
typedef struct { float x, y, z, w; } Texel;
static Texel fetch(unsigned long texture, float x, float y) {
  Texel t;
  __asm__ volatile("tex.2d.v4.f32.f32 {%0, %1, %2, %3}, [%4, {%5, %6}];"
                   : "=f"(t.x), "=f"(t.y), "=f"(t.z), "=f"(t.w) : "l"(texture), "f"(x), "f"(y));
  return t;
}
__attribute__((device_kernel)) void sample(unsigned long texture, float *out) {
  int i = __nvvm_read_ptx_sreg_tid_x();
  Texel t = fetch(texture, i * 0.5f, 0.25f);
  out[i] = t.x + t.y * t.z - t.w;
}
__attribute__((device_kernel)) void store(unsigned long surface, int *in) {
  int i = __nvvm_read_ptx_sreg_tid_x();
  __asm__ volatile("sust.b.1d.b32.trap [%0, {%1}], {%2};" ::"l"(surface), "r"(i * 4), "r"(in[i]) : "memory");
}
