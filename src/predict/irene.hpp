#pragma once

#include <map>

#include <Eigen/Dense>

#include "predict/fitted.hpp"
#include "predict/irene_config.hpp"

namespace jouletree::predict {

/// Mean and deviation of each feature; a feature that never changes keeps its scale.
struct Standardizer {
  Eigen::VectorXd mean;
  Eigen::VectorXd scale;

  /// One sample per row; each counts as often as its weight says.
  static Standardizer fit(const Eigen::MatrixXd& samples, const Eigen::VectorXd& weights);
  [[nodiscard]] Eigen::VectorXd apply(const Eigen::VectorXd& features) const;
};

/// Linear regression of one type of operator on its standardised features.
struct OperatorRegression {
  Standardizer standardizer;
  Eigen::VectorXd coefficients;
  double intercept = 0;
};

/// 1, all features, all their products of two, and of three.
[[nodiscard]] Eigen::VectorXd cubic_terms(const Eigen::VectorXd& features);

/// IrEne as published: operators by linear regression, a parent as the weighted sum of its
/// children, where the weight of a child follows from its features.
struct IreneModel {
  IreneConfig config;
  std::map<std::string, OperatorRegression, std::less<>> operators;  ///< By type in lower case.
  std::optional<Standardizer> standardizer;
  Eigen::VectorXd weights;
  double bias = 0;

  /// What the weights are multiplied with.
  [[nodiscard]] Eigen::VectorXd inputs(const std::vector<double>& features) const;
  /// Of what the weights make of the inputs, the weight of a child.
  [[nodiscard]] double weighting(double linear) const;
  [[nodiscard]] double weighting_slope(double linear) const;
  /// NaN for a type that was not trained.
  [[nodiscard]] double operator_energy(const RunNode& node,
                                       const std::vector<double>& features) const;
};

class Irene : public Fitted {
 public:
  explicit Irene(IreneModel model) : model_(std::move(model)) {}
  [[nodiscard]] std::vector<double> predict(const LoadedRun& loaded,
                                            FeatureSet features) const override;
  [[nodiscard]] std::vector<Explanation> terms() const override;
  [[nodiscard]] std::vector<Explanation> parts(const TreeRun& run, std::size_t node,
                                               FeatureSet features) const override;
  [[nodiscard]] nlohmann::ordered_json to_json() const override;
  [[nodiscard]] static std::unique_ptr<Irene> from_json(Target target,
                                                        const nlohmann::ordered_json& json);

 private:
  IreneModel model_;
};

/// Nothing but for energy: it was published for that alone.
[[nodiscard]] std::unique_ptr<Trainer> make_irene_trainer(const std::vector<TreeRun>& runs,
                                                          Target target,
                                                          const TrainOptions& options);

}  // namespace jouletree::predict
