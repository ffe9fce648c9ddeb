#include <set>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "jouletree/error.hpp"
#include "jouletree/inference.hpp"
#include "model/inference/inputs.hpp"

namespace jouletree {
namespace {

template <class Settings>
void remove_names(std::set<std::string>& names, const Settings& used) {
  for (const auto& entry : used) names.erase(entry.first);
}

template <class Settings>
void add_names(std::set<std::string>& names, const Settings& given) {
  for (const auto& entry : given) names.insert(entry.first);
}

std::string list_text(const std::set<std::string>& names) {
  return names.empty() ? "none" : fmt::format("{}", fmt::join(names, ", "));
}

}  // namespace

void refuse_unused(const InputSettings& settings, const std::vector<InputSettings>& used,
                   const std::vector<const Graph*>& graphs) {
  std::set<std::string> names;
  add_names(names, settings.shapes);
  add_names(names, settings.symbols);
  add_names(names, settings.values);
  for (const InputSettings& part : used) {
    remove_names(names, part.shapes);
    remove_names(names, part.symbols);
    remove_names(names, part.values);
  }
  if (names.empty()) return;
  std::set<std::string> inputs;
  std::set<std::string> dims;
  for (const Graph* graph : graphs) {
    const model::SettableNames of_graph = model::settable_names(*graph);
    inputs.insert(of_graph.inputs.begin(), of_graph.inputs.end());
    dims.insert(of_graph.symbols.begin(), of_graph.symbols.end());
  }
  throw Error(ErrorKind::BadInput,
              fmt::format("none of the models has an input or symbolic dimension '{}'; inputs: {}; "
                          "symbolic dimensions: {}",
                          fmt::join(names, "', '"), list_text(inputs), list_text(dims)));
}

}  // namespace jouletree
