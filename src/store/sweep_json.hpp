#pragma once

#include <filesystem>
#include <string>

#include <nlohmann/json.hpp>

#include "store/sweep_study.hpp"

namespace jouletree::store {

/// A study with what follows from its numbers.
struct AnalysedStudy {
  SweepStudy study;
  std::vector<measure::Quantity> quantities;
  std::vector<std::vector<measure::StudySeries>> series;  ///< By model.
  std::vector<measure::StudyCorrelations> correlations;   ///< By model.
  std::optional<measure::StudyCorrelations> of_all;       ///< Over several models.
};
[[nodiscard]] AnalysedStudy analyse(SweepStudy study);

/// The content of sweep.json, whose size does not grow with the length of the runs.
[[nodiscard]] nlohmann::ordered_json sweep_json(const AnalysedStudy& study);

/// One row per input format: medians and quartiles of every quantity. With `runs`, one row per
/// single run.
enum class SweepRows { Formats, Runs };
[[nodiscard]] std::string sweep_csv(const AnalysedStudy& study, SweepRows rows);

/// Writes sweep.json and results.csv.
void write_sweep(const AnalysedStudy& study, const std::filesystem::path& folder);

}  // namespace jouletree::store
