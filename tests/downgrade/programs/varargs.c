#include <stdarg.h>
#include <stdio.h>
static double total(const char *kinds, ...) {
  va_list list, copy; double sum = 0;
  va_start(list, kinds); va_copy(copy, list);
  for (const char *k = kinds; *k; k++) sum += *k == 'd' ? va_arg(list, double) : *k == 'l' ? va_arg(list, long) : va_arg(list, int);
  sum += va_arg(copy, int); va_end(copy); va_end(list);
  return sum;
}
int main(int argc, char **argv) { printf("%g\n", total("iidld", 1, argc, 2.5, 1L << 33, -0.25)); }
