#include "predict/left_out_errors.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "predict/fitted.hpp"

namespace jouletree::predict {

std::vector<double> left_out_time_errors(const std::vector<TreeRun>& runs,
                                         const TrainOptions& options) {
  constexpr std::size_t kParts = 10;
  std::vector<double> errors(runs.size(), std::numeric_limits<double>::quiet_NaN());
  const auto trainer = make_trainer(runs, Target::Time, options);
  const std::size_t parts = std::min(kParts, runs.size());
  if (!trainer || parts < 2) return errors;
  for (std::size_t part = 0; part < parts; ++part) {
    RunMask used(runs.size(), 1);
    for (std::size_t i = part; i < runs.size(); i += parts) used[i] = 0;
    const auto fit = trainer->fit(used);
    for (std::size_t i = part; i < runs.size(); i += parts) {
      const auto& time = truth(runs[i].nodes.front(), Target::Time);
      const double predicted = fit->predict(runs[i], options.features).front();
      if (time && predicted > 0) errors[i] = 100 * std::abs(predicted - *time) / *time;
    }
  }
  return errors;
}

}  // namespace jouletree::predict
