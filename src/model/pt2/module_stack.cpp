#include "model/pt2/module_stack.hpp"

#include <algorithm>

namespace jouletree::model::pt2 {
namespace {

/// What torch.compile puts around a module is no part of the model.
constexpr std::string_view kWrapperStep = "_orig_mod";
/// Deeper paths are somebody's joke.
constexpr std::size_t kMostSteps = 48;

struct StackEntry {
  std::string path;  ///< Empty for the model itself.
  std::string_view type;
  bool is_module = false;
};

/// Older files write Python: "L['self'].layers[0].conv".
std::string plain_path(std::string_view path) {
  constexpr std::string_view kSelf = "L['self']";
  if (path.starts_with(kSelf)) path.remove_prefix(kSelf.size());
  std::string plain;
  for (const char c : path) {
    if (c == '[') {
      plain += '.';
    } else if (c != ']' && c != '\'' && c != '"') {
      plain += c;
    }
  }
  plain.erase(0, std::min(plain.find_first_not_of('.'), plain.size()));
  return plain;
}

StackEntry entry_of(std::string_view text) {
  const std::size_t first = text.find(',');
  const std::size_t last = text.rfind(',');
  if (first == std::string_view::npos || last == first) return {};
  const std::string_view type = text.substr(last + 1);
  // Nodes that PyTorch added itself.
  if (text.starts_with("_empty_nn_module_stack")) return {};
  return {plain_path(text.substr(first + 1, last - first - 1)), type.substr(type.rfind('.') + 1),
          true};
}

template <class Use>
void for_each_entry(std::string_view stack, const Use& use) {
  while (!stack.empty()) {
    const std::size_t end = stack.find(';');
    const StackEntry entry = entry_of(stack.substr(0, end));
    if (entry.is_module) use(entry);
    stack.remove_prefix(end == std::string_view::npos ? stack.size() : end + 1);
  }
}

}  // namespace

void ModulePaths::add(std::string_view stack) {
  for_each_entry(stack,
                 [&](const StackEntry& entry) { types_.try_emplace(entry.path, entry.type); });
}

std::vector<runtime::RecordedModule> ModulePaths::steps(std::string_view stack) const {
  std::string path;
  for_each_entry(stack, [&](const StackEntry& entry) { path = entry.path; });
  std::vector<runtime::RecordedModule> steps;
  for (std::size_t begin = 0; begin < path.size() && steps.size() < kMostSteps;) {
    const std::size_t end = std::min(path.find('.', begin), path.size());
    const auto type = types_.find(std::string_view(path).substr(0, end));
    std::string name = path.substr(begin, end - begin);
    if (name != kWrapperStep && !name.empty())
      steps.push_back({std::move(name), type == types_.end() ? "" : type->second});
    begin = end + 1;
  }
  return steps;
}

}  // namespace jouletree::model::pt2
