// A program with debug information and a summary, compiled by clang 23 at -O2 -g -flto=thin.
struct S { int a; double b; _BitInt(17) c; };
__attribute__((noinline)) int sum(struct S *s, int n) {
  int total = 0;
  for (int i = 0; i < n; i++)
    total += s[i].a * 3;
  return total;
}
int with_two(int x) {
  struct S s[2] = {{x, 1.5}, {2, 2.5}};
  return sum(s, 2);
}
