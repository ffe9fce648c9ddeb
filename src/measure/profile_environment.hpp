#pragma once

#include "measure/profile.hpp"

namespace jouletree::measure {

/// The machine, the model and all settings of a profile.
[[nodiscard]] Environment environment_of(const engines::ModelToLoad& model,
                                         const ProfileOptions& options,
                                         const engines::Engine& engine, const EnergySource& energy);

}  // namespace jouletree::measure
