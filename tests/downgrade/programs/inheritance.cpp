#include <cstdio>
struct Base { long b = 1; virtual Base *clone() const { return new Base(*this); } virtual long total() const { return b; } virtual ~Base() = default; };
struct Left : virtual Base { long l = 2; long total() const override { return b + l; } }; struct Right : virtual Base { long r = 3; };
struct Bottom : Left, Right { long z; Bottom(long z) : z(z) { b = 10; } Bottom *clone() const override { return new Bottom(*this); } long total() const override { return Left::total() + r + z; } };
template <class D> struct Crtp { int twice() { return static_cast<D *>(this)->one() * 2; } }; struct Leaf : Crtp<Leaf> { int k; int one() { return k; } };
int main(int argc, char **) { Bottom m(argc * 100); Base *p = m.clone(), &q = m; Leaf f; f.k = argc + 20; std::printf("%ld %ld %d %d\n", p->total(), q.total(), f.twice(), static_cast<Right *>(&m)->b == 10); delete p; }
