#include "engines/onnxruntime/body_notes.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace jouletree::engines {
namespace {

std::string name_for_people(const Node& node) {
  return node.name.empty() ? fmt::format("unnamed node {}", node.id)
                           : fmt::format("'{}'", node.name);
}

/// Some of them, where there are many.
std::string list_of(const std::vector<std::string>& all) {
  constexpr std::size_t kMostNamed = 3;
  const std::size_t named = std::min(all.size(), kMostNamed);
  const std::vector<std::string> first(all.begin(),
                                       all.begin() + static_cast<std::ptrdiff_t>(named));
  const std::string list = fmt::format("{}", fmt::join(first, ", "));
  return all.size() > named ? fmt::format("{} and {} more", list, all.size() - named) : list;
}

}  // namespace

void BodyNotes::add(Lists& lists, const std::string& who, std::string text) {
  auto list = std::find_if(lists.begin(), lists.end(),
                           [&](const auto& entry) { return entry.first == who; });
  if (list == lists.end()) list = lists.insert(list, {who, {}});
  list->second.push_back(std::move(text));
}

void BodyNotes::add_branch(const Node& choice, bool then) {
  add(branches_, who_chooses(choice.inputs[0]),
      fmt::format("{} of {}", then ? "then" : "else", name_for_people(choice)));
}

void BodyNotes::add_loop(const Node& node, const OpenedBodies::Loop& loop) {
  add(loops_, who_ends(node),
      fmt::format("number {} of {} in {}", loop.taken + 1, loop.iterations, name_for_people(node)));
}

void BodyNotes::add_idle_loop(const Node& node) {
  add(idle_loops_, who_ends(node), name_for_people(node));
}

std::vector<std::string> BodyNotes::write() const {
  std::vector<std::string> notes;
  const auto write = [&](const char* what, const Lists& lists) {
    for (const auto& [who, list] : lists)
      notes.push_back(fmt::format("{}: {}{}{}", what, list_of(list), who.empty() ? "" : "; ", who));
  };
  write("the branch that ran was measured", branches_);
  write("of each loop, one iteration was measured and stands for all", loops_);
  write("with these inputs no iteration ran, so what stands inside was not measured", idle_loops_);
  return notes;
}

std::string BodyNotes::who_chooses(ValueId condition) const {
  const model::DecidingInputs inputs = origins_.inputs_behind(condition);
  if (inputs.contents.size() == 1) {
    const std::string_view name = graph_.values[inputs.contents[0]].name;
    if (const auto flag = opened_.flags.find(name); flag != opened_.flags.end()) {
      return fmt::format("input '{}' decides and was {}; --value {}={} measures the other branch",
                         name, flag->second, name, !flag->second);
    }
  }
  return origins_.who_decides(condition);
}

/// The number of iterations of a Loop; that of a Scan is the size of an input.
std::string BodyNotes::who_ends(const Node& node) const {
  const bool has_limit = node.op == "Loop" && !node.inputs.empty() && node.inputs[0] != kNoValue;
  return has_limit ? origins_.who_decides(node.inputs[0]) : "";
}

}  // namespace jouletree::engines
