#include <stdatomic.h>
#include <stdio.h>
static _Atomic int counter; static _Atomic(long) flags = 12; static atomic_flag lock = ATOMIC_FLAG_INIT;
int main(int argc, char **argv) {
  int seen = 4, old = atomic_fetch_add(&counter, argc + 3), ok = atomic_compare_exchange_strong(&counter, &seen, 40);
  long f = atomic_fetch_or_explicit(&flags, 3, memory_order_relaxed); atomic_thread_fence(memory_order_seq_cst);
  while (atomic_flag_test_and_set(&lock)) ; atomic_flag_clear(&lock);
  printf("%d %d %d %ld %ld %d\n", old, ok, seen, f, atomic_exchange(&flags, 5) + atomic_load(&flags), atomic_fetch_sub(&counter, 1));
}
