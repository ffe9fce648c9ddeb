#pragma once

#include <span>
#include <string>
#include <vector>

#include "measure/known_parts.hpp"
#include "measure/part_workloads.hpp"
#include "measure/speed_of_whole.hpp"
#include "measure/unique_modules.hpp"

namespace jouletree::measure {

/// An operator or module of the model that is measured, or was measured earlier.
struct ReusablePart {
  PartIdentity identity;
  const TreeNode* node = nullptr;
  std::optional<Measured>* measured = nullptr;
};

/// Takes parts of a model from those that are known, and adds new ones to them.
class PartReuse {
 public:
  /// Nothing is known where `known` is null; else it must outlive this.
  explicit PartReuse(KnownParts* known) : known_(known) {}

  void begin(const Environment& environment, const ModelTree& tree);
  /// All kinds of a profile; none where nothing is known.
  [[nodiscard]] std::vector<ReusablePart> operators(Profile& profile,
                                                    const engines::LoadedModel& model,
                                                    const PartWorkloads& workloads) const;
  /// Those that are workloads of their own. Where something calls their operators, that is part of
  /// a module: its class counts, too.
  [[nodiscard]] std::vector<ReusablePart> modules(std::vector<UniqueModule>& modules,
                                                  const PartWorkloads& workloads,
                                                  bool are_called) const;
  /// Fills in what is known well enough.
  void take(std::span<const ReusablePart> parts, const WantedPart& wanted);
  /// How many operators are known, but not well enough.
  [[nodiscard]] std::size_t insufficient_operators() const {
    return known_ == nullptr ? 0 : known_->insufficient_operators();
  }
  /// Of what was measured now, all that others did not disturb. Returns why nothing could be kept;
  /// empty: it was.
  [[nodiscard]] std::string keep(std::span<const ReusablePart> parts, const SpeedOfWhole& speed);

 private:
  KnownParts* known_;
};

}  // namespace jouletree::measure
