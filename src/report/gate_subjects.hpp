#pragma once

#include <string>

#include "report/compared_profile.hpp"
#include "report/gate.hpp"

namespace jouletree::report {

/// A folder with one profile, or above one, or one model of a database. `what` it is for the gate:
/// "profile", "baseline". Throws Error(BadInput).
[[nodiscard]] ComparedProfile gated_profile(const std::string& given, const char* what);

/// The folder of the one profile that `given` is or is above. Throws Error(BadInput) for several.
[[nodiscard]] std::string folder_of_gated(const std::string& given, const char* what);

/// Whether a baseline is a folder that has no profile yet.
[[nodiscard]] bool is_missing_baseline(const std::string& baseline);

/// Throws Error(BadInput) for a baseline or a profile that --update cannot copy: a database.
void refuse_update_of(const std::string& given);

/// What comes of a gate without a baseline, where the profile becomes the first one.
[[nodiscard]] GateResult gate_without_baseline(const std::string& baseline, const std::string& now);

}  // namespace jouletree::report
