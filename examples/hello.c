#include <stdio.h>

static int greetings = 3;

int main(int argc, char **argv) {
  for (int i = 0; i < greetings; ++i)
    printf("Hello, %s!\n", argc > 1 ? argv[1] : "bitcode");
  return 0;
}
