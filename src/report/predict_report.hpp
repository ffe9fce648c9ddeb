#pragma once

#include <iosfwd>

#include "base/footprint.hpp"
#include "jouletree/predict.hpp"
#include "report/predictor_use.hpp"

namespace jouletree::report {

/// The report table of left-out models with the overall row, then coverage and width of intervals.
void print_crossvalidation_table(const CrossValidation& report, std::ostream& out);
void print_crossvalidation_json(const CrossValidation& report, std::ostream& out);

/// As the script published with the IrEne data prints it; in detail also by type and by model.
void print_evaluation(const Evaluation& evaluation, bool detail, std::ostream& out);
void print_evaluation_json(const Evaluation& evaluation, std::ostream& out);

/// A run and what was predicted for its nodes.
struct PredictedRun {
  const TreeRun& run;
  const std::vector<NodePrediction>& nodes;
  FeatureSet features = FeatureSet::Specs;
  Provenance learned_from = Provenance::Measured;  ///< The energies of the training data.
  std::optional<ForeignOperators> foreign;
  double level = 0.9;        ///< Share of true values that intervals should hold.
  std::string known_note{};  ///< How much of it was measured; empty without a database.
};

/// Operators whose work is unlike that of the training data.
struct UnseenWork {
  std::vector<std::string> types;  ///< Each once, in order of appearance.
  std::size_t operators = 0;
  std::size_t of = 0;  ///< All operators that cost something.
  double cost = 0;     ///< Of the operators, predicted: joules, or seconds without energies.
  double of_cost = 0;
  bool has_intervals = false;  ///< Whether any of the operators has one.

  void add(const UnseenWork& other);
};
[[nodiscard]] UnseenWork unseen_work(const PredictedRun& predicted);
/// A sentence for people; empty where there is nothing to tell.
[[nodiscard]] std::string unseen_note(const UnseenWork& unseen);
/// Why a model that has figures has no interval; empty where it has.
[[nodiscard]] std::string interval_note(const PredictedRun& predicted);

/// What predictions from these features look at: "nothing measured: …".
[[nodiscard]] std::string_view looked_at(FeatureSet features);
/// A sentence for people.
[[nodiscard]] std::string foreign_note(const ForeignOperators& foreign);

/// The tree of one run down to `depth` with intervals. Grams and money where there are factors.
void print_prediction_tree(const PredictedRun& predicted, int depth,
                           const FootprintFactors& factors, std::ostream& out,
                           const PredictorUse& use = {});
/// One line per run.
void print_prediction_totals(const std::vector<PredictedRun>& predicted,
                             const FootprintFactors& factors, std::ostream& out,
                             const PredictorUse& use = {});
void print_prediction_json(const std::vector<PredictedRun>& predicted,
                           const FootprintFactors& factors, std::ostream& out,
                           const PredictorUse& use = {});

/// The prices of a predictor, where its training data end, and where they were measured.
void print_predictor(const Predictor& predictor, std::ostream& out);
void print_predictor_json(const Predictor& predictor, std::ostream& out);
/// What makes up the prediction of a node.
void print_explanations(const std::vector<Explanation>& lines, std::ostream& out);
void print_explanations_json(const std::vector<Explanation>& lines, std::ostream& out);

}  // namespace jouletree::report
