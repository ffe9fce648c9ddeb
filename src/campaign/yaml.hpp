#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace jouletree::campaign {

/// A value of a YAML text, with the line where it begins.
struct YamlNode {
  enum class Kind : std::uint8_t { Null, Scalar, List, Map };
  Kind kind = Kind::Null;
  int line = 0;
  std::string text{};     ///< Of a scalar, as it is written.
  bool quoted = false;    ///< A scalar that is a text, whatever it looks like.
  bool anchored = false;  ///< A value of a map with an anchor, as KEY: &name VALUE.
  std::vector<YamlNode> items{};
  std::vector<std::pair<YamlNode, YamlNode>> members{};  ///< In the order of the text.
};

/// All documents of a text. `file` names it in errors. Throws Error: BadInput for what is no YAML,
/// with its line, Missing where this program was built without a reader for it.
[[nodiscard]] std::vector<YamlNode> parse_yaml(const std::string& text, const std::string& file);

}  // namespace jouletree::campaign
