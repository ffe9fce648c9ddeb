#pragma once

#include <functional>
#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

#include "jouletree/inference.hpp"
#include "jouletree/predict.hpp"
#include "report/predictor_use.hpp"

namespace jouletree::report {

/// What is predicted for the whole of a model, or why it is not.
struct ModelRow {
  std::string subject;  ///< As it was named.
  std::string model;
  std::optional<double> batch;
  std::optional<double> sequence;
  NodePrediction root;
  bool foreign = false;
  std::string problem;                ///< Empty where there is a prediction.
  std::vector<std::string> warnings;  ///< One sentence each, without the name.
};

/// How each model is read; the same for all.
struct RowSettings {
  std::string predictor_name;  ///< For messages.
  InputSettings inputs;
  std::optional<FeatureSet> features;
  bool as_written = false;
  std::vector<std::string> zoo_settings{};  ///< Of tables of models, see TableChoice.
};

/// Told how many models are done, by the thread that called.
using RowProgress = std::function<void(std::size_t done, std::size_t total)>;

/// One row per run of each subject, in their order; threads share the work. A subject that cannot
/// be read or predicted is a row with a problem.
[[nodiscard]] std::vector<ModelRow> predict_rows(const Predictor& predictor,
                                                 const std::vector<std::string>& subjects,
                                                 const RowSettings& settings,
                                                 const RowProgress& progress = {});

/// Rows without a prediction are left out of tables.
void print_rows_table(const std::vector<ModelRow>& rows, std::ostream& out,
                      const PredictorUse& use);
void print_rows_csv(const std::vector<ModelRow>& rows, std::ostream& out);
/// An object per line; what is to be said of the predictor is among its warnings.
void print_rows_jsonl(const std::vector<ModelRow>& rows, std::ostream& out,
                      const PredictorUse& use);
/// The same objects as a list, under the key "models".
void print_rows_json(const std::vector<ModelRow>& rows, std::ostream& out, const PredictorUse& use);

}  // namespace jouletree::report
