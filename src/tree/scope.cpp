#include "tree/scope.hpp"

#include <optional>

#include <fmt/format.h>

namespace jouletree::tree {
namespace {

constexpr std::string_view kNameScopes = "pkg.torch.onnx.name_scopes";
constexpr std::string_view kClassHierarchy = "pkg.torch.onnx.class_hierarchy";
constexpr std::string_view kNamespace = "namespace";
/// Deeper paths are no modules but somebody's file names.
constexpr std::size_t kMaxModules = 48;

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  while (!text.empty()) {
    const std::size_t end = text.find(separator);
    const std::string_view part = text.substr(0, end);
    if (!part.empty()) parts.push_back(part);
    if (end == std::string_view::npos) break;
    text.remove_prefix(end + 1);
  }
  return parts;
}

/// The texts of a list written as in Python: ['', 'layer1', "layer1.0"]. Nothing if it is not one.
std::optional<std::vector<std::string_view>> parse_list(std::string_view text) {
  if (text.size() < 2 || text.front() != '[' || text.back() != ']') return std::nullopt;
  text = text.substr(1, text.size() - 2);
  std::vector<std::string_view> items;
  while (true) {
    const std::size_t open = text.find_first_of("'\"");
    if (open == std::string_view::npos) return items;
    const std::size_t close = text.find(text[open], open + 1);
    if (close == std::string_view::npos) return std::nullopt;
    items.push_back(text.substr(open + 1, close - open - 1));
    text.remove_prefix(close + 1);
  }
}

std::string_view metadata_of(const Node& node, std::string_view key) {
  for (const Metadata& entry : node.metadata)
    if (entry.key == key) return entry.value;
  return {};
}

std::string_view after_last(std::string_view text, char separator) {
  const std::size_t at = text.rfind(separator);
  return at == std::string_view::npos ? text : text.substr(at + 1);
}

/// The part of a path that a module adds to that of its parent.
std::string_view relative_to(std::string_view parent, std::string_view path) {
  if (!parent.empty() && path.size() > parent.size() + 1 &&
      path.substr(0, parent.size()) == parent && path[parent.size()] == '.')
    path.remove_prefix(parent.size() + 1);
  return path;
}

/// ['', 'layer1', 'layer1.0', 'layer1.0.conv1', 'conv2d']: full paths, then the operator.
std::optional<std::vector<ScopeStep>> from_name_scopes(const Node& node) {
  const auto paths = parse_list(metadata_of(node, kNameScopes));
  if (!paths || paths->empty()) return std::nullopt;
  const auto classes = parse_list(metadata_of(node, kClassHierarchy));
  std::vector<ScopeStep> steps;
  std::string_view parent;
  for (std::size_t i = 0; i + 1 < paths->size(); ++i) {
    const std::string_view path = (*paths)[i];
    if (path.empty() || path == parent) continue;
    const bool has_class = classes && i < classes->size();
    steps.push_back({std::string(relative_to(parent, path)),
                     has_class ? std::string(after_last((*classes)[i], '.')) : ""});
    parent = path;
  }
  return steps;
}

/// ": models.ResNet/layer1: nn.Sequential/layer1.0: models.BasicBlock/conv1: nn.Conv2d/conv2d:
/// aten…"
std::optional<std::vector<ScopeStep>> from_namespace(const Node& node) {
  const auto parts = split(metadata_of(node, kNamespace), '/');
  if (parts.empty()) return std::nullopt;
  std::vector<ScopeStep> steps;
  std::string_view parent;
  for (std::size_t i = 0; i + 1 < parts.size(); ++i) {
    const std::size_t colon = parts[i].find(": ");
    const std::string_view path = parts[i].substr(0, colon);
    if (path.empty() || colon == std::string_view::npos) continue;
    steps.push_back({std::string(relative_to(parent, path)),
                     std::string(after_last(parts[i].substr(colon + 2), '.'))});
    parent = path;
  }
  return steps;
}

/// PyTorch repeats the parent in the name of a numbered child: "layer1/layer1.0". TensorFlow puts
/// the call of the saved function in front of everything, which tells nobody anything.
void append_slash_path(const std::vector<std::string_view>& parts, std::vector<ScopeStep>& steps) {
  std::string_view parent;
  for (const std::string_view part : parts) {
    if (part.rfind("StatefulPartitionedCall", 0) == 0) continue;
    steps.push_back({std::string(relative_to(parent, part)), ""});
    parent = part;
  }
}

}  // namespace

Scope scope_of(const Node& node) {
  Scope scope;
  for (const std::string_view call : node.calls) append_slash_path(split(call, '/'), scope.modules);
  if (!node.modules.empty()) {
    for (const ModuleStep& step : node.modules)
      scope.modules.push_back({std::string(step.name), std::string(step.type)});
    scope.leaf = std::string(node.name);
    return scope;
  }
  auto parts = split(node.name, '/');
  const std::string_view last = parts.empty() ? std::string_view() : parts.back();
  scope.leaf = last.empty() ? fmt::format("{}_{}", node.op, node.id) : std::string(last);
  auto steps = from_name_scopes(node);
  if (!steps) steps = from_namespace(node);
  if (steps) {
    scope.modules.insert(scope.modules.end(), steps->begin(), steps->end());
  } else if (!parts.empty()) {
    parts.pop_back();
    append_slash_path(parts, scope.modules);
  }
  if (scope.modules.size() > kMaxModules) scope.modules.resize(kMaxModules);
  return scope;
}

std::vector<ScopeStep> steps_of(std::string_view path) {
  std::vector<ScopeStep> steps;
  append_slash_path(split(path, '/'), steps);
  if (steps.size() > kMaxModules) steps.resize(kMaxModules);
  return steps;
}

std::optional<PlainScope> plain_scope_of(const Node& node) {
  const bool only_name = node.calls.empty() && node.modules.empty() && node.metadata.empty();
  if (!only_name || node.name.empty() || node.name.back() == '/') return std::nullopt;
  const std::size_t slash = node.name.rfind('/');
  if (slash == std::string_view::npos) return PlainScope{{}, node.name};
  return PlainScope{node.name.substr(0, slash), node.name.substr(slash + 1)};
}

bool tells_scope(const Node& node) {
  return !node.calls.empty() || !node.modules.empty() ||
         node.name.find('/') != std::string_view::npos || !metadata_of(node, kNameScopes).empty() ||
         !metadata_of(node, kNamespace).empty();
}

}  // namespace jouletree::tree
