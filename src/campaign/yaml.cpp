#include "campaign/yaml.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <sstream>

#include <fmt/format.h>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/yaml.h>

#include "jouletree/error.hpp"

namespace jouletree::campaign {
namespace {

/// A few lines with aliases may stand for more than any memory holds, or for themselves.
constexpr std::size_t kDeepest = 32;
constexpr std::size_t kMostNodes = 200'000;
/// The library takes a hundred times as much memory before anybody can count.
constexpr std::size_t kLargestText = std::size_t{4} << 20U;

/// A value, and how much there is of it.
struct Sized {
  YamlNode node;
  std::size_t nodes = 1;
  std::size_t depth = 0;  ///< 0: without values in it.
};

/// Makes values of what the parser tells, and stops it where there are too many: the library's own
/// tree of nodes would grow before anybody could count them.
class NodeBuilder final : public YAML::EventHandler {
 public:
  /// The name must outlive the object.
  explicit NodeBuilder(const std::string& file) : file_(file) {}

  [[nodiscard]] std::vector<YamlNode> take() && { return std::move(documents_); }

  void OnDocumentStart(const YAML::Mark& mark) override {
    // To the library, some texts are one document after the other that all begin here: a lone
    // comma.
    if (!documents_.empty() && mark.pos <= document_at_)
      throw YAML::ParserException(mark, "this letter cannot stand here");
    document_at_ = mark.pos;
    anchors_.clear();
  }
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    add_value({YamlNode::Kind::Null, line_of(mark)}, anchor);
  }
  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                const std::string& text) override {
    YamlNode node{YamlNode::Kind::Scalar, line_of(mark), text};
    node.quoted = tag == "!";
    add_value(std::move(node), anchor);
  }
  void OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    const auto found = anchors_.find(anchor);
    // Not yet there: it stands for what it stands in.
    if (found == anchors_.end()) refuse_amount(line_of(mark));
    count(found->second.nodes, found->second.depth, line_of(mark));
    add(found->second, 0);
  }
  void OnSequenceStart(const YAML::Mark& mark, const std::string&, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value) override {
    open({YamlNode::Kind::List, line_of(mark)}, anchor);
  }
  void OnSequenceEnd() override { close(); }
  void OnMapStart(const YAML::Mark& mark, const std::string&, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value) override {
    open({YamlNode::Kind::Map, line_of(mark)}, anchor);
  }
  void OnMapEnd() override { close(); }

 private:
  struct Open {
    Sized value;
    YAML::anchor_t anchor;
    std::optional<YamlNode> key{};  ///< Of a map, whose value comes next.
  };

  static int line_of(const YAML::Mark& mark) { return mark.line + 1; }

  [[noreturn]] void refuse_amount(int line) const {
    throw Error(ErrorKind::BadInput,
                fmt::format("{}: line {}: more values, or deeper ones, than a plan can have; "
                            "check aliases (*name)",
                            file_, line));
  }

  void count(std::size_t nodes, std::size_t depth, int line) {
    count_ += nodes;
    if (count_ > kMostNodes || open_.size() + depth > kDeepest) refuse_amount(line);
  }

  void add_value(YamlNode node, YAML::anchor_t anchor) {
    count(1, 0, node.line);
    add({std::move(node)}, anchor);
  }

  void open(YamlNode node, YAML::anchor_t anchor) {
    count(1, 0, node.line);
    open_.push_back({{std::move(node)}, anchor});
  }

  void close() {
    Open closed = std::move(open_.back());
    open_.pop_back();
    add(std::move(closed.value), closed.anchor);
  }

  void add(Sized value, YAML::anchor_t anchor) {
    if (anchor != 0) anchors_[anchor] = value;
    if (open_.empty()) {
      documents_.push_back(std::move(value.node));
      return;
    }
    Open& around = open_.back();
    around.value.nodes += value.nodes;
    around.value.depth = std::max(around.value.depth, value.depth + 1);
    if (around.value.node.kind == YamlNode::Kind::List) {
      around.value.node.items.push_back(std::move(value.node));
    } else if (!around.key) {
      refuse_merge(value.node);
      around.key = std::move(value.node);
    } else {
      value.node.anchored = anchor != 0;
      around.value.node.members.emplace_back(*std::move(around.key), std::move(value.node));
      around.key.reset();
    }
  }

  void refuse_merge(const YamlNode& key) const {
    if (key.text != "<<" || key.quoted) return;
    throw Error(ErrorKind::BadInput,
                fmt::format("{}: line {}: <<: plans have no merge keys; write the keys out, or let "
                            "an alias (*name) stand for a whole value",
                            file_, key.line));
  }

  const std::string& file_;
  std::vector<YamlNode> documents_;
  std::vector<Open> open_;
  std::map<YAML::anchor_t, Sized> anchors_;
  std::size_t count_ = 0;
  int document_at_ = 0;
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
    std::istringstream stream(text);
    YAML::Parser parser(stream);
    NodeBuilder builder(file);
    while (parser.HandleNextDocument(builder)) {
    }
    return std::move(builder).take();
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
