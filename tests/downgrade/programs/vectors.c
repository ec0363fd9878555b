#include <stdio.h>
typedef int v4 __attribute__((vector_size(16))); typedef float f8 __attribute__((vector_size(32)));
int main(int argc, char **argv) {
  v4 a = {1, 2, 3, argc}, b = {argc, 4, 3, 2}, c = (a > b) & (a * b + 1), d = __builtin_shufflevector(a, b, 0, 5, 2, 7);
  f8 f = {1, 2, 3, 4, 5, 6, 7, 8}; f = f * f - (float)argc; f[argc] = 9;
  v4 e = __builtin_convertvector(__builtin_shufflevector(f, f, 1, 3, 5, 7), v4);
  for (int i = 0; i < 4; i++) printf("%d %d %d ", c[i], d[i], e[i]); puts("");
}
