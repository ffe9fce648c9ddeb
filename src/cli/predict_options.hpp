#pragma once

#include <optional>
#include <string>

#include <CLI/CLI.hpp>

#include "jouletree/error.hpp"
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

/// A tree file or a per-operator CSV; what is odd about it goes to standard error.
[[nodiscard]] std::vector<TreeRun> read_data(const std::string& path);
/// A tree file, to fill.
[[nodiscard]] bool is_tree_file(const std::string& path);
[[nodiscard]] bool is_operator_csv(const std::string& path);

/// A model file or a name of the zoo, counted for inputs of these sizes: its operators as an engine
/// is expected to fuse them or, `as_written`, as they stand in the file. `line` becomes its line of
/// a tree file.
[[nodiscard]] TreeRun counted_model(const std::string& model, const InputSettings& settings,
                                    bool as_written, std::string& line);
void add_as_written_option(CLI::App& command, bool& as_written);

/// Runs the work; what it refuses about the data is told with the name of their file.
template <class Work>
auto of_file(const std::string& file, const Work& work) {
  try {
    return work();
  } catch (const Error& error) {
    throw Error(error.kind(), file + ": " + error.what());
  }
}

void warn(const std::string& message);
void finish_output();

}  // namespace jouletree::cli
