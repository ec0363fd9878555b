#include <stdio.h>
int main(int argc, char **argv) {
  int x = argc * 6, y; unsigned long flags; __asm__("leal 1(%1,%1,2), %0" : "=r"(y) : "r"(x)); __asm__ volatile("" : "+m"(x) : : "memory");
  __asm__ volatile("xorl %%ecx, %%ecx\n\tmovq $5, %0" : "=r"(flags) : : "ecx", "cc"); printf("%d %d %lu\n", x, y, flags);
}
