#include <compare>
#include <cstdio>
struct Ratio { long n, d; friend Ratio operator+(Ratio a, Ratio b) { return {a.n * b.d + b.n * a.d, a.d * b.d}; } auto operator<=>(const Ratio &o) const { return n * o.d <=> o.n * d; } bool operator==(const Ratio &o) const { return (*this <=> o) == 0; } explicit operator double() const { return double(n) / d; } long operator[](int i) const { return i ? d : n; } Ratio operator()(long k) const { return {n * k, d}; } };
Ratio operator""_r(unsigned long long n) { return {long(n), 1}; }
int main(int argc, char **) { Ratio h{argc, 2}, t{1, 3}; auto s = h + t(2) + 4_r; std::printf("%ld/%ld %g %d %d %d\n", s[0], s[1], double(s), h < t, h == Ratio{2, 4}, s >= 5_r); }
