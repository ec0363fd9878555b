#include <cstdio>
#include <stdexcept>
#include <string>
struct Guard { const char *n; ~Guard() { std::printf("~%s ", n); } };
static int risky(int n) { Guard g{"risky"}; if (n == 1) throw std::out_of_range("one"); if (n == 2) throw n; if (n == 3) throw std::string("three"); return n; }
static int attempt(int n) { Guard g{"attempt"}; try { return risky(n); } catch (const std::exception &e) { std::printf("%s ", e.what()); return -1; } catch (int i) { if (i == 2) throw; return -2; } }
int main() { for (int i = 0; i < 4; i++) try { std::printf("%d\n", attempt(i)); } catch (int i) { std::printf("int %d\n", i); } catch (...) { std::puts("other"); } }
