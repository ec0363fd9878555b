#include <stdio.h>
static int run(const unsigned char *code, int x) {
  static void *const labels[] = {&&stop, &&add, &&twice, &&negate, &&loop};
  int counter = 3; const unsigned char *start = code;
  goto *labels[*code++];
add: x += *code++; goto *labels[*code++];
twice: x *= 2; goto *labels[*code++];
negate: x = -x; goto *labels[*code++];
loop: if (--counter) code = start; goto *labels[*code++];
stop: return x;
}
int main(int argc, char **argv) { unsigned char code[] = {1, 5, 2, 3, 4, 0}; printf("%d\n", run(code, argc)); }
