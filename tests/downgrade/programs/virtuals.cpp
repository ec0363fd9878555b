#include <cstdio>
#include <typeinfo>
struct Named { virtual const char *name() const { return "named"; } virtual ~Named() { std::puts("~Named"); } };
struct Counted { static int count; int id = ++count; virtual int value() const = 0; virtual ~Counted() = default; };
int Counted::count;
struct Both : Named, Counted { int v; explicit Both(int v) : v(v) {} int value() const override { return v * 10 + id; } const char *name() const override { return "both"; } };
struct Last final : virtual Named, Counted { int value() const override { return -1; } };
int main(int argc, char **) {
  Counted *all[] = {new Both(argc), new Last, new Both(argc + 1)};
  for (auto *c : all) { auto *n = dynamic_cast<Named *>(c); std::printf("%d %s %d %s\n", c->value(), n->name(), dynamic_cast<Last *>(c) != nullptr, typeid(*c).name()); delete c; }
}
