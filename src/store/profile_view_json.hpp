#pragma once

#include <string>

#include <nlohmann/json.hpp>

#include "store/profile_view.hpp"

namespace jouletree::store {

/// The parts of profile.json that the view needs.
[[nodiscard]] nlohmann::ordered_json view_json(const ProfileView& view);
/// Reads them again. Throws Error(BadInput), naming `where`, for what is no profile, is damaged or
/// of another version.
[[nodiscard]] ProfileView parse_view(const nlohmann::ordered_json& json, const std::string& where);

/// {"value": …, "unit": …, "provenance": …, "low": …, "high": …}; all but the unit may be null.
[[nodiscard]] nlohmann::ordered_json number_json(const Figure& figure, const std::string& unit,
                                                 const std::string& provenance);

inline constexpr const char* kProfileFormat = "jouletree profile";
inline constexpr int kProfileVersion = 1;

}  // namespace jouletree::store
