#include "engines/onnxruntime/refusal.hpp"

#include <functional>
#include <regex>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace jouletree::engines {
namespace {

using Found = std::smatch;

constexpr const char* kNewerEngine = "let ONNXRUNTIME_ROOT name the folder of a newer ONNX Runtime";
/// A text that matches nothing costs time for each of its characters.
constexpr std::size_t kMostText = 2000;

std::string node_text(const std::string& name, const std::string& op) {
  return name.empty() ? fmt::format("a node ({})", op) : fmt::format("node '{}' ({})", name, op);
}

/// The first node of that kind in the main graph.
const Node* node_of(const Graph& model, std::string_view domain, std::string_view op) {
  for (const Node& node : model.main.nodes)
    if (node.op == op && node.domain == domain) return &node;
  return nullptr;
}

const Node* node_named(const Graph& model, std::string_view name) {
  for (const Node& node : model.main.nodes)
    if (!name.empty() && node.name == name) return &node;
  return nullptr;
}

/// " of float64", where the file says of which types a node's inputs are.
std::string types_of(const Graph& model, const Node* node) {
  if (node == nullptr) return "";
  for (const ValueId input : node->inputs) {
    if (input == kNoValue) continue;
    const ValueType& type = model.values[input].declared;
    if (type.type != DataType::Undefined) return fmt::format(" of {}", name_of(type.type));
  }
  return "";
}

/// "?x4": an input as the file declares it.
std::string declared_shape(const Graph& model, const std::string& name) {
  for (const GraphValue& value : model.values) {
    if (value.name != name || !value.declared.dims) continue;
    std::vector<std::string> sizes;
    for (const Dim dim : *value.declared.dims)
      sizes.push_back(dim == kUnknownDim ? "?" : std::to_string(dim));
    return fmt::format("{}", fmt::join(sizes, "x"));
  }
  return "";
}

std::string unknown_custom_operator(const Found& found, const Graph& model) {
  const std::string domain = found[1];
  const std::string op = found[2];
  const Node* node = node_of(model, domain, op);
  return fmt::format(
      "{}: ONNX Runtime does not know this operator, which is in no standard, and profile cannot "
      "load libraries of custom operators; replace it, or profile the model without it "
      "('jouletree inspect' counts the rest)",
      node_text(node == nullptr ? "" : std::string(node->name), domain + ":" + op));
}

std::string unknown_operator(const Found& found, const Graph& /*model*/) {
  return fmt::format(
      "{}: this ONNX Runtime has no such operator in opset {}; check the name and the opset, or {}",
      node_text(found[1], found[2]), found[3].str(), kNewerEngine);
}

std::string newer_opset(const Found& found, const Graph& /*model*/) {
  return fmt::format(
      "the model uses opset {} of {}, and this ONNX Runtime knows opsets up to {}; export the "
      "model with an older opset, or {}",
      found[1].str(), found[2].str(), found[3].str(), kNewerEngine);
}

std::string newer_format(const Found& found, const Graph& /*model*/) {
  return fmt::format(
      "the file is of IR version {}, and this ONNX Runtime reads versions up to {}; save the model "
      "with an older version of the onnx package, or {}",
      found[1].str(), found[2].str(), kNewerEngine);
}

std::string no_kernel(const Found& found, const Graph& model) {
  return fmt::format(
      "{}: ONNX Runtime has no kernel for this operator{} on the device; export the model with "
      "another type, such as float32",
      node_text(found[2], found[1]), types_of(model, node_named(model, found[2].str())));
}

std::string wrong_type(const Found& found, const Graph& /*model*/) {
  return fmt::format(
      "{}: its input '{}' is of {}, which the operator does not allow; export the model with "
      "another type, such as float32",
      node_text(found[4], found[3]), found[2].str(), found[1].str());
}

std::string mixed_types(const Found& found, const Graph& /*model*/) {
  return fmt::format("{}: its inputs are of {} and {}, but must be of one type; put a Cast between",
                     node_text(found[4], found[1]), found[2].str(), found[3].str());
}

/// "; give a shape that fits ?x4 with --input x=SHAPE".
std::string shape_advice(const Graph& model, const std::string& input) {
  const std::string declared = declared_shape(model, input);
  return fmt::format("; give a shape that fits{} with --input {}=SHAPE",
                     declared.empty() ? "" : " " + declared, input);
}

std::string wrong_shape(const Found& found, const Graph& model) {
  static const std::regex kSize("index: (\\d+) Got: (-?\\d+) Expected: (-?\\d+)");
  const std::string input = found[1];
  const std::string places = found[2];
  std::vector<std::string> sizes;
  for (std::sregex_iterator at(places.begin(), places.end(), kSize), end; at != end; ++at) {
    sizes.push_back(fmt::format("{} on axis {}, where it must be {}", (*at)[2].str(),
                                (*at)[1].str(), (*at)[3].str()));
  }
  return fmt::format("input '{}' is {}{}", input, fmt::join(sizes, ", and "),
                     shape_advice(model, input));
}

std::string wrong_rank(const Found& found, const Graph& model) {
  return fmt::format("input '{}' has {} axes, where it must have {}{}", found[1].str(),
                     found[2].str(), found[3].str(), shape_advice(model, found[1]));
}

std::string clashing_sizes(const Found& found, const Graph& /*model*/) {
  return fmt::format("{}: sizes of its inputs do not fit each other: {} by {}",
                     node_text(found[2], found[1]), found[3].str(), found[4].str());
}

std::string failed_run(const Found& found, const Graph& /*model*/) {
  return fmt::format("{}: the engine cannot run it with these inputs: {}",
                     node_text(found[2], found[1]), found[3].str());
}

std::string refused_node(const Found& found, const Graph& /*model*/) {
  return fmt::format("{}: the engine refuses it: {}", node_text(found[1], found[2]),
                     found[3].str());
}

struct Rule {
  std::regex pattern;
  std::function<std::string(const Found&, const Graph&)> say;
};

const std::vector<Rule>& rules() {
  static const std::vector<Rule> all = {
      {std::regex(R"re(([\w.\-]+):(\w+)\(-?\d+\) is not a registered function/op)re"),
       unknown_custom_operator},
      {std::regex(R"re(In Node, \("([^"]*)", (\w+),.*No Op registered for .*version of (\d+))re"),
       unknown_operator},
      {std::regex(R"re(Opset (\d+) is under development.*domain (\S+) is till opset (\d+))re"),
       newer_opset},
      {std::regex(R"re(Unsupported model IR version: (\d+), max supported IR version: (\d+))re"),
       newer_format},
      {std::regex(R"re(not find an implementation for (\w+)\(\d+\) node with name '([^']*)')re"),
       no_kernel},
      {std::regex(
           R"re(Type 'tensor\((\w+)\)' of input parameter \(([^)]*)\) of operator \((\w+)\) )re"
           R"re(in node \(([^)]*)\) is invalid)re"),
       wrong_type},
      {std::regex(R"re(Optype \((\w+)\) bound to different types \(tensor\((\w+)\) and )re"
                  R"re(tensor\((\w+)\) in node \(([^)]*)\))re"),
       mixed_types},
      {std::regex(
           R"re(invalid dimensions for input: (\S+) for the following indices(.*Expected.*))re"),
       wrong_shape},
      {std::regex(R"re(Invalid rank for input: (\S+) Got: (\d+) Expected: (\d+))re"), wrong_rank},
      {std::regex(R"re(while running (\w+) node\. Name:'([^']*)' Status Message: )re"
                  R"re(.*Attempting to broadcast.* (\d+) by (\d+))re"),
       clashing_sizes},
      {std::regex(R"re(while running (\w+) node\. Name:'([^']*)' Status Message: (.*))re"),
       failed_run},
      {std::regex(R"re(In Node, \("([^"]*)", (\w+),.* Error (.*))re"), refused_node},
  };
  return all;
}

}  // namespace

std::string refusal_text(const std::string& told, const Graph& model) {
  const std::string file = model.path.string();
  if (told.starts_with(file + ":")) return told;
  const std::string text = told.substr(0, kMostText);
  Found found;
  for (const Rule& rule : rules()) {
    if (std::regex_search(text, found, rule.pattern))
      return fmt::format("{}: {}", file, rule.say(found, model));
  }
  return fmt::format("{}: ONNX Runtime cannot use the model: {}", file, text);
}

}  // namespace jouletree::engines
