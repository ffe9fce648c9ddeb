#pragma once

#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "jouletree/predict.hpp"
#include "tree/run_places.hpp"

namespace jouletree::report {

/// Which predictor predicted, and what the reader of its numbers must know about it.
struct PredictorUse {
  std::string name;  ///< Its file or database; empty where it is in memory only.
  bool is_of_here =
      false;  ///< The calibration of this machine, taken because nobody named another.
  PredictorInfo info{};
  std::vector<tree::PlacePart> differs{};  ///< In what its data are from elsewhere.
  std::string warning{};                   ///< The same as a sentence; empty where nothing differs.
};

/// "AMD EPYC 7B13, ONNX Runtime 1.30.0, 1 thread, measured 2026-07-30"; several places one after
/// the other; empty where the data do not say.
[[nodiscard]] std::string places_text(const std::vector<TrainedOn>& places);
/// Why the prices of a predictor are those of no place; empty where its data are of one, as far as
/// they say.
[[nodiscard]] std::string mixture_text(const std::vector<TrainedOn>& places);
/// A sentence with the places and how good the predictor was said to be; empty where neither is
/// known.
[[nodiscard]] std::string use_note(const PredictorUse& use);
/// Null for places that nobody says.
[[nodiscard]] nlohmann::ordered_json places_json(const std::vector<TrainedOn>& places);
[[nodiscard]] nlohmann::ordered_json use_json(const PredictorUse& use);

/// In what the places are unlike `here`, where models would run.
[[nodiscard]] std::vector<tree::PlacePart> parts_elsewhere(const std::vector<TrainedOn>& places,
                                                           const MeasuredOn& here);
/// That as a sentence; empty for no parts.
[[nodiscard]] std::string elsewhere_text(const std::string& name,
                                         const std::vector<TrainedOn>& places,
                                         const MeasuredOn& here);
/// "jouletree calibrate --threads 2".
[[nodiscard]] std::string calibrate_command(const MeasuredOn& here);

}  // namespace jouletree::report
