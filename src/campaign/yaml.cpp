#include "campaign/yaml.hpp"

#include <fmt/format.h>
#include <yaml-cpp/yaml.h>

#include "jouletree/error.hpp"

namespace jouletree::campaign {
namespace {

/// A few lines with aliases may stand for more than any memory holds, or for themselves.
constexpr int kDeepest = 32;
constexpr std::size_t kMostNodes = 200'000;

class Copier {
 public:
  explicit Copier(const std::string& file) : file_(file) {}

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
      for (const auto& member : from)
        node.members.emplace_back(copy(member.first, depth + 1), copy(member.second, depth + 1));
    }
    return node;
  }

 private:
  const std::string& file_;
  std::size_t count_ = 0;
};

}  // namespace

std::vector<YamlNode> parse_yaml(const std::string& text, const std::string& file) {
  try {
    std::vector<YamlNode> documents;
    Copier copier(file);
    for (const YAML::Node& document : YAML::LoadAll(text))
      documents.push_back(copier.copy(document));
    return documents;
  } catch (const YAML::Exception& problem) {
    throw Error(ErrorKind::BadInput, fmt::format("{}: line {}: this is no YAML: {}", file,
                                                 problem.mark.line + 1, problem.msg));
  }
}

}  // namespace jouletree::campaign
