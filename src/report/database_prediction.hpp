#pragma once

#include <optional>
#include <string>

#include "report/prediction_subject.hpp"
#include "report/training.hpp"
#include "store/database/measured_place.hpp"

namespace jouletree::report {

/// What a database knows of a machine and an engine, and what it teaches about the rest.
class DatabasePredictor {
 public:
  /// `machine` and `engine` choose among those of the database, as store::choose_place() does.
  /// Trains a predictor on what was measured there. Throws Error(BadInput).
  DatabasePredictor(const std::string& location, const store::PlaceChoice& choice,
                    const TrainOptions& options, const store::Warn& warn);

  [[nodiscard]] const Predictor& predictor() const { return training_.predictor; }
  [[nodiscard]] const store::MeasuredPlace& place() const { return place_; }
  /// What was measured of the operators of a subject, by run and node; nothing of those that were
  /// not, and of subjects that are no counted models.
  [[nodiscard]] KnownCosts costs_of(const PredictionSubject& subject);

 private:
  store::Database database_;
  store::MeasuredPlace place_;
  Training training_;
};

/// "71.5 % of the time is that of 25 operators that were measured on …; the rest is predicted".
[[nodiscard]] std::string known_note(const PredictedRun& predicted, const std::string& place);

}  // namespace jouletree::report
