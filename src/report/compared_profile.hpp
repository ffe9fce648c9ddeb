#pragma once

#include <filesystem>

#include "report/compare_report.hpp"
#include "store/database/kept_model.hpp"
#include "store/profile_view.hpp"
#include "store/trial_series.hpp"

namespace jouletree::report {

/// A profile to compare, and where and how it was measured.
struct ComparedProfile {
  ComparedModel model;
  store::ProfileView view;
  store::ProfileTrials trials{};
};

/// What a folder of 'jouletree profile -o' tells: counts of the graph that the engine ran, and what
/// was measured, as metrics of the catalogue. Metrics that the folder does not hold are unknown.
/// Throws Error(BadInput).
[[nodiscard]] ComparedProfile compared_profile(const std::filesystem::path& folder,
                                               const std::string& label);

/// The same of a profile that stands in no folder: `tree_line` is what would be its tree file, and
/// `file` what comparisons call it.
[[nodiscard]] ComparedProfile compared_profile(const store::ProfileView& profile,
                                               std::string_view tree_line, const std::string& file,
                                               const std::string& label);

/// The same of a model that a database has.
[[nodiscard]] ComparedProfile compared_profile(const store::KeptModel& kept,
                                               const std::string& label);

/// Profiles of older programs keep counts in their tree file alone: takes them from there. Does
/// nothing to others. Throws Error(BadInput).
void complete_counts(const std::filesystem::path& folder, store::ProfileView& view);

/// In what the measurements differ besides the model: machine, engine, settings. One sentence each.
[[nodiscard]] std::vector<std::string> differences_of(const std::vector<ComparedProfile>& profiles);

}  // namespace jouletree::report
