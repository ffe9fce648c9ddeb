#pragma once

#include <string>

#include <nlohmann/json_fwd.hpp>

#include "measure/profile.hpp"
#include "store/profile_view.hpp"

namespace jouletree::store {

/// The content of profile.json: one object, metrics as everywhere.
[[nodiscard]] nlohmann::ordered_json profile_json(const measure::Profile& profile,
                                                  const ProfileView& view);
/// As it stands in files and on standard output.
[[nodiscard]] std::string json_text(const nlohmann::ordered_json& json);

}  // namespace jouletree::store
