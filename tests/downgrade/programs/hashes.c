#include <stdint.h>
#include <stdio.h>
static uint32_t crc(const unsigned char *p, int n) { uint32_t c = ~0u; while (n--) { c ^= *p++; for (int i = 0; i < 8; i++) c = c >> 1 ^ (0xedb88320u & -(c & 1)); } return ~c; }
static uint64_t sip(uint64_t v, int rounds) { uint64_t a = v ^ 0x736f6d65, b = ~v; while (rounds--) { a += b; b = b << 13 | b >> 51; b ^= a; a = a << 32 | a >> 32; } return a ^ b; }
static int16_t saturate(int v) { return v > INT16_MAX ? INT16_MAX : v < INT16_MIN ? INT16_MIN : v; }
int main(int argc, char **argv) { printf("%08x %016llx %d %d %d\n", crc((const unsigned char *)"123456789", 9), (unsigned long long)sip(argc, 9), saturate(40000 * argc), saturate(-40000), (int8_t)(argc * 200)); }
