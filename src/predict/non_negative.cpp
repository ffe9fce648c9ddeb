#include "predict/non_negative.hpp"

#include <vector>

namespace jouletree::predict {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double kGradientTolerance = 1e-10;

/// Solves gram·x = right over the passive terms; the others are 0.
VectorXd solve_passive(const MatrixXd& gram, const VectorXd& right,
                       const std::vector<Index>& passive) {
  const Index count = static_cast<Index>(passive.size());
  const MatrixXd part = gram(passive, passive);
  const VectorXd solved = part.ldlt().solve(VectorXd(right(passive)));
  VectorXd whole = VectorXd::Zero(gram.rows());
  for (Index i = 0; i < count; ++i) whole(passive[static_cast<std::size_t>(i)]) = solved(i);
  return whole;
}

/// The gram matrix is regular: the ridge sees to that.
VectorXd lawson_hanson(const MatrixXd& gram, const VectorXd& right) {
  const Index terms = gram.rows();
  VectorXd x = VectorXd::Zero(terms);
  std::vector<Index> passive;
  std::vector<char> is_passive(static_cast<std::size_t>(terms), 0);
  const double tolerance = kGradientTolerance * (1 + right.cwiseAbs().maxCoeff());
  for (Index step = 0; step < 3 * terms; ++step) {
    const VectorXd gradient = right - gram * x;
    Index best = -1;
    for (Index i = 0; i < terms; ++i) {
      if (!is_passive[static_cast<std::size_t>(i)] && gradient(i) > tolerance &&
          (best < 0 || gradient(i) > gradient(best)))
        best = i;
    }
    if (best < 0) break;
    passive.push_back(best);
    is_passive[static_cast<std::size_t>(best)] = 1;
    VectorXd next = solve_passive(gram, right, passive);
    // Walk towards the new solution until a term would turn negative, drop it, solve again.
    for (;;) {
      double share = 1;
      for (const Index i : passive)
        if (next(i) <= 0) share = std::min(share, x(i) / (x(i) - next(i)));
      if (share >= 1) break;
      x += share * (next - x);
      std::erase_if(passive, [&](Index i) {
        if (next(i) > 0 || x(i) > kGradientTolerance) return false;
        x(i) = 0;
        is_passive[static_cast<std::size_t>(i)] = 0;
        return true;
      });
      if (passive.empty()) break;
      next = solve_passive(gram, right, passive);
    }
    if (!passive.empty()) x = next;
  }
  return x;
}

}  // namespace

double NormalEquations::residual(const VectorXd& solution) const {
  return square - 2 * solution.dot(right) + solution.dot(gram * solution);
}

VectorXd solve_non_negative(const NormalEquations& equations, double ridge, const VectorXd& prior) {
  const Index terms = equations.right.size();
  VectorXd scale = equations.gram.diagonal().cwiseSqrt();
  for (Index i = 0; i < terms; ++i)
    if (!(scale(i) > 0)) scale(i) = 1;
  const VectorXd inverse = scale.cwiseInverse();
  MatrixXd gram = inverse.asDiagonal() * equations.gram * inverse.asDiagonal();
  gram.diagonal().array() += ridge;
  const VectorXd right = inverse.cwiseProduct(equations.right) + ridge * scale.cwiseProduct(prior);
  return inverse.cwiseProduct(lawson_hanson(gram, right));
}

}  // namespace jouletree::predict
