#include <setjmp.h>
#include <stdio.h>
static jmp_buf place; static volatile int depth;
static void dive(int n) { depth = n; if (n == 7) longjmp(place, n * 2); dive(n + 1); }
int main(int argc, char **argv) { int r = setjmp(place); if (!r) dive(argc); printf("%d %d\n", r, depth); }
