#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <mutex>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "jouletree/error.hpp"
#include "predict/config_object.hpp"
#include "predict/neuralpower.hpp"
#include "predict/operator_samples.hpp"

namespace jouletree::predict {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr int kHeldBackParts = 10;
/// A higher degree that errs as much up to rounding is no better than a lower one.
constexpr double kClearlyLess = 1 - 1e-9;

/// Fits that only compare penalties need not be exact, and what explains nearly everything needs no
/// smaller penalty.
constexpr DescentLimits kSearch = {.precision = 1e-3, .unexplained = 1e-4};
constexpr double kFinalPrecision = 1e-5;

struct Config {
  int highest_degree = 3;
  /// Errors count relative to the values, or as they are.
  bool relative = true;
};

Config read_config(const std::string& text) {
  Config config;
  const auto json = config_object(text);
  for (const auto& [key, value] : json.items()) {
    if (key == "errors") {
      if (value != "relative" && value != "absolute") {
        throw Error(ErrorKind::BadInput,
                    "configuration of method neuralpower: errors is \"relative\" or \"absolute\"");
      }
      config.relative = value == "relative";
      continue;
    }
    if (key != "max_degree") {
      throw Error(
          ErrorKind::BadInput,
          fmt::format("configuration of method neuralpower: there is no key '{}'; there are "
                      "max_degree, errors",
                      key));
    }
    if (!value.is_number_integer() || value < 1 || value > 3) {
      throw Error(ErrorKind::BadInput,
                  "configuration of method neuralpower: max_degree is 1, 2 or 3");
    }
    config.highest_degree = value;
  }
  return config;
}

/// A sample with what polynomials are made of.
struct LayerSample {
  const OperatorSample* sample = nullptr;
  LayerWork work;
};
using Samples = std::vector<const LayerSample*>;

/// What a polynomial is fitted to.
enum class Learned { Time, Power };

double value_of(const OperatorSample& sample, Learned quantity) {
  return quantity == Learned::Time ? *sample.time_s : *sample.energy_j / *sample.time_s;
}
Logarithms logarithms_of(Learned quantity) {
  return quantity == Learned::Time ? Logarithms::Without : Logarithms::With;
}

/// All terms of the highest degree, each scaled to the samples, so that sums keep their digits.
struct Problem {
  MatrixXd terms;
  VectorXd mean;
  VectorXd scale;
  VectorXd values;
  VectorXd weights;

  /// Coefficients for terms that are not scaled.
  [[nodiscard]] Lasso unscaled(const Lasso& fit) const {
    const Index count = fit.coefficients.size();
    Lasso result;
    result.coefficients = fit.coefficients.cwiseQuotient(scale.head(count));
    result.intercept = fit.intercept - result.coefficients.dot(mean.head(count));
    return result;
  }
};

Problem problem_of(const Samples& samples, const Config& config, Learned quantity) {
  Problem problem;
  const auto count = static_cast<Index>(samples.size());
  problem.values.resize(count);
  problem.weights.resize(count);
  for (Index i = 0; i < count; ++i) {
    const LayerSample& one = *samples[static_cast<std::size_t>(i)];
    const VectorXd terms = layer_terms(one.work, config.highest_degree, logarithms_of(quantity));
    if (i == 0) problem.terms.resize(count, terms.size());
    problem.terms.row(i) = terms.transpose();
    problem.values(i) = value_of(*one.sample, quantity);
    problem.weights(i) = one.sample->weight;
    if (config.relative) problem.weights(i) /= problem.values(i) * problem.values(i);
  }
  const double total = problem.weights.sum();
  problem.mean = problem.terms.transpose() * problem.weights / total;
  problem.terms.rowwise() -= problem.mean.transpose();
  problem.scale = (problem.terms.cwiseAbs2().transpose() * problem.weights / total).cwiseSqrt();
  for (Index i = 0; i < problem.scale.size(); ++i) {
    // Rounding leaves a trace of a deviation where all samples are the same.
    const bool varies = problem.scale(i) > 1e-12 * (1 + std::abs(problem.mean(i)));
    if (!varies) problem.terms.col(i).setZero();
    if (!varies) problem.scale(i) = 1;
    problem.terms.col(i) /= problem.scale(i);
  }
  return problem;
}

SampleSums sums_of(const Problem& problem, const std::vector<Index>& rows) {
  return {problem.terms(rows, Eigen::all), problem.values(rows), problem.weights(rows)};
}

/// Degree and penalty with the least error in ten-fold cross-validation.
LayerPolynomial fit_layer(const Samples& samples, const Config& config, Learned quantity) {
  const Problem problem = problem_of(samples, config, quantity);
  std::vector<std::vector<Index>> rows(kHeldBackParts);
  for (Index i = 0; i < problem.values.size(); ++i)
    rows[static_cast<std::size_t>(i % kHeldBackParts)].push_back(i);
  std::vector<SampleSums> parts;
  for (const auto& part : rows)
    if (!part.empty()) parts.push_back(sums_of(problem, part));
  SampleSums all = parts.front();
  for (std::size_t p = 1; p < parts.size(); ++p) all = all.with(parts[p]);
  const std::size_t sizes = samples.front()->work.configuration.sizes.size();
  LayerPolynomial best;
  double least = std::numeric_limits<double>::infinity();
  for (int degree = 1; degree <= config.highest_degree; ++degree) {
    const auto terms = static_cast<Index>(layer_term_count(sizes, degree, logarithms_of(quantity)));
    VectorXd errors = VectorXd::Zero(static_cast<Index>(lasso_path().size()));
    for (const SampleSums& part : parts) {
      if (parts.size() < 2) break;
      const SampleSums held = part.of_first(terms);
      const auto fits = fit_lasso_path(all.of_first(terms).without(held), kSearch);
      for (std::size_t p = 0; p < fits.size(); ++p)
        errors(static_cast<Index>(p)) += squared_error(fits[p], held);
    }
    Index penalty = 0;
    const double error = errors.minCoeff(&penalty);
    if (error >= least * kClearlyLess) continue;
    least = error;
    best.degree = degree;
    DescentLimits limits = kSearch;
    limits.precision = kFinalPrecision;
    limits.penalties = static_cast<std::size_t>(penalty) + 1;
    best.lasso = problem.unscaled(fit_lasso_path(all.of_first(terms), limits).back());
  }
  best.values = {problem.values.minCoeff(), problem.values.maxCoeff()};
  return best;
}

/// Fits of one type of layer. Cross-validation asks for the same ones again and again: whenever
/// only runs without such layers are left out, and for two parts in either order. Safe to share.
class LayerFits {
 public:
  explicit LayerFits(std::vector<LayerSample> samples) : samples_(std::move(samples)) {}

  /// Nothing where no sample is used.
  std::optional<LayerPolynomial> fit(const RunMask& used, const Config& config, Learned quantity) {
    Samples chosen;
    RunMask runs;  // As they are used; equal for equal samples.
    const LayerSample* before = nullptr;
    for (const LayerSample& one : samples_) {
      const std::size_t run = one.sample->run;
      if (used[run]) chosen.push_back(&one);
      if (before == nullptr || run != before->sample->run) runs.push_back(used[run]);
      before = &one;
    }
    if (chosen.empty()) return std::nullopt;
    auto& known = quantity == Learned::Time ? times_ : powers_;
    {
      const std::scoped_lock lock(guard_);
      if (const auto found = known.find(runs); found != known.end()) return found->second;
    }
    const LayerPolynomial fitted = fit_layer(chosen, config, quantity);
    const std::scoped_lock lock(guard_);
    return known.emplace(std::move(runs), fitted).first->second;
  }

  [[nodiscard]] std::vector<std::string> sizes() const {
    const auto& names = samples_.front().work.configuration.names;
    return {names.begin(), names.end()};
  }

 private:
  std::vector<LayerSample> samples_;
  std::mutex guard_;
  std::map<RunMask, LayerPolynomial> times_;
  std::map<RunMask, LayerPolynomial> powers_;
};

class NeuralPowerTrainer : public Trainer {
 public:
  NeuralPowerTrainer(const std::vector<TreeRun>& runs, Target target, Config config)
      : target_(target), config_(config), samples_(operator_samples(runs)) {
    std::map<std::string, std::vector<LayerSample>> by_layer;
    for (const OperatorSample& sample : samples_) {
      if (!sample.time_s || (target_ == Target::Energy && !sample.energy_j)) continue;
      LayerWork work(*sample.node, sample.work);
      std::string layer = work.configuration.layer;
      by_layer[std::move(layer)].push_back({&sample, std::move(work)});
    }
    for (auto& [layer, samples] : by_layer)
      fits_.emplace(layer, std::make_unique<LayerFits>(std::move(samples)));
  }

  [[nodiscard]] std::unique_ptr<Fitted> fit(const RunMask& used) const override {
    std::map<std::string, LayerModels, std::less<>> layers;
    for (const auto& [layer, fits] : fits_) {
      auto time = fits->fit(used, config_, Learned::Time);
      if (!time) continue;
      LayerModels models{fits->sizes(), *std::move(time), std::nullopt};
      if (target_ == Target::Energy) models.power = fits->fit(used, config_, Learned::Power);
      layers.emplace(layer, std::move(models));
    }
    return std::make_unique<NeuralPower>(target_, std::move(layers));
  }

 private:
  Target target_;
  Config config_;
  std::vector<OperatorSample> samples_;
  std::map<std::string, std::unique_ptr<LayerFits>> fits_;
};

}  // namespace

std::unique_ptr<Trainer> make_neuralpower_trainer(const std::vector<TreeRun>& runs, Target target,
                                                  const TrainOptions& options) {
  return std::make_unique<NeuralPowerTrainer>(runs, target, read_config(options.config));
}

}  // namespace jouletree::predict
