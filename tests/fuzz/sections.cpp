#include "sections.hpp"

#include <algorithm>

namespace jouletree::test {
namespace {

constexpr std::string_view kMark = "== ";

}  // namespace

Sections sections_of(std::string_view text, const std::string& first) {
  Sections sections;
  std::string name = first;
  while (true) {
    const std::size_t end =
        text.starts_with(kMark) ? 0 : std::min(text.find("\n== "), text.size() - 1) + 1;
    sections[name] = text.substr(0, end);
    text.remove_prefix(std::min(end, text.size()));
    if (text.empty()) return sections;
    const std::size_t line_end = std::min(text.find('\n'), text.size());
    name = text.substr(kMark.size(), line_end - kMark.size());
    text.remove_prefix(std::min(line_end + 1, text.size()));
  }
}

std::string text_of(const std::map<std::string, std::string>& files) {
  std::string text;
  for (const auto& [name, content] : files) {
    text += std::string(kMark) + name + "\n" + content;
    if (!text.ends_with('\n')) text += '\n';
  }
  return text;
}

}  // namespace jouletree::test
