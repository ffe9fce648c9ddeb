#pragma once

#include <map>

#include "predict/fitted.hpp"
#include "predict/glue.hpp"
#include "predict/operator_load.hpp"
#include "predict/regression_forest.hpp"

namespace jouletree::predict {

/// A random forest per type of operator for the logarithm of its cost, and one for what modules add
/// to their children: a reference to compare with.
class Forest : public Fitted {
 public:
  using Forests = std::map<std::string, RegressionForest, std::less<>>;
  Forest(Target target, bool measured, Forests operators, std::optional<RegressionForest> modules)
      : target_(target),
        measured_(measured),
        operators_(std::move(operators)),
        modules_(std::move(modules)) {}
  [[nodiscard]] std::vector<double> predict(const LoadedRun& loaded,
                                            FeatureSet features) const override;
  [[nodiscard]] std::vector<Explanation> terms() const override;
  [[nodiscard]] std::vector<Explanation> parts(const TreeRun& run, std::size_t node,
                                               FeatureSet features) const override;
  [[nodiscard]] nlohmann::ordered_json to_json() const override;
  [[nodiscard]] static std::unique_ptr<Forest> from_json(Target target,
                                                         const nlohmann::ordered_json& json);

 private:
  Target target_;
  bool measured_;
  Forests operators_;
  std::optional<RegressionForest> modules_;
};

/// Measured values help only a forest that may see them; −1 stands for none.
[[nodiscard]] std::vector<double> operator_features(const OperatorLoad& work, bool measured,
                                                    const std::optional<double>& time_s,
                                                    const std::optional<double>& gpu_energy_j);
/// What belongs to no child, as shares of what the children cost.
[[nodiscard]] std::vector<double> module_features(const GlueValues& glue);
[[nodiscard]] double children_of(const GlueValues& glue);

[[nodiscard]] std::unique_ptr<Trainer> make_forest_trainer(const std::vector<TreeRun>& runs,
                                                           Target target,
                                                           const TrainOptions& options);

}  // namespace jouletree::predict
