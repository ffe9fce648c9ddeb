#include <algorithm>
#include <cmath>

#include <Eigen/Dense>

#include "jouletree/error.hpp"
#include "predict/ledger.hpp"
#include "predict/operator_load.hpp"
#include "predict/predictor_state.hpp"

namespace jouletree {
namespace predict {
namespace {

/// How much dearer the new device is, over all operators and, where there are none, all nodes.
double scale_between(const LedgerFit& old, const std::vector<TreeRun>& runs, Target target) {
  double sum = 0;
  double count = 0;
  for (const TreeRun& run : runs) {
    const std::vector<double> predicted = old.predict(run, FeatureSet::Specs);
    for (std::size_t i = 0; i < run.nodes.size(); ++i) {
      const auto& value = truth(run.nodes[i], target);
      if (!value || !(predicted[i] > 0)) continue;
      sum += std::log(*value / predicted[i]);
      count += 1;
    }
  }
  if (count == 0)
    throw Error(ErrorKind::BadInput, "no run has values that the predictor can be compared with");
  return std::exp(sum / count);
}

void multiply(WorkPrice& price, double factor) {
  for (double& coefficient : price.coefficients) coefficient *= factor;
}

LedgerCoefficients scaled(LedgerCoefficients all, double factor) {
  for (auto& [name, price] : all.groups) multiply(price, factor);
  for (auto& [name, price] : all.pools) multiply(price, factor);
  for (auto& price : all.classes)
    if (price) multiply(*price, factor);
  for (std::size_t i = kLaunch; i < kGlueTerms; ++i) all.glue[i] *= factor;
  for (auto* whole : {&all.whole_model, &all.whole_module}) {
    for (std::size_t i = kWholeOperators + 1; *whole && i < kWholeTerms; ++i)
      (**whole)[i] *= factor;
  }
  return all;
}

std::optional<Ensemble> adapt_target(const std::optional<Ensemble>& old,
                                     const std::vector<TreeRun>& runs, Target target,
                                     const PredictorInfo& info) {
  if (!old || !knows(runs, target)) return std::nullopt;
  const auto* ledger = dynamic_cast<const LedgerFit*>(old->fit.get());
  if (ledger == nullptr)
    throw Error(ErrorKind::BadInput, "only predictors of method ledger can be adapted");
  const LedgerCoefficients prior =
      scaled(ledger->coefficients(), scale_between(*ledger, runs, target));
  const auto trainer = make_ledger_trainer(runs, target, &prior);
  Ensemble adapted = train_ensemble(*trainer, runs, RunMask(runs.size(), 1), target,
                                    feature_sets_within(info.features), info.level);
  // A handful of runs must not look surer than all those of the other device.
  for (std::size_t f = 0; f < kFeatureSets; ++f) {
    for (std::size_t l = 0; l < kLevels; ++l) {
      if (old->half_widths[f][l]) {
        adapted.half_widths[f][l] =
            std::max(adapted.half_widths[f][l].value_or(0), *old->half_widths[f][l]);
      }
    }
  }
  return adapted;
}

constexpr Eigen::Index kDescriptors = 7;

/// Where a run lies among all runs: sizes count by their logarithm.
Eigen::VectorXd descriptor(const TreeRun& run) {
  Eigen::VectorXd values = Eigen::VectorXd::Zero(kDescriptors);
  double mflops = 0;
  double mebibytes = 0;
  double operators = 0;
  double products = 0;
  for (const RunNode& node : run.nodes) {
    if (node.level != NodeLevel::Operator) continue;
    const OperatorLoad work = load_of(run, node);
    mflops += work.mflops;
    mebibytes += work.mebibytes;
    operators += 1;
    if (work.work_class != WorkClass::Memory) products += work.mflops;
  }
  values << 1, std::log1p(mflops), std::log1p(mebibytes), std::log1p(operators),
      mflops > 0 ? products / mflops : 0, std::log1p(run.batch.value_or(0)),
      std::log1p(run.sequence.value_or(0));
  return values;
}

Eigen::MatrixXd descriptors(const std::vector<TreeRun>& runs) {
  Eigen::MatrixXd all(static_cast<Eigen::Index>(runs.size()), kDescriptors);
  for (Eigen::Index i = 0; i < all.rows(); ++i)
    all.row(i) = descriptor(runs[static_cast<std::size_t>(i)]).transpose();
  const Eigen::RowVectorXd mean = all.colwise().mean();
  for (Eigen::Index c = 1; c < kDescriptors; ++c) {
    all.col(c).array() -= mean(c);
    const double size = std::sqrt(all.col(c).squaredNorm() / static_cast<double>(all.rows()));
    if (size > 0) all.col(c) /= size;
  }
  return all;
}

}  // namespace
}  // namespace predict

Predictor Predictor::adapt(const Predictor& other, const std::vector<TreeRun>& runs) {
  auto state = std::make_shared<State>();
  TrainOptions options;
  options.method = other.info().method;
  options.features = other.info().features;
  options.level = other.info().level;
  options.config = other.info().config;
  state->info = predict::describe(runs, options);
  state->info.fused = state->info.fused || other.info().fused;
  state->info.adapted_from = other.info().measured_on;
  for (const Vocabulary vocabulary : other.info().vocabularies) {
    auto& all = state->info.vocabularies;
    if (std::find(all.begin(), all.end(), vocabulary) == all.end()) all.push_back(vocabulary);
  }
  state->ranges = other.state_->ranges;
  state->ranges.add(predict::TrainedRanges(runs));
  state->energy =
      predict::adapt_target(other.state_->energy, runs, predict::Target::Energy, state->info);
  state->time = predict::adapt_target(other.state_->time, runs, predict::Target::Time, state->info);
  if (!state->energy && !state->time) {
    throw Error(ErrorKind::BadInput,
                "the runs and the predictor have neither energy nor time in common");
  }
  return Predictor(std::move(state));
}

std::vector<std::size_t> most_informative(const std::vector<TreeRun>& runs,
                                          const std::vector<std::size_t>& used, std::size_t count) {
  constexpr double kRidge = 1e-3;
  const Eigen::MatrixXd all = predict::descriptors(runs);
  Eigen::MatrixXd information =
      kRidge * Eigen::MatrixXd::Identity(predict::kDescriptors, predict::kDescriptors);
  std::vector<char> taken(runs.size(), 0);
  const auto take = [&](std::size_t i) {
    const Eigen::VectorXd row = all.row(static_cast<Eigen::Index>(i)).transpose();
    information += row * row.transpose();
    taken[i] = 1;
  };
  for (const std::size_t i : used) take(i);
  std::vector<std::size_t> chosen;
  while (chosen.size() < std::min(count, runs.size() - used.size())) {
    // The run about which the chosen ones say least (D-optimal design, greedily).
    const Eigen::LDLT<Eigen::MatrixXd> solver(information);
    std::size_t best = runs.size();
    double most = -1;
    for (std::size_t i = 0; i < runs.size(); ++i) {
      if (taken[i]) continue;
      const Eigen::VectorXd row = all.row(static_cast<Eigen::Index>(i)).transpose();
      const double gain = row.dot(solver.solve(row));
      if (gain <= most) continue;
      most = gain;
      best = i;
    }
    if (best == runs.size()) break;  // No number tells them apart.
    chosen.push_back(best);
    take(best);
  }
  return chosen;
}

}  // namespace jouletree
