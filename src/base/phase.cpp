#include <array>

#include "jouletree/graph.hpp"

namespace jouletree {
namespace {

constexpr std::array<std::string_view, 5> kPhaseNames = {"forward", "loss", "backward", "optimizer",
                                                         "zero_grad"};

}  // namespace

std::string_view name_of(Phase phase) { return kPhaseNames.at(static_cast<std::size_t>(phase)); }

std::optional<Phase> phase_from_name(std::string_view name) {
  for (std::size_t i = 0; i < kPhaseNames.size(); ++i)
    if (kPhaseNames.at(i) == name) return static_cast<Phase>(i);
  return std::nullopt;
}

}  // namespace jouletree
