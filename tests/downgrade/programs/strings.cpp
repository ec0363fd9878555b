#include <iomanip>
#include <iostream>
#include <sstream>
#include <string>
int main(int argc, char **) {
  std::ostringstream out; out << std::hex << std::setw(8) << std::setfill('0') << 48879 * argc << ' ' << std::boolalpha << (argc == 1) << ' ' << std::fixed << std::setprecision(3) << 2.0 / 3;
  std::string s = out.str(), r(s.rbegin(), s.rend()); s.replace(2, 3, "<>"); s.insert(0, r.substr(1, 4)); std::istringstream in("12 abc 3.5"); int i; std::string w; double d; in >> i >> w >> d;
  std::cout << s << '|' << r << '|' << i + argc << w << d << '|' << s.find('b') << '\n';
}
