#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "jouletree/tree_run.hpp"

namespace jouletree {

enum class PredictionMethod { Ledger, Irene, NeuralPower, Forest };
[[nodiscard]] std::string_view name_of(PredictionMethod method);

/// What a prediction may look at. No inner node's own measurements ever enter its prediction.
enum class FeatureSet {
  All,     ///< Measured time and GPU energy of an operator, and of the children of a module.
  Leaves,  ///< Measured time and GPU energy of operators only.
  Specs,   ///< Nothing measured: shapes, FLOPs, bytes, parameters.
};
[[nodiscard]] std::string_view name_of(FeatureSet features);

struct TrainOptions {
  PredictionMethod method = PredictionMethod::Ledger;
  FeatureSet features = FeatureSet::All;
  double level = 0.9;  ///< Share of the true values that intervals should hold.
  /// Keys of the method, as JSON text: those of IrEne's configuration files for method irene.
  std::string config = "{}";
};

struct Range {
  double low = 0;
  double high = 0;
};

/// Nothing where the predictor cannot tell.
struct NodePrediction {
  std::optional<double> energy_j;
  std::optional<double> time_s;
  std::optional<Range> energy_range;
  std::optional<Range> time_range;
  bool beyond_training = false;  ///< The operator is unlike any in the training data.
};

/// Mean absolute errors of a level of the tree, in per cent; nothing where no node has that level.
struct LevelErrors {
  std::optional<double> ml;
  std::optional<double> module;
  std::optional<double> model;
};

enum class LeaveOut { Model, Family, Sequence, Batch, Device };

struct Fold {
  std::string left_out;
  LevelErrors energy;
  LevelErrors time;
  LevelErrors coverage;  ///< Per cent of the true energies inside their intervals.
};

struct CrossValidation {
  std::vector<Fold> folds;
  LevelErrors energy;  ///< Mean over the folds.
  LevelErrors time;
  double level = 0.9;
  LevelErrors coverage;  ///< Of all nodes of all folds, per cent.
  LevelErrors width;     ///< Mean of (high − low) / predicted, per cent.
  std::vector<std::string> warnings;
};

/// Trains on all but one model (family, …) and predicts that one, for each in turn. Deterministic;
/// folds run in parallel. Throws Error(BadInput) where there is nothing to leave out.
[[nodiscard]] CrossValidation crossvalidate(const std::vector<TreeRun>& runs, LeaveOut leave_out,
                                            const TrainOptions& options);

/// The family that a model belongs to: what the file says, else a well-known name within the
/// model's name, else its first word.
[[nodiscard]] std::string family_of(const TreeRun& run);

}  // namespace jouletree
