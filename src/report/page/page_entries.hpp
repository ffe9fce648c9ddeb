#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "jouletree/inference.hpp"
#include "report/compared_profile.hpp"
#include "report/model_labels.hpp"
#include "store/database/kept_model.hpp"
#include "tree/noted_metrics.hpp"

namespace jouletree::report {

/// An item of the page, not yet with its label.
struct PageEntry {
  ModelNames names;
  std::string model;  ///< What predictions are told by; empty for studies.
  nlohmann::ordered_json item;
  std::optional<ComparedProfile> compared{};  ///< Of profiles and counted models.
};

/// Finds out what paths hold.
class PageReader {
 public:
  PageReader(const InputSettings& settings, tree::NotedMetrics& metrics)
      : settings_(settings), metrics_(metrics) {}

  /// What cannot be read becomes a problem.
  void read(const std::string& given);
  /// A profile that was read already, with further notes.
  void add_profile(ComparedProfile profile, std::string_view tree_line, const ModelNames& names,
                   const std::vector<std::string>& notes = {});
  /// A model that was counted already, with the metrics of its tree.
  void add_counted(const ModelTree& tree, const std::vector<tree::MetricResult>& metrics,
                   const ModelNames& names, const std::string& source);
  /// What 'jouletree predict', 'crossvalidate' or 'compare' prints with --format json. False for
  /// anything else. The file may be empty.
  [[nodiscard]] bool add_printed(const nlohmann::ordered_json& json, const std::string& file,
                                 const std::string& name);
  [[nodiscard]] std::vector<PageEntry> take_entries() { return std::move(entries_); }
  [[nodiscard]] const std::vector<std::string>& problems() const { return problems_; }

 private:
  void read_folder(const std::string& folder);
  void read_profile(const std::string& folder);
  void read_json(const std::string& file);
  void read_predictions(const nlohmann::ordered_json& json, const std::string& file);
  /// Models of a comparison: their metrics, without trees.
  void read_comparison(const nlohmann::ordered_json& json, const std::string& file);
  void read_trees(const std::string& file);
  void add_kept(const store::KeptModel& kept);
  void add_sweep(const std::filesystem::path& file);
  /// Of a study without sweep.json, or with an older one. False where it has no runs.
  bool add_unfinished_sweep(const std::string& folder);
  void add_recordings(const std::vector<std::filesystem::path>& folders);
  void add_sweep_item(const nlohmann::ordered_json& json, const std::filesystem::path& folder);
  void read_model(const std::string& given);

  const InputSettings& settings_;
  tree::NotedMetrics& metrics_;
  std::vector<PageEntry> entries_;
  std::vector<std::string> problems_;
};

}  // namespace jouletree::report
