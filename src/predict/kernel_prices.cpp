#include "predict/kernel_prices.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "predict/non_negative.hpp"

namespace jouletree::predict {
namespace {

using Eigen::Index;
using Eigen::VectorXd;

// Ridges are relative to the weight of the data, see solve_non_negative.
constexpr double kFreeRidge = 1e-5;
/// A prior counts as much as so many rows.
constexpr double kPriorRows = 1;
/// Errors beyond this, in log space, count in proportion and not by their square.
constexpr double kUsualError = 0.15;
constexpr int kRounds = 4;
/// A term that is smaller than this in all rows (a KiB, a thousand operations) explains nothing:
/// it must not be dear because it happens to go with the truth. The term of the launch is none.
constexpr double kNegligible = 1e-3;

double cost_at(const VectorXd& prices, const OperatorLoad& work) {
  return std::inner_product(prices.begin(), prices.end(), work.kernel.terms.begin(), 0.0);
}

/// How much dearer than the prior the rows are, drawn towards 1.
double level_of(const std::vector<KernelRow>& rows, const VectorXd& prior) {
  double sum = 0;
  double weight = 1;
  for (const KernelRow& row : rows) {
    const double expected = cost_at(prior, *row.work);
    if (!(expected > 0)) continue;
    sum += row.weight * std::log(row.truth / expected);
    weight += row.weight;
  }
  return std::exp(sum / weight);
}

double usual_truth(const std::vector<KernelRow>& rows) {
  double sum = 0;
  for (const KernelRow& row : rows) sum += std::log(row.truth);
  return std::exp(sum / static_cast<double>(rows.size()));
}

VectorXd solve_weighted(const std::vector<KernelRow>& rows, const std::vector<double>& trust,
                        Index terms, double ridge, const VectorXd& prior) {
  NormalEquations equations(terms);
  for (std::size_t r = 0; r < rows.size(); ++r) {
    const Eigen::Map<const VectorXd> values(rows[r].work->kernel.terms.data(), terms);
    const double weight = rows[r].weight * trust[r];
    const VectorXd scaled = values / rows[r].truth;
    equations.gram.selfadjointView<Eigen::Lower>().rankUpdate(scaled, weight);
    equations.right += weight * scaled;
    equations.square += weight;
  }
  equations.gram.triangularView<Eigen::StrictlyUpper>() = equations.gram.transpose();
  const double usual = usual_truth(rows);
  for (Index i = 1; i < terms; ++i) {
    const double pull = equations.square * std::pow(kNegligible / usual, 2);
    equations.gram(i, i) += pull;
    equations.right(i) += pull * prior(i);
  }
  return solve_non_negative(equations, ridge, prior);
}

}  // namespace

WorkPrice fit_kernel_price(const std::vector<KernelRow>& rows, const WorkPrice* prior) {
  const OperatorLoad& first = *rows.front().work;
  WorkPrice price;
  price.work_class = first.work_class;
  price.kernel = first.kernel.kernel;
  const auto terms = static_cast<Index>(terms_of(price.kernel).size());
  VectorXd start = VectorXd::Zero(terms);
  double ridge = kFreeRidge;
  if (prior != nullptr) {
    start = Eigen::Map<const VectorXd>(prior->coefficients.data(), terms);
    start *= level_of(rows, start);
    double weight = 0;
    for (const KernelRow& row : rows) weight += row.weight;
    ridge = kPriorRows / weight;
  }
  std::vector<double> trust(rows.size(), 1);
  VectorXd solved;
  for (int round = 0; round < kRounds; ++round) {
    solved = solve_weighted(rows, trust, terms, ridge, start);
    for (std::size_t r = 0; r < rows.size(); ++r) {
      const double expected = std::max(cost_at(solved, *rows[r].work), 1e-12 * rows[r].truth);
      const double error = std::abs(std::log(expected / rows[r].truth));
      trust[r] = error > kUsualError ? kUsualError / error : 1;
    }
  }
  price.coefficients.assign(solved.begin(), solved.end());
  return price;
}

}  // namespace jouletree::predict
