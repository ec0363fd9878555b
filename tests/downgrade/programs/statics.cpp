#include <cstdio>
struct Loud { const char *n; Loud(const char *n) : n(n) { std::printf("+%s ", n); } ~Loud() { std::printf("-%s ", n); } };
static Loud global("global"); thread_local int per_thread = 3; inline int shared = per_thread + 4;
static Loud &once() { static Loud l("once"); return l; }
struct Member { int a; long b; }; static int Member::*first = &Member::a; struct Op { int x; explicit Op(int x) : x(x) {} int twice() const { return x * 2; } virtual int more() const { return x + 1; } };
int main(int argc, char **) { once(); once(); Loud local("local"); Member m{argc, 5}; Op op(argc); int (Op::*f)() const = argc > 1 ? &Op::twice : &Op::more; std::printf("%d %d %d %d\n", m.*first, (op.*f)(), shared, per_thread); }
