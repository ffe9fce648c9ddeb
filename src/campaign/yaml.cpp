#include "campaign/yaml.hpp"

#include <fmt/format.h>
#include <yaml-cpp/yaml.h>

#include "jouletree/error.hpp"

namespace jouletree::campaign {
namespace {

/// A few lines with aliases may stand for more than any memory holds, or for themselves.
constexpr int kDeepest = 32;
constexpr std::size_t kMostNodes = 200'000;
/// The library takes a hundred times as much memory before anybody can count.
constexpr std::size_t kLargestText = std::size_t{4} << 20U;

class Copier {
 public:
  /// Both must outlive the object.
  Copier(const std::string& text, const std::string& file) : text_(text), file_(file) {}

  YamlNode copy(const YAML::Node& from, int depth = 0) {
    YamlNode node;
    node.line = from.Mark().line + 1;
    if (depth > kDeepest || ++count_ > kMostNodes) {
      throw Error(ErrorKind::BadInput,
                  fmt::format("{}: line {}: more values, or deeper ones, than a plan can have; "
                              "check aliases (*name)",
                              file_, node.line));
    }
    if (from.IsScalar()) {
      node.kind = YamlNode::Kind::Scalar;
      node.text = from.Scalar();
      node.quoted = from.Tag() == "!";
    } else if (from.IsSequence()) {
      node.kind = YamlNode::Kind::List;
      for (const auto& item : from) node.items.push_back(copy(item, depth + 1));
    } else if (from.IsMap()) {
      node.kind = YamlNode::Kind::Map;
      for (const auto& member : from) {
        refuse_merge(member.first);
        node.members.emplace_back(copy(member.first, depth + 1), copy(member.second, depth + 1));
        node.members.back().second.anchored = has_anchor(member.first);
      }
    }
    return node;
  }

 private:
  void refuse_merge(const YAML::Node& key) const {
    if (!key.IsScalar() || key.Scalar() != "<<" || key.Tag() == "!") return;
    throw Error(ErrorKind::BadInput,
                fmt::format("{}: line {}: <<: plans have no merge keys; write the keys out, or let "
                            "an alias (*name) stand for a whole value",
                            file_, key.Mark().line + 1));
  }

  /// The library does not tell.
  [[nodiscard]] bool has_anchor(const YAML::Node& key) const {
    if (key.Mark().pos < 0) return false;
    const std::size_t colon = text_.find(':', static_cast<std::size_t>(key.Mark().pos));
    const std::size_t value = text_.find_first_not_of(" \t", std::min(colon, text_.size() - 1) + 1);
    return colon != std::string::npos && value != std::string::npos && text_[value] == '&';
  }

  const std::string& text_;
  const std::string& file_;
  std::size_t count_ = 0;
};

/// The first that is indented with one; 0: none.
int line_with_tab(const std::string& text) {
  int line = 1;
  for (std::size_t begin = 0; begin < text.size(); ++line) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    const std::size_t first = std::min(text.find_first_not_of(" \t", begin), end);
    if (text.find('\t', begin) < first) return line;
    begin = end + 1;
  }
  return 0;
}

}  // namespace

std::vector<YamlNode> parse_yaml(const std::string& text, const std::string& file) {
  if (text.size() > kLargestText) {
    throw Error(ErrorKind::BadInput,
                fmt::format("{}: is larger than 4 MiB, which no plan is; let ranges and lists that "
                            "are multiplied say what it says",
                            file));
  }
  try {
    std::vector<YamlNode> documents;
    Copier copier(text, file);
    for (const YAML::Node& document : YAML::LoadAll(text))
      documents.push_back(copier.copy(document));
    return documents;
  } catch (const YAML::Exception& problem) {
    if (const int line = line_with_tab(text); line > 0)
      throw Error(
          ErrorKind::BadInput,
          fmt::format("{}: line {}: begins with a tab; YAML takes spaces only", file, line));
    throw Error(ErrorKind::BadInput, fmt::format("{}: line {}: this is no YAML: {}", file,
                                                 problem.mark.line + 1, problem.msg));
  }
}

}  // namespace jouletree::campaign
