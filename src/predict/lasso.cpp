#include "predict/lasso.hpp"

#include <algorithm>
#include <cmath>

namespace jouletree::predict {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr int kMostRounds = 30;
constexpr int kMostSweeps = 50;
/// A term that varies less than this share of its size does not vary.
constexpr double kVarianceRounding = 1e-12;

/// The problem in centred, scaled terms, as a gram matrix: sweeps do not look at samples. Terms
/// that do not vary are left out.
struct Scaled {
  VectorXd mean;              ///< Of all terms.
  std::vector<Index> varied;  ///< The terms that tell something, in their order; as below.
  VectorXd scale;
  double value_mean = 0;
  double deviation = 0;  ///< Of the values.
  MatrixXd gram;
  VectorXd right;
};

Scaled scale_problem(const SampleSums& sums) {
  Scaled problem;
  problem.mean = sums.terms / sums.weight;
  problem.value_mean = sums.value / sums.weight;
  const VectorXd squares = sums.products.diagonal() / sums.weight;
  const VectorXd variances = squares - problem.mean.cwiseAbs2();
  for (Index i = 0; i < variances.size(); ++i)
    if (variances(i) > kVarianceRounding * (kVarianceRounding + squares(i)))
      problem.varied.push_back(i);
  problem.scale = VectorXd(variances(problem.varied)).cwiseSqrt();
  const VectorXd mean = problem.mean(problem.varied);
  const VectorXd inverse = problem.scale.cwiseInverse();
  problem.gram = MatrixXd(sums.products(problem.varied, problem.varied)) / sums.weight;
  problem.gram -= mean * mean.transpose();
  problem.gram = inverse.asDiagonal() * problem.gram * inverse.asDiagonal();
  problem.right = VectorXd(sums.by_value(problem.varied)) / sums.weight - mean * problem.value_mean;
  problem.right = problem.right.cwiseProduct(inverse);
  problem.deviation =
      std::sqrt(std::max(0.0, sums.square / sums.weight - problem.value_mean * problem.value_mean));
  return problem;
}

double soft(double value, double penalty) {
  if (value > penalty) return value - penalty;
  if (value < -penalty) return value + penalty;
  return 0;
}

/// Coordinate descent on the terms that take part; the others are looked at once per round. `rest`
/// is what the fit leaves over of the right side.
class Descent {
 public:
  Descent(const Scaled& problem, double precision)
      : problem_(problem),
        still_(precision * problem.deviation),
        x_(VectorXd::Zero(problem.right.size())),
        rest_(problem.right) {}

  const VectorXd& solve(double penalty) {
    for (int round = 0; round < kMostRounds; ++round) {
      active_.clear();
      double largest = 0;
      for (Index i = 0; i < x_.size(); ++i) {
        largest = std::max(largest, step(i, penalty));
        if (x_(i) != 0) active_.push_back(i);
      }
      if (largest <= still_) break;
      sweep_active(penalty);
    }
    return x_;
  }

  /// Of the spread of the values, what the fit leaves over.
  [[nodiscard]] double unexplained() const {
    const double spread = problem_.deviation * problem_.deviation;
    return spread > 0 ? 1 - (x_.dot(problem_.right) + x_.dot(rest_)) / spread : 0;
  }

 private:
  /// How much the coefficient changed.
  double step(Index i, double penalty) {
    const double own = problem_.gram(i, i);
    const double next = soft(rest_(i) + own * x_(i), penalty) / own;
    const double change = next - x_(i);
    if (change == 0) return 0;
    rest_ -= change * problem_.gram.col(i);
    x_(i) = next;
    return std::abs(change);
  }

  /// In a problem of the active terms alone, which is small.
  void sweep_active(double penalty) {
    const MatrixXd gram = problem_.gram(active_, active_);
    VectorXd rest = rest_(active_);
    VectorXd x = x_(active_);
    for (int sweep = 0; sweep < kMostSweeps; ++sweep) {
      double largest = 0;
      for (Index i = 0; i < x.size(); ++i) {
        const double next = soft(rest(i) + gram(i, i) * x(i), penalty) / gram(i, i);
        const double change = next - x(i);
        if (change == 0) continue;
        rest -= change * gram.col(i);
        x(i) = next;
        largest = std::max(largest, std::abs(change));
      }
      if (largest <= still_) break;
    }
    x_(active_) = x;
    rest_ = problem_.right - MatrixXd(problem_.gram(Eigen::all, active_)) * x;
  }

  const Scaled& problem_;
  double still_;
  VectorXd x_;
  VectorXd rest_;
  std::vector<Index> active_;
};

}  // namespace

SampleSums::SampleSums(const MatrixXd& all, const VectorXd& values, const VectorXd& weights)
    : weight(weights.sum()),
      terms(all.transpose() * weights),
      value(values.dot(weights)),
      square(values.cwiseAbs2().dot(weights)) {
  const MatrixXd weighted = weights.asDiagonal() * all;
  products = all.transpose() * weighted;
  by_value = weighted.transpose() * values;
}

SampleSums SampleSums::with(const SampleSums& part, double factor) const {
  SampleSums sum;
  sum.weight = weight + factor * part.weight;
  sum.terms = terms + factor * part.terms;
  sum.products = products + factor * part.products;
  sum.value = value + factor * part.value;
  sum.by_value = by_value + factor * part.by_value;
  sum.square = square + factor * part.square;
  return sum;
}

SampleSums SampleSums::without(const SampleSums& part) const { return with(part, -1); }

SampleSums SampleSums::of_first(Index count) const {
  SampleSums few;
  few.weight = weight;
  few.terms = terms.head(count);
  few.products = products.topLeftCorner(count, count);
  few.value = value;
  few.by_value = by_value.head(count);
  few.square = square;
  return few;
}

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

std::vector<Lasso> fit_lasso_path(const SampleSums& sums, const DescentLimits& limits) {
  const Scaled problem = scale_problem(sums);
  const bool tells = !problem.varied.empty();
  const double most = tells ? problem.right.cwiseAbs().maxCoeff() : 0;
  Descent descent(problem, limits.precision);
  std::vector<Lasso> fits;
  fits.reserve(lasso_path().size());
  bool is_done = false;
  for (const double share : lasso_path()) {
    if (fits.size() == limits.penalties) break;
    if (is_done) {
      fits.push_back(fits.back());
      continue;
    }
    Lasso fit;
    fit.coefficients = VectorXd::Zero(sums.terms.size());
    if (tells) {
      const VectorXd& x = descent.solve(share * most);
      fit.coefficients(problem.varied) = x.cwiseQuotient(problem.scale);
      is_done = descent.unexplained() < limits.unexplained;
    }
    fit.intercept = problem.value_mean - fit.coefficients.dot(problem.mean);
    fits.push_back(std::move(fit));
  }
  return fits;
}

double squared_error(const Lasso& fit, const SampleSums& sums) {
  const VectorXd& c = fit.coefficients;
  const double d = fit.intercept;
  const double found = c.dot(sums.products * c) + 2 * d * c.dot(sums.terms) + d * d * sums.weight;
  return std::max(0.0, found - 2 * (c.dot(sums.by_value) + d * sums.value) + sums.square);
}

}  // namespace jouletree::predict
