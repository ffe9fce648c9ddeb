#pragma once

#include <optional>
#include <string>

#include <CLI/CLI.hpp>

#include "jouletree/predict.hpp"

namespace jouletree::cli {

/// Flags of the commands that fit a predictor.
struct FitOptions {
  TrainOptions train;
  std::string config_file;

  void add_to(CLI::App& command);
  /// With the content of the configuration file. Throws Error(BadInput) if it is no JSON object.
  [[nodiscard]] TrainOptions settled() const;
};

void add_features_option(CLI::App& command, std::optional<FeatureSet>& features);

/// A model file or a name of the zoo, counted for inputs of these sizes: its operators as an engine
/// is expected to fuse them or, `as_written`, as they stand in the file. `line` becomes its line of
/// a tree file.
[[nodiscard]] TreeRun counted_model(const std::string& model, const InputSettings& settings,
                                    bool as_written, std::string& line);
void add_as_written_option(CLI::App& command, bool& as_written);

void warn(const std::string& message);
void finish_output();

}  // namespace jouletree::cli
