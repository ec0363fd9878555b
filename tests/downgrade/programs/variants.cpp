#include <cstdio>
#include <functional>
#include <memory>
#include <optional>
#include <variant>
struct Add; struct Neg; using Expr = std::variant<int, std::unique_ptr<Add>, std::unique_ptr<Neg>>; struct Add { Expr l, r; }; struct Neg { Expr e; };
static int eval(const Expr &e) { return std::visit([](auto &x) -> int { using T = std::decay_t<decltype(x)>; if constexpr (std::is_same_v<T, int>) return x; else if constexpr (std::is_same_v<T, std::unique_ptr<Add>>) return eval(x->l) + eval(x->r); else return -eval(x->e); }, e); }
static std::optional<int> half(int n) { if (n % 2) return {}; return n / 2; }
int main(int argc, char **) { Expr e = std::make_unique<Add>(Add{argc, std::make_unique<Neg>(Neg{41})}); std::function<int(int)> f = [k = eval(e)](int x) { return x * k; }; std::printf("%d %d %d\n", eval(e), f(2), half(f(2)).value_or(-1)); }
