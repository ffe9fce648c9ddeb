#pragma once

#include <Eigen/Dense>

namespace jouletree::predict {

/// Normal equations of a least-squares problem: gram = AᵀA, right = Aᵀb, square = bᵀb.
struct NormalEquations {
  Eigen::MatrixXd gram;
  Eigen::VectorXd right;
  double square = 0;

  explicit NormalEquations(Eigen::Index terms)
      : gram(Eigen::MatrixXd::Zero(terms, terms)), right(Eigen::VectorXd::Zero(terms)) {}

  /// Sum of the squared residuals of a solution, without its ridge.
  [[nodiscard]] double residual(const Eigen::VectorXd& solution) const;
};

/// Coefficients that are not negative, by the active-set method of Lawson and Hanson. A ridge
/// pulls them towards `prior`; it is measured in the scale of each term, so that it has no unit.
/// Terms that are zero in all rows get their prior.
[[nodiscard]] Eigen::VectorXd solve_non_negative(const NormalEquations& equations, double ridge,
                                                 const Eigen::VectorXd& prior);

}  // namespace jouletree::predict
