#include <stdio.h>
typedef unsigned __int128 u128;
static u128 power(u128 b, unsigned e) { u128 r = 1; while (e--) r *= b; return r; }
int main(int argc, char **argv) {
  u128 p = power(argc + 9, 30), q = p / 1000003, r = p % 1000003; __int128 n = -(__int128)q >> 7;
  printf("%llx %llx %llx %lld\n", (unsigned long long)(p >> 64), (unsigned long long)q, (unsigned long long)r, (long long)(n >> 40));
}
