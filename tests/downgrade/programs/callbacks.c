#include <stdio.h>
#include <stdlib.h>
typedef int (*compare)(const void *, const void *);
static int up(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
static int down(const void *a, const void *b) { return up(b, a); }
static compare table[] = {up, down};
int main(int argc, char **argv) {
  int v[16]; unsigned seed = 12345u * argc;
  for (int i = 0; i < 16; i++) v[i] = (seed = seed * 1103515245u + 12345u) >> 20;
  for (int t = 0; t < 2; t++) { qsort(v, 16, sizeof *v, table[t]); for (int i = 0; i < 16; i++) printf("%d ", v[i]); }
  puts("");
}
