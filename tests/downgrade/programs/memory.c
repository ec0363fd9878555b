#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(int argc, char **argv) {
  char a[64] = "the quick brown fox", b[64]; memset(b, 'x', sizeof b); memcpy(b + 3, a, strlen(a) + 1); memmove(b + 5, b, 20);
  int n = argc + 5, vla[n], *heap = calloc(n, sizeof *heap); for (int i = 0; i < n; i++) heap[i] = vla[i] = i * i;
  heap = realloc(heap, 2 * n * sizeof *heap); memcpy(heap + n, vla, sizeof vla);
  char *p = __builtin_alloca(n * 3); sprintf(p, "%d", heap[2 * n - 1]); b[30] = 0;
  printf("%s %s %d %d\n", b, p, memcmp(a, b, 4) != 0, (int)strspn(a, "thequick ")); free(heap);
}
