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

struct Config {
  int highest_degree = 3;
};

Config read_config(const std::string& text) {
  Config config;
  const auto json = config_object(text);
  for (const auto& [key, value] : json.items()) {
    if (key != "max_degree") {
      throw Error(ErrorKind::BadInput,
                  fmt::format("configuration of method neuralpower: there is no key '{}'; there is "
                              "max_degree",
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

using Samples = std::vector<const OperatorSample*>;
using Value = double (*)(const OperatorSample&);

double time_of(const OperatorSample& sample) { return *sample.time_s; }
double power_of(const OperatorSample& sample) { return *sample.energy_j / *sample.time_s; }

struct Problem {
  MatrixXd terms;
  VectorXd values;
  VectorXd weights;
};

Problem problem_of(const Samples& samples, int degree, Value value) {
  Problem problem;
  const auto count = static_cast<Index>(samples.size());
  problem.values.resize(count);
  problem.weights.resize(count);
  for (Index i = 0; i < count; ++i) {
    const OperatorSample& sample = *samples[static_cast<std::size_t>(i)];
    const VectorXd terms = layer_terms(sample.work, degree);
    if (i == 0) problem.terms.resize(count, terms.size());
    problem.terms.row(i) = terms.transpose();
    problem.values(i) = value(sample);
    problem.weights(i) = sample.weight;
  }
  return problem;
}

/// Squared errors of the penalties of the path on the part of the samples that was held back.
VectorXd held_back_errors(const Problem& problem, int part) {
  std::vector<Index> kept;
  std::vector<Index> held;
  for (Index i = 0; i < problem.values.size(); ++i)
    (i % kHeldBackParts == part ? held : kept).push_back(i);
  const auto penalties = static_cast<Index>(lasso_path().size());
  VectorXd errors = VectorXd::Zero(penalties);
  if (kept.empty() || held.empty()) return errors;
  const auto fits =
      fit_lasso_path(problem.terms(kept, Eigen::all), problem.values(kept), problem.weights(kept));
  for (const Index i : held) {
    for (Index p = 0; p < penalties; ++p) {
      const double predicted =
          fits[static_cast<std::size_t>(p)].predict(problem.terms.row(i).transpose());
      errors(p) += problem.weights(i) * std::pow(predicted - problem.values(i), 2);
    }
  }
  return errors;
}

/// Degree and penalty with the least error in ten-fold cross-validation.
LayerPolynomial fit_layer(const Samples& samples, int highest_degree, Value value) {
  LayerPolynomial best;
  double least = std::numeric_limits<double>::infinity();
  for (int degree = 1; degree <= highest_degree; ++degree) {
    const Problem problem = problem_of(samples, degree, value);
    VectorXd errors = VectorXd::Zero(static_cast<Index>(lasso_path().size()));
    for (int part = 0; part < kHeldBackParts; ++part) errors += held_back_errors(problem, part);
    Index penalty = 0;
    const double error = errors.minCoeff(&penalty);
    if (error >= least * kClearlyLess) continue;
    least = error;
    best.degree = degree;
    best.lasso = fit_lasso_path(problem.terms, problem.values,
                                problem.weights)[static_cast<std::size_t>(penalty)];
    best.values = {problem.values.minCoeff(), problem.values.maxCoeff()};
  }
  return best;
}

/// Fits of one type of layer. Cross-validation asks for the same ones again and again: whenever
/// only runs without such layers are left out, and for two parts in either order. Safe to share.
class LayerFits {
 public:
  explicit LayerFits(Samples samples) : samples_(std::move(samples)) {}

  /// Nothing where no sample is used.
  std::optional<LayerPolynomial> fit(const RunMask& used, int highest_degree, Value value) {
    const Samples chosen = chosen_of(used);
    RunMask runs;  // As they are used; equal for equal samples.
    const OperatorSample* before = nullptr;
    for (const OperatorSample* const sample : samples_) {
      if (before == nullptr || sample->run != before->run) runs.push_back(used[sample->run]);
      before = sample;
    }
    if (chosen.empty()) return std::nullopt;
    auto& known = value == time_of ? times_ : powers_;
    {
      const std::scoped_lock lock(guard_);
      if (const auto found = known.find(runs); found != known.end()) return found->second;
    }
    const LayerPolynomial fitted = fit_layer(chosen, highest_degree, value);
    const std::scoped_lock lock(guard_);
    return known.emplace(std::move(runs), fitted).first->second;
  }

  /// Of the first sample that is used.
  [[nodiscard]] WorkClass work_class(const RunMask& used) const {
    return chosen_of(used).front()->work.work_class;
  }

 private:
  [[nodiscard]] Samples chosen_of(const RunMask& used) const {
    Samples chosen;
    for (const OperatorSample* const sample : samples_)
      if (used[sample->run]) chosen.push_back(sample);
    return chosen;
  }

  Samples samples_;
  std::mutex guard_;
  std::map<RunMask, LayerPolynomial> times_;
  std::map<RunMask, LayerPolynomial> powers_;
};

class NeuralPowerTrainer : public Trainer {
 public:
  NeuralPowerTrainer(const std::vector<TreeRun>& runs, Target target, Config config)
      : target_(target), config_(config), samples_(operator_samples(runs)) {
    std::map<std::string, Samples> by_group;
    for (const OperatorSample& sample : samples_) {
      if (sample.time_s && (target_ == Target::Time || sample.energy_j))
        by_group[sample.work.group].push_back(&sample);
    }
    for (auto& [group, samples] : by_group)
      fits_.emplace(group, std::make_unique<LayerFits>(std::move(samples)));
  }

  [[nodiscard]] std::unique_ptr<Fitted> fit(const RunMask& used) const override {
    std::map<std::string, LayerModels, std::less<>> layers;
    for (const auto& [group, fits] : fits_) {
      auto time = fits->fit(used, config_.highest_degree, time_of);
      if (!time) continue;
      LayerModels models{fits->work_class(used), *std::move(time), std::nullopt};
      if (target_ == Target::Energy)
        models.power = fits->fit(used, config_.highest_degree, power_of);
      layers.emplace(group, std::move(models));
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
