#include "predict/lasso.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace jouletree::predict {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr int kMostSweeps = 300;
constexpr double kConverged = 1e-7;

/// The problem in centred, scaled terms, as a gram matrix: sweeps do not look at samples. Terms
/// that do not vary are left out.
struct Scaled {
  VectorXd mean;              ///< Of all terms.
  std::vector<Index> varied;  ///< The terms that tell something, in their order; as below.
  VectorXd scale;
  double value_mean = 0;
  MatrixXd gram;
  VectorXd right;
};

Scaled scale_problem(const MatrixXd& terms, const VectorXd& values, const VectorXd& weights) {
  Scaled problem;
  const double total = weights.sum();
  problem.mean = terms.transpose() * weights / total;
  problem.value_mean = values.dot(weights) / total;
  MatrixXd centred = terms.rowwise() - problem.mean.transpose();
  const VectorXd scale = (centred.cwiseAbs2().transpose() * weights / total).cwiseSqrt();
  for (Index i = 0; i < scale.size(); ++i)
    if (scale(i) > 1e-12 * (1 + std::abs(problem.mean(i)))) problem.varied.push_back(i);
  problem.scale = scale(problem.varied);
  centred = MatrixXd(centred(Eigen::all, problem.varied));
  for (Index i = 0; i < centred.cols(); ++i) centred.col(i) /= problem.scale(i);
  const MatrixXd weighted = weights.asDiagonal() * centred;
  problem.gram = centred.transpose() * weighted / total;
  problem.right = weighted.transpose() * VectorXd(values.array() - problem.value_mean) / total;
  return problem;
}

double soft(double value, double penalty) {
  if (value > penalty) return value - penalty;
  if (value < -penalty) return value + penalty;
  return 0;
}

/// Goes over all terms again and again. `rest` is what the fit leaves over of the right side; it
/// follows each change, so that a term that stays out costs one comparison.
void sweep_until_still(const Scaled& problem, double penalty, VectorXd& x, VectorXd& rest) {
  for (int sweep = 0; sweep < kMostSweeps; ++sweep) {
    double largest = 0;
    for (Index i = 0; i < x.size(); ++i) {
      const double own = problem.gram(i, i);
      const double next = soft(rest(i) + own * x(i), penalty) / own;
      const double change = next - x(i);
      if (change == 0) continue;
      rest -= change * problem.gram.col(i);
      x(i) = next;
      largest = std::max(largest, std::abs(change));
    }
    if (largest <= kConverged * (1 + x.cwiseAbs().maxCoeff())) return;
  }
}

}  // namespace

const std::vector<double>& lasso_path() {
  static const std::vector<double> kPath = [] {
    constexpr int kPenalties = 13;
    std::vector<double> path;
    path.reserve(kPenalties);
    for (int i = 0; i < kPenalties; ++i) path.push_back(std::pow(10.0, -i / 2.5));
    return path;
  }();
  return kPath;
}

std::vector<Lasso> fit_lasso_path(const MatrixXd& terms, const VectorXd& values,
                                  const VectorXd& weights) {
  const Scaled problem = scale_problem(terms, values, weights);
  const bool tells = !problem.varied.empty();
  const double most = tells ? problem.right.cwiseAbs().maxCoeff() : 0;
  VectorXd x = VectorXd::Zero(problem.right.size());
  VectorXd rest = problem.right;
  std::vector<Lasso> fits;
  for (const double share : lasso_path()) {
    if (tells) sweep_until_still(problem, share * most, x, rest);
    Lasso fit;
    fit.coefficients = VectorXd::Zero(terms.cols());
    fit.coefficients(problem.varied) = x.cwiseQuotient(problem.scale);
    fit.intercept = problem.value_mean - fit.coefficients.dot(problem.mean);
    fits.push_back(std::move(fit));
  }
  return fits;
}

}  // namespace jouletree::predict
