#include "model/inference/size_notes.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace jouletree::model {
namespace {

constexpr std::size_t kMostNamed = 12;
constexpr std::ptrdiff_t kNamedOfMany = 6;

/// Open dimensions that were chosen in the same way for the same reason.
struct ChosenAlike {
  SizeChoice choice;
  std::vector<std::string> keys;
  std::vector<std::string> sizes;  ///< "height = 224".
  bool named = false;
};

std::vector<ChosenAlike> chosen_alike(const std::vector<OpenDim>& open,
                                      const SizeChoices& choices) {
  std::vector<ChosenAlike> groups;
  for (const OpenDim& dim : open) {
    const auto found = choices.find(dim.key);
    const SizeChoice choice = found == choices.end() ? SizeChoice{} : found->second;
    auto group = std::find_if(groups.begin(), groups.end(), [&](const ChosenAlike& other) {
      return other.choice.origin == choice.origin && other.choice.reason == choice.reason;
    });
    if (group == groups.end()) group = groups.insert(groups.end(), {choice, {}, {}, false});
    group->keys.push_back(dim.key);
    group->sizes.push_back(fmt::format("{} = {}", dim.key, choice.size));
    group->named = group->named || dim.named;
  }
  return groups;
}

/// Models with many layers have many dimensions of one kind.
std::string shortened_list(const std::vector<std::string>& parts) {
  if (parts.size() <= kMostNamed) return fmt::format("{}", fmt::join(parts, ", "));
  const std::vector<std::string> first(parts.begin(), parts.begin() + kNamedOfMany);
  return fmt::format("{} and {} more", fmt::join(first, ", "), parts.size() - first.size());
}

std::string note_on(ChosenAlike group) {
  std::sort(group.keys.begin(), group.keys.end());
  const char* const flag = group.named ? "--dim NAME=SIZE" : "--input NAME=SHAPE";
  const std::string sizes = shortened_list(group.sizes);
  const std::string& reason = group.choice.reason;
  switch (group.choice.origin) {
    case SizeOrigin::Graph:
      return fmt::format("open dimensions found from the graph: {} ({})", sizes, reason);
    case SizeOrigin::Usual:
      return fmt::format("open dimensions counted at a usual size{}: {} (set them with {})", reason,
                         sizes, flag);
    case SizeOrigin::Example:
      return fmt::format(
          "open dimensions counted as in the example that the file was made with: {} "
          "(set them with {})",
          sizes, flag);
    case SizeOrigin::EmptyCache:
      return fmt::format("caches counted as empty: {} (set them with {})", sizes, flag);
    default:
      return fmt::format("open dimensions counted as 1: {} (set them with {})",
                         shortened_list(group.keys), flag);
  }
}

}  // namespace

void add_size_notes(InputStates& inputs, const SizeChoices& choices) {
  std::vector<std::string> notes;
  for (ChosenAlike& group : chosen_alike(inputs.open, choices))
    notes.push_back(note_on(std::move(group)));
  inputs.choices = fmt::format("{}", fmt::join(notes, "; "));
  inputs.notes.insert(inputs.notes.end(), notes.begin(), notes.end());
}

}  // namespace jouletree::model
