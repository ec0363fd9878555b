/* Structs and calls through pointers.  shapes.bc is made of it by clang 22:
   clang -c -emit-llvm -O1 -g --target=x86_64-unknown-linux-gnu -fdebug-compilation-dir=. shapes.c -o shapes.bc */
#include <stdio.h>

struct point {
  short layer;
  int x, y;
};

struct shape {
  struct point at;
  const char *name;
  int (*area)(const struct shape *);
  unsigned visible : 1, width : 15, height : 16;
};

static int square(const struct shape *it) { return it->width * it->width; }

static int rectangle(const struct shape *it) { return it->width * it->height; }

struct shape shapes[] = {
    {{0, 1, 2}, "square", square, 1, 3, 3},
    {{1, 4, 4}, "rectangle", rectangle, 1, 3, 5},
};

__attribute__((noinline)) int measure(const struct shape *it) {
  return it->visible ? it->area(it) : 0;
}

int main(void) {
  for (unsigned i = 0; i < sizeof shapes / sizeof *shapes; i++)
    printf("%s: %d\n", shapes[i].name, measure(&shapes[i]));
  return 0;
}
