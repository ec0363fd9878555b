#include <stdio.h>
int main(int argc, char **argv) {
  unsigned x = 0x12345678u * argc; unsigned long y = 0x123456789abcdefUL; int sum, product; unsigned char carry;
  int o1 = __builtin_add_overflow(2147483647, argc, &sum), o2 = __builtin_mul_overflow(argc + 4, 7, &product);
  printf("%d %d %d %d %x %lx %d %d %d %d\n", __builtin_popcount(x), __builtin_clz(x), __builtin_ctzl(y), __builtin_parity(x),
         __builtin_bswap32(x), __builtin_bswap64(y), o1, sum, o2, product);
  printf("%x %lx %x\n", __builtin_rotateleft32(x, 7), __builtin_rotateright64(y, 9), __builtin_bitreverse32(x));
  carry = __builtin_expect(x > 5, 1) ? 3 : 4; printf("%d %d\n", carry, __builtin_constant_p(carry + argc));
}
