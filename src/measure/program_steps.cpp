#include "measure/program_steps.hpp"

#include <unordered_map>

namespace jouletree::measure {

std::vector<Step> steps_of(std::span<const engines::Part> program) {
  std::vector<Step> steps;
  std::unordered_map<std::string_view, std::string_view> shown;
  const auto behind = [&](std::string_view name) {
    const auto view = shown.find(name);
    return view == shown.end() ? name : view->second;
  };
  for (const engines::Part& part : program) {
    Step& step = steps.emplace_back();
    const std::size_t first_write = part.is_view ? 1 : 0;
    for (std::size_t i = first_write; i < part.writes.size(); ++i)
      step.writes.push_back({part.writes[i].name, part.writes[i].bytes});
    if (part.is_view) {
      shown[part.writes[0].name] = behind(part.reads[0].name);
      continue;
    }
    for (const auto& read : part.reads) step.reads.push_back({behind(read.name), read.bytes});
    for (const std::string& name : part.overwrites) step.overwrites.push_back(behind(name));
    step.weight_bytes = part.weight_bytes;
  }
  return steps;
}

}  // namespace jouletree::measure
