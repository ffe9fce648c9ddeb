#pragma once

#include "measure/profile.hpp"

namespace jouletree::measure {

/// The machine, the model and all settings of a profile that begins now.
[[nodiscard]] Environment environment_of(const engines::ModelToLoad& model,
                                         const ProfileOptions& options,
                                         const engines::Engine& engine, const EnergySource& energy,
                                         const Clock& clock);

}  // namespace jouletree::measure
