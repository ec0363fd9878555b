// Atomic operations that become loops for libNVVM, run on the host: both programs print the same.
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static union { uint8_t bytes[16]; uint16_t halves[8]; uint32_t words[4]; uint64_t longs[2]; float f[4]; double d[2]; } m;
static uint64_t hash = 1469598103934665603u;
static void note(uint64_t x) { hash = (hash ^ x) * 1099511628211u; }
static uint64_t state = 88172645463325252u;
static uint64_t next(void) { return state ^= state << 13, state ^= state >> 7, state ^= state << 17; }

#define INTEGERS(type, place, count)                                      \
  for (int i = 0; i < count; ++i) {                                       \
    type *p = (type *)m.place + i, x = (type)next(), expected;            \
    note(__atomic_fetch_add(p, x, 5)), note(__atomic_fetch_sub(p, x, 0)); \
    note(__atomic_fetch_and(p, x, 5)), note(__atomic_fetch_or(p, x, 2));  \
    note(__atomic_fetch_xor(p, x, 3)), note(__atomic_fetch_nand(p, x, 4)); \
    note(__atomic_fetch_min(p, x, 5)), note(__atomic_fetch_max(p, x, 5)); \
    note(__atomic_exchange_n(p, (type)next(), 5));                        \
    expected = next() & 1 ? *p : (type)next();                            \
    note(__atomic_compare_exchange_n(p, &expected, (type)next(), 0, 5, 2)); \
    note(expected);                                                       \
    for (int j = 0; j < 2; ++j) note(m.longs[j]);                         \
  }

int main(void) {
  for (int round = 0; round < 50; ++round) {
    m.longs[0] = next(), m.longs[1] = next();
    INTEGERS(uint8_t, bytes, 16)
    INTEGERS(int8_t, bytes, 16)
    INTEGERS(uint16_t, halves, 8)
    INTEGERS(int16_t, halves, 8)
    INTEGERS(uint32_t, words, 4)
    INTEGERS(int64_t, longs, 2)
    m.f[0] = 1.5f + round, m.d[1] = 2.25 * round;
    note(__atomic_fetch_add(&m.f[0], 3.5f, 5)), note(__atomic_fetch_sub(&m.d[1], 0.75, 0));
    note(__atomic_fetch_max(&m.f[0], 40.0f, 5)), note(__atomic_fetch_min(&m.d[1], 40.0, 5));
    note(m.longs[0]), note(m.longs[1]);
  }
  printf("%016llx\n", (unsigned long long)hash);
}
