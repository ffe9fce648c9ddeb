#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "jouletree/predict.hpp"
#include "report/predictor_use.hpp"
#include "store/measured_data.hpp"

namespace jouletree::report {

/// What a user says about the predictor to use.
struct PredictorRequest {
  std::string file{};                ///< Empty: the calibration of this machine.
  std::optional<int> threads{};      ///< Of the engine that the models would run in.
  std::filesystem::path root = "/";  ///< Of the machine: "/", or a fake one.
  std::string_view engine{};         ///< That would run the model, as report::runner_of() says.
};

/// Whether a word names a predictor and no model, told by its content: a database, a predictor
/// file, and what ends in .json and is no tree file, so that a slip of the pen is told as one.
[[nodiscard]] bool names_predictor(const std::string& word);

struct ChosenPredictor {
  Predictor predictor;
  PredictorUse use;
};

/// The predictor that was named, which may be of elsewhere, or the calibration of this machine.
/// Throws Error: Missing where there is none, saying what there is; BadInput for a file that is no
/// predictor, and for a number of threads that is not the predictor's.
[[nodiscard]] ChosenPredictor choose_predictor(const PredictorRequest& request,
                                               const store::Warn& warn);

/// How a predictor that is there already (trained from a database, in memory) fits the request.
/// Throws as choose_predictor() does.
[[nodiscard]] PredictorUse use_of(const PredictorInfo& info, const std::string& name,
                                  const PredictorRequest& request);

}  // namespace jouletree::report
