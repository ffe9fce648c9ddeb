#pragma once

#include <optional>
#include <string>

#include <CLI/CLI.hpp>

#include "jouletree/predict.hpp"
#include "report/counted_tables.hpp"
#include "store/measured_data.hpp"

namespace jouletree::cli {

inline constexpr const char* kDataHelp =
    "Tree files, per-operator CSVs, tables of whole models, folders of profiles or above them, and "
    "databases (sqlite:FILE, postgresql://…), in any mix";

/// Flags of the commands that fit a predictor.
struct FitOptions {
  TrainOptions train;
  std::string config_file;
  store::PlaceChoice place;    ///< In databases.
  report::TableChoice tables;  ///< Of whole models.

  void add_to(CLI::App& command);
  /// With the content of the configuration file. Throws Error(BadInput) if it is no JSON object.
  [[nodiscard]] TrainOptions settled() const;
};

/// --machine and --engine: what to take of a database.
void add_place_options(CLI::App& command, store::PlaceChoice& place);

/// --set: settings of models of the zoo that a table names.
void add_table_settings(CLI::App& command, report::TableChoice& tables);

void add_features_option(CLI::App& command, std::optional<FeatureSet>& features);

void add_as_written_option(CLI::App& command, bool& as_written);

void warn(const std::string& message);

}  // namespace jouletree::cli
