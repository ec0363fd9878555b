#include <stdio.h>
struct small { int a, b; };
struct large { long values[5]; char tag; };
struct bits { unsigned low : 3, middle : 13; signed high : 7; };
static struct small swap(struct small s) { return (struct small){s.b, s.a}; }
static struct large grow(struct large l, int by) { for (int i = 0; i < 5; i++) l.values[i] += by; l.tag++; return l; }
int main(int argc, char **argv) {
  struct small s = swap((struct small){argc, 7});
  struct large l = grow((struct large){{1, 2, 3, 4, 5}, 'a'}, argc * 10);
  struct bits b = {argc + 4, 4095 + argc, -argc};
  b.middle += 17; b.high -= 3;
  printf("%d %d %ld %c %u %u %d\n", s.a, s.b, l.values[4], l.tag, b.low, b.middle, b.high);
}
