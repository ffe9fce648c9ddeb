#pragma once

#include <vector>

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

/// Sums over samples from which fits and their errors follow, so that samples are looked at once,
/// however many parts of them are held back and penalties tried. Sums of terms whose mean is far
/// from 0 lose digits: centre them before.
struct SampleSums {
  double weight = 0;
  Eigen::VectorXd terms;
  Eigen::MatrixXd products;  ///< Of terms with each other.
  double value = 0;
  Eigen::VectorXd by_value;  ///< Of terms with the value.
  double square = 0;         ///< Of values.

  SampleSums() = default;
  SampleSums(const Eigen::MatrixXd& terms, const Eigen::VectorXd& values,
             const Eigen::VectorXd& weights);
  [[nodiscard]] SampleSums with(const SampleSums& part, double factor = 1) const;
  [[nodiscard]] SampleSums without(const SampleSums& part) const;
  /// As if there were only the first `count` terms.
  [[nodiscard]] SampleSums of_first(Eigen::Index count) const;
};

/// Penalties from the one that drops everything downwards, as a share of it.
[[nodiscard]] const std::vector<double>& lasso_path();

/// When a descent ends.
struct DescentLimits {
  /// Until no coefficient changes by more, in standard deviations of the values.
  double precision = 1e-8;
  /// What explains all of the spread of the values but this share is kept for smaller penalties.
  double unexplained = 0;
  std::size_t penalties = 100;  ///< Of the path, at most.
};

/// Fits for each penalty of the path by coordinate descent, each from the one before. Terms are
/// scaled inside; coefficients belong to the terms as given.
[[nodiscard]] std::vector<Lasso> fit_lasso_path(const SampleSums& sums,
                                                const DescentLimits& limits = {});

/// The weighted sum of squared errors of the fit on the samples.
[[nodiscard]] double squared_error(const Lasso& fit, const SampleSums& sums);

}  // namespace jouletree::predict
