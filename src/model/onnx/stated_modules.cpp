#include "model/onnx/stated_modules.hpp"

#include <charconv>
#include <optional>

#include <fmt/format.h>

namespace jouletree::model::onnx {
namespace {

/// Takes the text up to the separator, and the separator, off the front.
std::string_view take_part(std::string_view& text, char separator) {
  const std::size_t end = text.find(separator);
  const std::string_view part = text.substr(0, end);
  text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  return part;
}

std::optional<std::int64_t> count_from(std::string_view text) {
  std::int64_t number = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (problem != std::errc() || end != text.data() + text.size() || number < 0) return std::nullopt;
  return number;
}

std::optional<StatedModule> module_from(std::string_view line) {
  StatedModule module;
  module.path = take_part(line, '\t');
  module.type = take_part(line, '\t');
  const auto params = count_from(take_part(line, '\t'));
  const auto trainable = count_from(line);
  if (!params || !trainable || *trainable > *params) return std::nullopt;
  module.params = *params;
  module.frozen_params = *params - *trainable;
  return module;
}

}  // namespace

void read_stated_modules(std::string_view entry, Graph& graph) {
  for (int number = 1; !entry.empty(); ++number) {
    const auto module = module_from(take_part(entry, '\n'));
    if (!module) {
      throw Error(ErrorKind::BadInput,
                  fmt::format("line {} of the metadata '{}' is not a path, a class, the number of "
                              "parameters and that of trainable ones; export the model again",
                              number, kModulesKey));
    }
    graph.stated_modules.push_back(*module);
  }
  if (!graph.stated_modules.empty()) {
    graph.notes.emplace_back(
        "parameters of modules are those of the model that was exported; operators count the "
        "tensors "
        "that its ONNX graph stores");
  }
}

}  // namespace jouletree::model::onnx
