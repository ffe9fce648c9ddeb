#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <iosfwd>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "jouletree/provenance.hpp"
#include "jouletree/tree_run.hpp"

namespace jouletree {

/// Names of all methods, the default first.
[[nodiscard]] std::vector<std::string_view> prediction_methods();

/// What a prediction may look at. No inner node's own measurements ever enter its prediction.
enum class FeatureSet {
  All,     ///< Measured time and GPU energy of an operator, and of the children of a module.
  Leaves,  ///< Measured time and GPU energy of operators only.
  Specs,   ///< Nothing measured: shapes, FLOPs, bytes, parameters.
};
[[nodiscard]] std::string_view name_of(FeatureSet features);

struct TrainOptions {
  std::string method = "ledger";  ///< One of prediction_methods().
  FeatureSet features = FeatureSet::All;
  double level = 0.9;  ///< Share of the true values that intervals should hold.
  /// Keys of the method, as JSON text: those of IrEne's configuration files for method irene.
  std::string config = "{}";
  /// What whoever trains has found out about such a predictor, to be kept with it: the median error
  /// of the time of models that were left out, in per cent.
  std::optional<double> median_error{};
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
  /// The operator is unlike any in the training data; where all are foreign, only its size counts.
  bool beyond_training = false;
  bool foreign = false;  ///< The whole run has foreign operators, see ForeignOperators.
  /// The operator does work unlike that of any in the training data, such as a convolution where
  /// there was none; or the node holds such operators. Intervals allow for that.
  bool unseen_work = false;
  /// Of the time (of the energy where no time is known), what operators take that a database knows
  /// as measured: 1 for such an operator, 0 where everything is predicted.
  double measured_share = 0;
  /// Of an operator that a database knows: as it was obtained there.
  Provenance time_provenance = Provenance::Predicted;
  Provenance energy_provenance = Provenance::Predicted;

  /// Watts; nothing unless both energy and time are known.
  [[nodiscard]] std::optional<double> power_w() const;
};

/// Whose names operators carry. A predictor finds the price of an operator by its name.
enum class Vocabulary {
  Onnx,          ///< Operators of ONNX files, as ONNX Runtime runs them.
  Aten,          ///< Calls of PyTorch, as recorded from TorchScript.
  TorchModules,  ///< Leaf modules of PyTorch: Linear, Conv2d.
  Other,
};
/// "onnx", "aten", "torch.nn", "other": as files say.
[[nodiscard]] std::string_view name_of(Vocabulary vocabulary);
/// For people: "ONNX operators".
[[nodiscard]] std::string_view title_of(Vocabulary vocabulary);

/// The operators of a run are named otherwise than those of the training data. Intervals are as
/// wide as such predictions need.
struct ForeignOperators {
  Vocabulary of_run = Vocabulary::Other;
  std::vector<Vocabulary> of_training;
  /// Each is priced like others that do the same kind of work; else only names that both have in
  /// common can be predicted.
  bool priced_by_work = true;
  /// They are priced as the PyTorch modules that do the same work, what lies between them with the
  /// module around it.
  bool as_modules = false;
};

/// What a predictor knows about itself.
struct PredictorInfo {
  std::string method = "ledger";
  FeatureSet features = FeatureSet::All;
  double level = 0.9;
  std::string config = "{}";
  std::vector<std::string> models;   ///< Trained on, in order of appearance.
  std::size_t operators = 0;         ///< Of the runs, operators that were measured by themselves.
  std::vector<std::string> devices;  ///< Those that the training data name.
  std::size_t runs = 0;
  std::size_t nodes = 0;
  /// How the energies came about that it learned from; estimated if some were.
  Provenance energy = Provenance::Measured;
  /// The training data hold operators as ONNX Runtime fuses them; see expected_tree.
  bool fused = false;
  std::vector<Vocabulary> vocabularies;  ///< Of the training data, each once.
  /// Operators cost what their work costs, whatever they are called.
  bool priced_by_work = true;
  /// Of fused operators: that of the machine where they ran; blocked where nobody knows.
  ChannelLayout layout = ChannelLayout::Blocked;
  /// Where the runs were measured that say so, in order of appearance.
  std::vector<TrainedOn> measured_on{};
  /// Of a predictor that was adapted: the same of the one that it was made from.
  std::vector<TrainedOn> adapted_from{};
  /// As told with TrainOptions.
  std::optional<double> median_error{};
};

/// Where the training data end for one group of operators.
struct FeatureRange {
  std::string of;
  std::string feature;
  std::string unit;
  Range range;
};

/// A reason for the cost of a node or a price that a predictor has learned, for people.
struct Explanation {
  std::string of;  ///< Operator group, module, or the node that is explained.
  std::string term;
  std::string target;  ///< "energy" or "time".
  double coefficient = 0;
  std::string unit;   ///< Of the coefficient: "J per GFLOP"; of a forest: "factor".
  double amount = 0;  ///< How much of it a node has; 0 for a whole predictor.
  double cost = 0;    ///< Joules or seconds; 0 for a whole predictor.
};

/// A trained predictor. Cheap to copy, immutable, safe to share between threads.
class Predictor {
 public:
  struct State;

  /// Throws Error(BadInput) with the reason where the runs teach nothing about operators, and for
  /// an unknown method.
  [[nodiscard]] static Predictor train(const std::vector<TreeRun>& runs,
                                       const TrainOptions& options);
  /// Adapts a predictor of another device to a few runs on this one. Ledger only.
  [[nodiscard]] static Predictor adapt(const Predictor& other, const std::vector<TreeRun>& runs);
  /// Throws Error(BadInput) for what is no predictor and for another version of the file.
  [[nodiscard]] static Predictor read(const std::filesystem::path& path);
  [[nodiscard]] static Predictor parse(std::string_view text, const std::string& name);
  /// The predictor file: JSON that people can read. The same data give the same text.
  [[nodiscard]] std::string text() const;

  [[nodiscard]] const PredictorInfo& info() const;
  /// How far it missed models that were left out of its training: the half-width of intervals of
  /// whole models in log space, of time and else of energy. Nothing where no model was left out.
  [[nodiscard]] std::optional<double> left_out_error() const;
  /// The most that the run's measured values allow, within what the predictor was trained for.
  [[nodiscard]] FeatureSet usable_features(const TreeRun& run) const;
  [[nodiscard]] std::vector<NodePrediction> predict(const TreeRun& run, FeatureSet features) const;
  /// Nothing where the run's operators are named as in the training data.
  [[nodiscard]] std::optional<ForeignOperators> foreign(const TreeRun& run) const;

  /// What it has learned: prices in physical units, weights of features or their importance.
  [[nodiscard]] std::vector<Explanation> explain() const;
  /// The sizes of the operators that it was trained on.
  [[nodiscard]] std::vector<FeatureRange> trained_ranges() const;
  /// What makes up the prediction of one node; costs add up to it.
  [[nodiscard]] std::vector<Explanation> explain(const TreeRun& run, std::size_t node,
                                                 FeatureSet features) const;

  /// For makers of predictors within the library.
  explicit Predictor(std::shared_ptr<const State> state) : state_(std::move(state)) {}

 private:
  std::shared_ptr<const State> state_;
};

/// Some operator of the run has a measured energy or time.
[[nodiscard]] bool teaches_operators(const TreeRun& run);
/// No operator of the run was measured, but the whole or modules were, and all operators are there
/// with FLOPs and bytes: their prices must add up to it.
[[nodiscard]] bool teaches_whole(const TreeRun& run);
/// The method can learn from such runs.
[[nodiscard]] bool learns_wholes(const TrainOptions& options);
/// Some measured operator, or all of a measured whole, have FLOPs and bytes: models that never ran
/// can be predicted.
[[nodiscard]] bool teaches_specs(const std::vector<TreeRun>& runs);

/// "blocked", "plain": as files say.
[[nodiscard]] std::string_view name_of(ChannelLayout layout);

/// Who is expected to run a model file.
enum class Runner {
  Nobody,       ///< Operators stay as they stand in the file.
  OnnxRuntime,  ///< On a CPU.
  PyTorch,      ///< The model that the file was exported from.
};
/// The one whose operators the predictor has learned.
[[nodiscard]] Runner runner_for(const PredictorInfo& info);

/// The model as that engine is expected to run it. ONNX Runtime: what follows from constants
/// computed, equal operators run once, normalisation, bias, activation and residual taken into
/// convolutions and products, Gelu and layer normalisation as one operator. PyTorch: layer
/// normalisation, Gelu and SiLU as one call each. No engine is asked; `settings` must be those that
/// the tree was counted with. A tree of a recorded run comes back as it is.
[[nodiscard]] ModelTree expected_tree(ModelTree tree, const InputSettings& settings,
                                      Runner runner = Runner::OnnxRuntime,
                                      ChannelLayout layout = ChannelLayout::Blocked);

/// Writes the lines of a tree file with the predictions filled in; all other keys stay as they are.
/// `text` must be what the runs were read from, `learned_from` how the predictor's energies came
/// about.
void write_filled_lines(std::string_view text, const std::vector<TreeRun>& runs,
                        const std::vector<std::vector<NodePrediction>>& predictions,
                        Provenance learned_from, std::ostream& out);
/// The same for a per-operator CSV: columns are added at the end of each row. Throws
/// Error(BadInput) where the rows have them already.
void write_filled_rows(std::string_view text, const std::vector<TreeRun>& runs,
                       const std::vector<std::vector<NodePrediction>>& predictions,
                       Provenance learned_from, std::ostream& out);

/// Which of the runs tell most that the used ones do not, best first; at most `count`.
[[nodiscard]] std::vector<std::size_t> most_informative(const std::vector<TreeRun>& runs,
                                                        const std::vector<std::size_t>& used,
                                                        std::size_t count);

/// Mean absolute errors of a level of the tree, in per cent; nothing where no node has that level.
struct LevelErrors {
  std::optional<double> ml;
  std::optional<double> module;
  std::optional<double> model;
};

/// How far predictions of one level are off, all values taken together.
struct ErrorStatistics {
  std::size_t values = 0;
  double mean =
      0;  ///< Of the absolute errors, in per cent of the true values; so are the next two.
  double rmspe = 0;   ///< Root of the mean squared error: large errors count more.
  double median = 0;  ///< Half of the errors are smaller.
  /// 1 − Σ (predicted − true)² / Σ (true − mean)²: 1 is perfect, 0 as good as always predicting the
  /// mean. Nothing where all true values are the same.
  std::optional<double> r_squared;
  double within_5 = 0;   ///< Per cent of the values that are at most 5 % off.
  double within_10 = 0;  ///< The same for 10 %.
};

/// By level of the tree; nothing where no node has that level.
struct LevelStatistics {
  std::optional<ErrorStatistics> ml;
  std::optional<ErrorStatistics> module;
  std::optional<ErrorStatistics> model;
};

enum class LeaveOut { Model, Family, Sequence, Batch, Device };

struct Fold {
  std::string left_out;
  LevelErrors energy;
  LevelErrors time;
  LevelErrors coverage;       ///< Per cent of the true energies inside their intervals.
  std::size_t operators = 0;  ///< Of a type of operator: how many were measured.
  LevelStatistics energy_statistics{};
  LevelStatistics time_statistics{};
};

struct CrossValidation {
  std::string method = "ledger";
  FeatureSet features = FeatureSet::All;  ///< What predictions looked at.
  std::vector<Fold> folds;
  /// Where the data are operators measured by themselves, which belong to no model: their types.
  std::vector<Fold> operator_types;
  std::size_t operators_in_training = 0;  ///< Such operators beside models: never left out.
  LevelErrors energy;  ///< Mean over the folds; of operator types over all operators.
  LevelErrors time;
  Provenance energy_provenance = Provenance::Measured;  ///< Of the true energies.
  double level = 0.9;
  LevelErrors coverage;  ///< Of all nodes of all folds, per cent.
  LevelErrors width;     ///< Mean of (high − low) / predicted, per cent.
  /// Of all nodes of all folds: unlike the means above, large folds count more.
  LevelStatistics energy_statistics;
  LevelStatistics time_statistics;
  bool has_measured_times = false;  ///< Of operators: predictions could look at more than specs.
  std::vector<std::string> warnings;
};

/// Told how many folds are done, by the thread that called crossvalidate().
using FoldProgress = std::function<void(std::size_t done, std::size_t total)>;

/// What one fold was made of.
struct KeptFold {
  std::string left_out;
  Predictor predictor;                                   ///< That has not seen the runs.
  std::vector<std::size_t> runs;                         ///< That were left out, as indices.
  std::vector<std::vector<NodePrediction>> predictions;  ///< By left-out run and node.
};
/// Given each fold, in their order, by the thread that called crossvalidate().
using FoldKeeper = std::function<void(const KeptFold& fold)>;

/// Trains on all but one model (family, …) and predicts that one, for each in turn. Operators that
/// were measured by themselves are no models: where there is nothing else, a tenth of them is left
/// out at a time. Deterministic; folds run in parallel. Throws Error(BadInput) where there is
/// nothing to leave out.
[[nodiscard]] CrossValidation crossvalidate(const std::vector<TreeRun>& runs, LeaveOut leave_out,
                                            const TrainOptions& options,
                                            const FoldProgress& progress = {},
                                            const FoldKeeper& keep = {});
/// What predictions of models that never ran can look at: specs, or all where no measured operator
/// has FLOPs and bytes.
[[nodiscard]] FeatureSet features_of_predictions(const std::vector<TreeRun>& runs);

struct TypeError {
  std::string type;
  NodeLevel level = NodeLevel::Operator;
  double error = 0;  ///< Per cent.
  std::size_t nodes = 0;
};

struct Evaluation {
  LevelErrors errors;
  LevelStatistics statistics;
  std::vector<TypeError> types;
  std::vector<std::pair<std::string, LevelErrors>> models;
  std::size_t nodes_without_truth = 0;
  std::vector<std::string> warnings;
};

/// Compares `predicted_energy` with `ground_truth_energy`, node by node, by id.
[[nodiscard]] Evaluation evaluate(const std::vector<TreeRun>& truth,
                                  const std::vector<TreeRun>& predicted);

/// The family that a model belongs to: what the file says, else a well-known name within the
/// model's name, else its first word.
[[nodiscard]] std::string family_of(const TreeRun& run);

}  // namespace jouletree
