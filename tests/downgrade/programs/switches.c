#include <stdio.h>
static int classify(long n) {
  switch (n) { case 0: return 1; case 1 ... 9: return 2; case 100: case 1000: case 1L << 40: return 3; case -5: return 4; default: return n < 0 ? 5 : 6; }
}
static const char *name(int n) { switch (n) { case 1: return "one"; case 2: return "digit"; case 3: return "round"; case 4: return "minus five"; case 5: return "negative"; } return "other"; }
int main(void) { long v[] = {0, 5, 9, 10, 100, 1000, 1L << 40, -5, -6}; for (int i = 0; i < 9; i++) printf("%s ", name(classify(v[i]))); puts(""); }
