#include <complex.h>
#include <stdio.h>
static double complex root(double complex z, int n) { double complex w = 1; while (n--) w = w - (w * w - z) / (2 * w); return w; }
int main(int argc, char **argv) { double complex z = root(3.0 * argc + 4.0 * I, 12); float complex f = (float)argc + 2.0f * I; f *= f; printf("%.10f %.10f %g %g\n", creal(z), cimag(z), crealf(f), cimagf(f)); }
