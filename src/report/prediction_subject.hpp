#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "jouletree/inference.hpp"
#include "jouletree/predict.hpp"
#include "predict/known_costs.hpp"
#include "report/counted_tables.hpp"
#include "report/predict_report.hpp"
#include "store/measured_data.hpp"

namespace jouletree::report {

/// What is predicted, and the text that predictions are filled into.
struct PredictionSubject {
  std::string name;  ///< For messages.
  std::vector<TreeRun> runs;
  /// A model that was counted here; else null.
  std::shared_ptr<const ModelTree> counted;
  std::string text;  ///< Empty of a counted model: its tree file is only written if asked for.
  bool is_csv = false;
  std::string advice;  ///< Where FLOPs or bytes of operators are unknown.
};

/// Of the operators of each run, by node, where the model was counted here; else none.
[[nodiscard]] std::vector<std::vector<std::string>> signatures_of(const PredictionSubject& subject);

/// A tree file, the folder of a profile, a per-operator CSV, a table of models, a model file or a
/// name of the zoo. Of a model it is the operators as the runner is expected to run them;
/// `tables.layout` is that of the predictor. Throws Error(BadInput).
[[nodiscard]] PredictionSubject read_subject(const std::string& given,
                                             const InputSettings& settings, Runner runner,
                                             const store::Warn& warn,
                                             const TableChoice& tables = {});
/// The engine that would run such a subject, as flags call it; empty for what is no model. Models
/// of tables run in ONNX Runtime. Throws Error(BadInput).
[[nodiscard]] std::string_view runner_of(const std::string& subject);
/// The same, and empty for what cannot be read: whoever reads it tells what is wrong with it.
[[nodiscard]] std::string_view runner_or_none(const std::string& subject);
/// The same of a model that was counted with these settings.
[[nodiscard]] PredictionSubject counted_subject(ModelTree tree, const InputSettings& settings,
                                                Runner runner,
                                                ChannelLayout layout = ChannelLayout::Blocked);

/// By run and node.
using KnownCosts = std::vector<std::vector<std::optional<predict::KnownCost>>>;

/// A subject with its predictions. Not movable: the runs are what it was made of.
class SubjectPrediction {
 public:
  /// Uses no more than `most` of what the data hold. Throws Error(BadInput) where that is not
  /// there, and where nothing at all can be said. `predictor_name` is for messages.
  /// `known` are operators that need no prediction; empty: none.
  SubjectPrediction(const Predictor& predictor, const std::string& predictor_name,
                    PredictionSubject subject, std::optional<FeatureSet> most,
                    const KnownCosts& known = {});
  SubjectPrediction(const SubjectPrediction&) = delete;
  SubjectPrediction& operator=(const SubjectPrediction&) = delete;

  [[nodiscard]] const std::vector<PredictedRun>& runs() const { return predicted_; }
  /// The subject's text with the predictions filled in.
  [[nodiscard]] std::string filled() const;
  /// What the reader of the numbers must know, one sentence each.
  [[nodiscard]] const std::vector<std::string>& warnings() const { return warnings_; }

 private:
  PredictionSubject subject_;
  std::vector<std::vector<NodePrediction>> nodes_;
  std::vector<PredictedRun> predicted_;
  Provenance learned_from_;
  std::vector<std::string> warnings_;
};

}  // namespace jouletree::report
