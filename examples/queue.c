/* A queue of one writer and one reader.  queue.bc is made of it by clang 22:
   clang -c -emit-llvm -O1 -g --target=x86_64-unknown-linux-gnu -fdebug-compilation-dir=. queue.c -o queue.bc
   (and -ffile-prefix-map, so that the compiler's own folder is called `clang`). */
#include <stdatomic.h>

#define SIZE 64

static int slots[SIZE];
static atomic_uint head, tail;
static atomic_flag lock = ATOMIC_FLAG_INIT;
static unsigned long refused;

extern void report(const char *what, unsigned long count);

__attribute__((noinline)) static void acquire(void) {
  while (atomic_flag_test_and_set_explicit(&lock, memory_order_acquire)) {
  }
}

__attribute__((noinline)) static void release(void) {
  atomic_flag_clear_explicit(&lock, memory_order_release);
}

int push(int value) {
  unsigned at = atomic_load_explicit(&tail, memory_order_relaxed);
  if (at - atomic_load_explicit(&head, memory_order_acquire) == SIZE) {
    acquire();
    refused++;
    release();
    return 0;
  }
  slots[at % SIZE] = value;
  atomic_store_explicit(&tail, at + 1, memory_order_release);
  return 1;
}

int pop(int *value) {
  unsigned at = atomic_load_explicit(&head, memory_order_relaxed);
  if (at == atomic_load_explicit(&tail, memory_order_acquire))
    return 0;
  *value = slots[at % SIZE];
  atomic_store_explicit(&head, at + 1, memory_order_release);
  return 1;
}

int drain(void (*take)(int)) {
  int value, count = 0;
  for (; pop(&value); count++)
    take(value);
  acquire();
  report("refused", refused);
  release();
  atomic_thread_fence(memory_order_seq_cst);
  return count;
}
