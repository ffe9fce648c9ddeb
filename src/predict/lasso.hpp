#pragma once

#include <Eigen/Dense>

namespace jouletree::predict {

/// Linear model whose penalty drops terms that tell little.
struct Lasso {
  Eigen::VectorXd coefficients;
  double intercept = 0;

  [[nodiscard]] double predict(const Eigen::VectorXd& terms) const {
    return intercept + coefficients.dot(terms);
  }
};

/// Penalties from the one that drops everything downwards, as a share of it.
[[nodiscard]] const std::vector<double>& lasso_path();

/// Fits for each penalty of the path by coordinate descent, each from the one before. Terms are
/// scaled inside; coefficients belong to the terms as given.
[[nodiscard]] std::vector<Lasso> fit_lasso_path(const Eigen::MatrixXd& terms,
                                                const Eigen::VectorXd& values,
                                                const Eigen::VectorXd& weights);

}  // namespace jouletree::predict
