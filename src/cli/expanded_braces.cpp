#include "cli/expanded_braces.hpp"

#include <algorithm>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace jouletree::cli {
namespace {

/// "input=" and the sizes behind it.
struct ShapeWord {
  std::string name;
  std::vector<std::string> sizes;
};

ShapeWord shape_word(const std::string& word) {
  ShapeWord read;
  const std::size_t equals = word.rfind('=', word.find('{'));
  if (equals == std::string::npos) return {word, {}};
  read.name = word.substr(0, equals + 1);
  std::string size;
  for (const char letter : word.substr(equals + 1)) {
    if (letter != 'x') {
      size += letter;
      continue;
    }
    read.sizes.push_back(size);
    size.clear();
  }
  read.sizes.push_back(size);
  return read;
}

/// One pattern for all of these; empty where they are not all combinations of some sizes.
std::string joined(const std::vector<ShapeWord>& words) {
  std::vector<std::string> parts;
  std::size_t combinations = 1;
  for (std::size_t i = 0; i < words[0].sizes.size(); ++i) {
    std::vector<std::string> seen;
    for (const ShapeWord& word : words)
      if (std::find(seen.begin(), seen.end(), word.sizes[i]) == seen.end())
        seen.push_back(word.sizes[i]);
    combinations *= seen.size();
    parts.push_back(seen.size() == 1 ? seen[0] : fmt::format("{{{}}}", fmt::join(seen, ",")));
  }
  if (combinations != words.size()) return "";
  return words[0].name + fmt::format("{}", fmt::join(parts, "x"));
}

}  // namespace

std::vector<std::string> with_braces_again(const std::vector<std::string>& words) {
  std::vector<std::string> patterns;
  for (std::size_t first = 0; first < words.size();) {
    std::vector<ShapeWord> same = {shape_word(words[first])};
    while (first + same.size() < words.size()) {
      ShapeWord next = shape_word(words[first + same.size()]);
      if (next.name != same[0].name || next.sizes.size() != same[0].sizes.size()) break;
      same.push_back(std::move(next));
    }
    const std::string pattern = same.size() > 1 ? joined(same) : "";
    if (pattern.empty()) {
      patterns.push_back(words[first++]);
    } else {
      patterns.push_back(pattern);
      first += same.size();
    }
  }
  return patterns;
}

}  // namespace jouletree::cli
