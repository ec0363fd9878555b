#include <stdio.h>
#define N 12
static void multiply(double a[restrict N][N], double b[restrict N][N], double c[restrict N][N]) { for (int i = 0; i < N; i++) for (int j = 0; j < N; j++) { double s = 0; for (int k = 0; k < N; k++) s += a[i][k] * b[k][j]; c[i][j] = s; } }
int main(int argc, char **argv) { static double a[N][N], b[N][N], c[N][N]; for (int i = 0; i < N; i++) for (int j = 0; j < N; j++) { a[i][j] = i - j + argc; b[i][j] = i * j % 5; } multiply(a, b, c); multiply(c, a, b); double t = 0; for (int i = 0; i < N; i++) t += b[i][N - 1 - i] * (i + 1); printf("%.3f\n", t); }
