// What the sanitizers tell apart: atomics, escaping locals, arguments on the stack, variadic, inline and static functions.
// PART is 1 in the file that has main, and 2 in another one, so that the linker drops one of two inline functions.
typedef __builtin_va_list List;

extern "C" {
extern int counter;
extern long wide;
void escape(int *place);
int other(int value);
}

static int bump(int step) { return __atomic_fetch_add(&counter, step, __ATOMIC_SEQ_CST); }

inline __attribute__((noinline)) int shared(int *place) {
  int local = __atomic_load_n(place, __ATOMIC_ACQUIRE);
  escape(&local);
  return local;
}

template <int N> __attribute__((noinline)) void stores(long value) {
  for (int i = 0; i < N; i++)
    __atomic_store_n(&wide, value + i, __ATOMIC_RELEASE);
}

#if PART == 1
extern "C" {
int counter;
long wide;
int plain;
static const int constant = 4;
int leaf(int value) { return value + 1; }
int reads(void) { return plain + *(const volatile int *)&constant; }
long many(long a, long b, long c, long d, long e, long f, long g, long h, long i, long j, long k) {
  int local = (int)(a + b + c + d + e + f + g + h);
  escape(&local);
  return local + i + j + k;
}
int variadic(int count, ...) {
  List list;
  __builtin_va_start(list, count);
  int local = __builtin_va_arg(list, int);
  escape(&local);
  __builtin_va_end(list);
  return local;
}
int exchange(int value) {
  int expected = value;
  while (!__atomic_compare_exchange_n(&counter, &expected, value + 1, true, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED)) {
  }
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
  return bump(expected);
}
__attribute__((no_sanitize("thread"))) int quiet(void) { return counter; }
__attribute__((disable_sanitizer_instrumentation)) int left_out(void) { return bump(3); }
int main(void) {
  int local = 1;
  escape(&local);
  stores<3>(local);
  return (int)many(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11) + variadic(1, 2) + exchange(3) + leaf(1) + reads() +
         shared(&local) + quiet() + left_out() + other(2);
}
}
#else
extern "C" {
int *escaped;
void escape(int *place) { escaped = place; }
int other(int value) {
  stores<3>(value);
  stores<5>(value);
  return shared(&value) + bump(2);
}
}
#endif
