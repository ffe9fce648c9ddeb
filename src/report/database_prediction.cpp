#include "report/database_prediction.hpp"

#include <unordered_map>

#include <fmt/format.h>

#include "base/number_of.hpp"
#include "report/training_data.hpp"
#include "store/database/database_runs.hpp"
#include "store/database/known_operators.hpp"

namespace jouletree::report {
namespace {

Training trained(store::Database& database, const store::MeasuredPlace& place,
                 const TrainOptions& options, const store::Warn& warn) {
  return train_on_runs(
      with_tables(store::database_runs(database, place, warn),
                  store::database_model_tables(database, place), options, warn, {}),
      {database.place()}, options, std::nullopt, warn);
}

}  // namespace

DatabasePredictor::DatabasePredictor(const std::string& location, const store::PlaceChoice& choice,
                                     const TrainOptions& options, const store::Warn& warn)
    : database_(store::sql::parse_location(location), store::sql::Access::Read),
      place_(store::choose_place(database_, choice)),
      training_(trained(database_, place_, options, warn)) {}

KnownCosts DatabasePredictor::costs_of(const PredictionSubject& subject) {
  KnownCosts costs(subject.runs.size());
  // The same operator stands in a model many times.
  std::unordered_map<std::string, std::optional<predict::KnownCost>> found;
  const std::vector<std::vector<std::string>> signatures = signatures_of(subject);
  for (std::size_t run = 0; run < signatures.size(); ++run) {
    costs[run].resize(signatures[run].size());
    for (std::size_t node = 0; node < signatures[run].size(); ++node) {
      const std::string& signature = signatures[run][node];
      if (signature.empty()) continue;
      const auto [entry, is_new] = found.try_emplace(signature);
      if (is_new) {
        if (const auto known = store::measured_operator(database_, place_, signature))
          entry->second = predict::KnownCost{
              known->time_s, known->energy_j,
              provenance_named(known->energy_provenance).value_or(Provenance::Estimated)};
      }
      costs[run][node] = entry->second;
    }
  }
  return costs;
}

std::string known_note(const PredictedRun& predicted, const std::string& place) {
  std::size_t known = 0;
  std::size_t operators = 0;
  for (std::size_t i = 0; i < predicted.nodes.size(); ++i) {
    if (predicted.run.nodes[i].level != NodeLevel::Operator) continue;
    ++operators;
    if (predicted.nodes[i].measured_share > 0) ++known;
  }
  if (known == 0) {
    return fmt::format("None of its {} was measured on {}; everything is predicted.",
                       number_of(operators, "operator"), place);
  }
  return fmt::format(
      "{} of {} {} measured on {}: {:.1f} % of the time. The rest is predicted from what was "
      "measured there.",
      known, number_of(operators, "operator"), agreeing(known, "was", "were"), place,
      100 * predicted.nodes.front().measured_share);
}

}  // namespace jouletree::report
