#include <stdio.h>
static int ackermann(int m, int n) { return m == 0 ? n + 1 : n == 0 ? ackermann(m - 1, 1) : ackermann(m - 1, ackermann(m, n - 1)); }
static void hanoi(int n, int a, int b, int c, long *moves) { if (!n) return; hanoi(n - 1, a, c, b, moves); *moves = *moves * 3 + a - c; hanoi(n - 1, b, a, c, moves); }
static int even(unsigned n); static int odd(unsigned n) { return n ? even(n - 1) : 0; } static int even(unsigned n) { return n ? odd(n - 1) : 1; }
int main(int argc, char **argv) { long moves = 0; hanoi(10, 1, 2, 3, &moves); printf("%d %ld %d\n", ackermann(2, argc + 5), moves, even(1001)); }
