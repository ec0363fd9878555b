#include <coroutine>
#include <cstdio>
struct Series { struct promise_type { int value; Series get_return_object() { return {std::coroutine_handle<promise_type>::from_promise(*this)}; } std::suspend_always initial_suspend() { return {}; } std::suspend_always final_suspend() noexcept { return {}; } std::suspend_always yield_value(int v) { value = v; return {}; } void return_void() {} void unhandled_exception() {} }; std::coroutine_handle<promise_type> h; ~Series() { h.destroy(); } bool next() { h.resume(); return !h.done(); } };
static Series fibonacci(int n) { int a = 0, b = 1; while (n--) { co_yield a; int c = a + b; a = b; b = c; } }
int main(int argc, char **) { auto s = fibonacci(argc + 9); while (s.next()) std::printf("%d ", s.h.promise().value); std::puts(""); }
