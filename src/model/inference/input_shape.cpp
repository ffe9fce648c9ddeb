#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "jouletree/inference.hpp"

namespace jouletree {

std::string_view name_of(SizeOrigin origin) {
  switch (origin) {
    case SizeOrigin::File: return "file";
    case SizeOrigin::Given: return "given";
    case SizeOrigin::Data: return "data";
    case SizeOrigin::Expression: return "expression";
    case SizeOrigin::Graph: return "graph";
    case SizeOrigin::Usual: return "usual";
    case SizeOrigin::Example: return "example";
    case SizeOrigin::EmptyCache: return "empty cache";
    case SizeOrigin::Default: return "default";
  }
  return "";
}

std::string to_string(const InputShape& shape) {
  if (!shape.dims) return "of unknown shape";
  Dims sizes;
  std::vector<std::string> names;
  for (const InputDim& dim : *shape.dims) {
    sizes.push_back(dim.size);
    const bool is_sum = dim.name.find(' ') != std::string::npos;
    const std::string name = dim.name.empty() ? "?" : is_sum ? "(" + dim.name + ")" : dim.name;
    names.push_back(dim.open ? name : std::to_string(dim.size));
  }
  const bool any_open = std::any_of(shape.dims->begin(), shape.dims->end(),
                                    [](const InputDim& dim) { return dim.open; });
  if (!any_open) return to_string(sizes);
  return fmt::format("{} = {}", fmt::join(names, " x "), to_string(sizes));
}

InputSettings settled_settings(const Inference& inference, InputSettings settings) {
  for (const InputShape& shape : inference.inputs) {
    if (!shape.dims) continue;
    Dims dims;
    for (const InputDim& dim : *shape.dims) dims.push_back(dim.size);
    settings.shapes[shape.name] = std::move(dims);
  }
  return settings;
}

}  // namespace jouletree
