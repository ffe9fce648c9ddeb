#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include "measure/sweep/study.hpp"
#include "measure/sweep/variation.hpp"

namespace jouletree::store {

inline constexpr std::string_view kStudyFile = "study.json";
inline constexpr std::string_view kSweepFile = "sweep.json";
inline constexpr std::string_view kResultsFile = "results.csv";

/// A model of a study, and what of it is measured.
struct PlannedModel {
  std::string name;    ///< For people.
  std::string folder;  ///< Below that of the study; "." for the only one.
  std::optional<std::int64_t> bytes;
  measure::SweepFormats formats;
};

/// What study.json keeps: everything that must be the same when a study goes on.
struct PlannedStudy {
  nlohmann::ordered_json settings;  ///< An object: "runs", "seconds", "seed", "engine" …
  std::vector<PlannedModel> models;
};

/// Begins a study in a folder, or goes on with it. Throws Error(BadInput) if the folder holds a
/// study of other settings, and says which; or runs that another program recorded.
void begin_study(const std::filesystem::path& folder, const PlannedStudy& plan);

/// All that a folder of a study tells.
struct SweepStudy {
  nlohmann::ordered_json settings;  ///< Null where another program recorded it.
  nlohmann::ordered_json machine;   ///< environment.json of a run; null where there is none.
  std::vector<measure::StudyModel> models;
  std::vector<std::string> notes;  ///< What could not be read, and is left out.
  [[nodiscard]] std::size_t runs() const;
  [[nodiscard]] std::size_t planned_runs() const;
};

/// Reads the runs below a folder, of JouleTree and of AIPowerMeter's experiments. Throws
/// Error(BadInput) for a folder without any.
[[nodiscard]] SweepStudy read_study(const std::filesystem::path& folder);

/// Sentences about runs that failed, by "model folder/format". They are tried again when the study
/// goes on.
using SweepFailures = std::map<std::string, std::vector<std::string>>;
[[nodiscard]] SweepFailures read_sweep_failures(const std::filesystem::path& folder);
void write_sweep_failures(const std::filesystem::path& folder, const SweepFailures& failures);

/// Where the runs of a format are.
[[nodiscard]] std::filesystem::path format_folder(const std::filesystem::path& study,
                                                  const std::string& model_folder,
                                                  const std::string& format);
/// Names of formats that are no folders of ours, but names of anything.
[[nodiscard]] std::string failure_key(const std::string& model_folder, const std::string& format);

}  // namespace jouletree::store
