#include <algorithm>
#include <cstdio>
#include <map>
#include <numeric>
#include <string>
#include <unordered_set>
#include <vector>
int main(int argc, char **) {
  std::map<std::string, std::vector<int>> m; std::unordered_set<std::string> seen;
  for (int i = 0; i < 50; i++) m["k" + std::to_string(i * argc % 7)].push_back(i * i % 31);
  for (auto &[k, v] : m) { std::sort(v.begin(), v.end(), [](int a, int b) { return a > b; }); v.erase(std::unique(v.begin(), v.end()), v.end()); seen.insert(k); std::printf("%s:%d/%zu ", k.c_str(), std::accumulate(v.begin(), v.end(), 0), v.size()); }
  std::printf("%zu\n", seen.size());
}
