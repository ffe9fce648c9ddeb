#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

#include "jouletree/profile.hpp"
#include "measure/profile.hpp"
#include "store/profile_view.hpp"

namespace jouletree::store {

/// The tree file of a profile.
inline constexpr const char* kTreeFile = "tree.jsonl";
/// What people are shown of it.
inline constexpr const char* kProfileFile = "profile.json";
/// Its layers.
inline constexpr const char* kLayersFile = "layers.csv";
/// Its windows.
inline constexpr const char* kTrialsFile = "trials.jsonl";
/// Seconds of single runs.
inline constexpr const char* kLatencyFile = "latency.csv";
/// Machine, model file and settings.
inline constexpr const char* kEnvironmentFile = "environment.json";

/// Makes the folder where there is none. Throws Error(BadInput) if it cannot be written, or holds
/// what must not be lost: an older profile unless that is to be replaced, a recording, or folders
/// with the names of files. So ask before measuring.
void prepare_profile_folder(const std::filesystem::path& folder, OlderProfile older);

/// Prepares the folder and writes tree.jsonl, layers.csv, profile.json, trials.jsonl,
/// environment.json, trace.json, run_trace.json and latency.csv. Whoever is killed meanwhile leaves
/// the whole older profile or the whole new one (ReplacedFiles); other files of the folder are not
/// touched. Throws Error(BadInput) for a full disk.
void write_profile_folder(const measure::Profile& profile, const ProfileView& view,
                          const std::filesystem::path& folder,
                          OlderProfile older = OlderProfile::Keep);
/// The same with the profile of another folder, and this as its profile.json. Where that is the
/// same folder, nothing else is written.
void copy_profile_folder(const std::filesystem::path& from, const std::filesystem::path& to,
                         OlderProfile older, std::string_view json);
/// Writes profile.json anew, in a folder that holds a profile.
void replace_profile_json(const std::filesystem::path& folder, std::string_view json);

/// Where a file of a profile is, such as kTreeFile. In the folder, unless somebody was killed who
/// wrote there.
[[nodiscard]] std::filesystem::path profile_file(const std::filesystem::path& folder,
                                                 const std::string& name);
/// Whether a folder holds a profile, good or damaged.
[[nodiscard]] bool holds_profile(const std::filesystem::path& folder);

/// What stands in profile.json, and its view.
struct StoredProfile {
  nlohmann::ordered_json json;
  ProfileView view;
};
/// What to do about files that somebody who was killed left on their way: read they are anyway.
enum class Leftovers { Move, Leave };
/// Throws Error(BadInput) for what is no profile, is damaged or of another version. With
/// Leftovers::Leave nothing is changed on the disk.
[[nodiscard]] StoredProfile read_profile_folder(const std::filesystem::path& folder,
                                                Leftovers leftovers = Leftovers::Move);

}  // namespace jouletree::store
