#include <math.h>
#include <stdio.h>
int main(int argc, char **argv) {
  double x = argc * 2.0; float f = argc / 3.0f; long double l = argc / 7.0L;
  printf("%a %a %La %a\n", x / 3, f * f, l, x - f);
  printf("%g %g %g %g %g %d %d\n", sqrt(x), fabs(-x), floor(f * 10), fma(x, x, 1), copysign(x, -0.0), x - x != 0, x < f);
  printf("%d %u %ld %g %g\n", (int)(x * 1.9), (unsigned)(f * 100), (long)l, (double)(unsigned long)(1ul << 63), fmin(x, NAN));
}
