#include <stdio.h>
static int one = 1; extern int alias_of_one __attribute__((alias("one"))); __attribute__((weak)) int absent(void); static _Thread_local int local = 5;
static int *pointers[] = {&one, &one + 0, 0};
static int thrice(int x) { return x * 3; } static int plus(int x) { return x + local; }
static const struct { const char *name; int (*f)(int); char pad[3]; } table[] = {{"thrice", thrice, "a"}, {"plus", plus, "bc"}};
union either { double d; unsigned long u; }; static union either e = {.d = 1.5};
__attribute__((constructor)) static void begin(void) { local = 9; one += 4; }
__attribute__((destructor)) static void end(void) { puts("end"); }
__attribute__((section("mine"), used)) static int placed = 77;
int main(void) { int s = 0; for (int i = 0; i < 2; i++) s += table[i].f(10) + table[i].pad[0]; printf("%d %d %lx %d %d %d\n", s, alias_of_one, e.u, *pointers[1], absent ? 1 : 0, placed); }
