#pragma once

#include <filesystem>

#include <nlohmann/json.hpp>

#include "measure/profile.hpp"
#include "report/profile_view.hpp"

namespace jouletree {

/// The tree file of a profile.
inline constexpr const char* kTreeFile = "tree.jsonl";

/// Makes the folder where there is none. Throws Error(BadInput), so ask before measuring.
void make_profile_folder(const std::filesystem::path& folder);

/// Writes tree.jsonl, layers.csv, profile.json, trials.jsonl, environment.json, trace.json and
/// latency.csv; each appears as a whole or not at all. Throws Error(BadInput) for a full disk.
void write_profile_folder(const Profile& profile, const ProfileView& view,
                          const std::filesystem::path& folder);

/// Whether a folder holds a profile, good or damaged.
[[nodiscard]] bool holds_profile(const std::filesystem::path& folder);

/// What stands in profile.json, and its view.
struct StoredProfile {
  nlohmann::ordered_json json;
  ProfileView view;
};
/// Throws Error(BadInput) for what is no profile, is damaged or of another version.
[[nodiscard]] StoredProfile read_profile_folder(const std::filesystem::path& folder);

}  // namespace jouletree
