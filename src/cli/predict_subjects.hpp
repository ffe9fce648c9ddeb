#pragma once

#include <string>
#include <vector>

namespace jouletree::cli {

/// What `predict` was given by place and by flag.
struct PredictSubjects {
  std::string predictor;  ///< Empty: nobody named one.
  std::vector<std::string> subjects;
};

/// The first word is the predictor where it names one (report::names_predictor). With --predictor,
/// all words are subjects. `list` has more of them, one per line. Throws Error(BadInput) for a list
/// that cannot be read, and where no subject is left.
[[nodiscard]] PredictSubjects predict_subjects(const std::string& predictor,
                                               const std::vector<std::string>& words,
                                               const std::string& list);

}  // namespace jouletree::cli
