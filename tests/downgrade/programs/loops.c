#include <stdio.h>
int main(int argc, char **argv) {
  unsigned s = 0; int a[100]; for (int i = 0; i < 100; i++) a[i] = i * argc ^ 21;
  for (int i = 99; i >= 0; i -= 3) { if (a[i] & 4) continue; s += a[i]; if (s > 2000) break; }
  int i = 0; do { s = s * 5 + a[i]; i += i / 2 + 1; } while (i < 100);
#pragma clang loop vectorize(enable) unroll_count(4)
  for (int k = 0; k < 100; k++) a[k] = a[k] > 50 ? a[k] - 50 : a[k] + (k & 3);
  for (int k = 0; k < 100; k++) s ^= (unsigned)a[k] << k % 24; printf("%u\n", s);
}
