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

/// The problem in centred, scaled terms, as a gram matrix: sweeps do not look at samples.
struct Scaled {
  VectorXd mean;
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
  problem.scale = (centred.cwiseAbs2().transpose() * weights / total).cwiseSqrt();
  for (Index i = 0; i < problem.scale.size(); ++i)
    if (problem.scale(i) <= 1e-12 * (1 + std::abs(problem.mean(i)))) problem.scale(i) = 0;
  for (Index i = 0; i < centred.cols(); ++i) {
    if (problem.scale(i) > 0) {
      centred.col(i) /= problem.scale(i);
    } else {
      centred.col(i).setZero();
    }
  }
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

void sweep_until_still(const Scaled& problem, double penalty, VectorXd& x) {
  for (int sweep = 0; sweep < kMostSweeps; ++sweep) {
    double largest = 0;
    for (Index i = 0; i < x.size(); ++i) {
      if (problem.gram(i, i) <= 0) continue;
      const double rest = problem.right(i) - problem.gram.col(i).dot(x) + problem.gram(i, i) * x(i);
      const double next = soft(rest, penalty) / problem.gram(i, i);
      largest = std::max(largest, std::abs(next - x(i)));
      x(i) = next;
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
  const double most = problem.right.cwiseAbs().maxCoeff();
  VectorXd x = VectorXd::Zero(terms.cols());
  std::vector<Lasso> fits;
  for (const double share : lasso_path()) {
    sweep_until_still(problem, share * most, x);
    Lasso fit;
    fit.coefficients = VectorXd::Zero(terms.cols());
    for (Index i = 0; i < x.size(); ++i)
      if (problem.scale(i) > 0) fit.coefficients(i) = x(i) / problem.scale(i);
    fit.intercept = problem.value_mean - fit.coefficients.dot(problem.mean);
    fits.push_back(std::move(fit));
  }
  return fits;
}

}  // namespace jouletree::predict
