#include <cstdio>
template <int N> struct Factorial { static constexpr long value = N * Factorial<N - 1>::value; }; template <> struct Factorial<0> { static constexpr long value = 1; };
template <class... T> auto sum(T... t) { return (t + ... + 0); }
template <class F> struct Later { F f; ~Later() { f(); } }; template <class F> Later(F) -> Later<F>;
template <class T, int N> struct Ring { T items[N]{}; int at = 0; void push(T t) { items[at++ % N] = t; } template <class F> void each(F f) const { for (auto &i : items) f(i); } };
int main(int argc, char **) { Ring<double, 3> r; for (int i = 0; i < 5; i++) r.push(i * 1.5 + argc); double t = 0; Later later{[&] { std::printf("%g\n", t); }}; r.each([&t, argc](double d) { t += d * argc; }); std::printf("%ld %g\n", Factorial<15>::value, sum(1, 2.5, argc)); }
