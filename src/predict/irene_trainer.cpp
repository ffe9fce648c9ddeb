#include <cmath>
#include <random>
#include <unordered_map>

#include <fmt/format.h>

#include "jouletree/error.hpp"
#include "predict/irene.hpp"
#include "predict/operator_load.hpp"

namespace jouletree::predict {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

/// 24 bits of each number of the Mersenne Twister, the scheme that the published program's library
/// is known for. Every fit starts anew from the seed, while that program goes on drawing from fold
/// to fold, so that its starting weights are not repeated one by one.
class Uniform {
 public:
  explicit Uniform(std::uint64_t seed) : engine_(static_cast<std::uint32_t>(seed)) {}
  /// Between −limit and limit.
  double next(double limit) {
    constexpr std::uint32_t kMask = (1U << 24U) - 1;
    const auto share = static_cast<double>(engine_() & kMask) / (1U << 24U);
    return limit * (2 * share - 1);
  }

 private:
  std::mt19937 engine_;
};

/// Steps of the optimiser that is called Adam, with its usual settings.
class Adam {
 public:
  Adam(Index size, double rate) : rate_(rate), mean_(VectorXd::Zero(size)), square_(mean_) {}

  void step(const VectorXd& gradient, VectorXd& parameters) {
    ++steps_;
    mean_ = kMean * mean_ + (1 - kMean) * gradient;
    square_ = kSquare * square_ + (1 - kSquare) * gradient.cwiseAbs2();
    const double mean_share = 1 - std::pow(kMean, steps_);
    const double square_share = 1 - std::pow(kSquare, steps_);
    parameters.array() -=
        rate_ * (mean_.array() / mean_share) / ((square_.array() / square_share).sqrt() + kSmall);
  }

 private:
  static constexpr double kMean = 0.9;
  static constexpr double kSquare = 0.999;
  static constexpr double kSmall = 1e-8;
  double rate_;
  int steps_ = 0;
  VectorXd mean_;
  VectorXd square_;
};

/// A run whose nodes point to rows of features; layers that are alike share a row.
struct PreparedRun {
  std::vector<std::size_t> rows;      ///< By node.
  std::vector<std::size_t> distinct;  ///< Rows that occur, in order.
};

class IreneTrainer : public Trainer {
 public:
  IreneTrainer(const std::vector<TreeRun>& runs, IreneConfig config)
      : runs_(runs), config_(config) {
    std::unordered_map<std::string, std::size_t> places;
    for (const TreeRun& run : runs) {
      PreparedRun& prepared = prepared_.emplace_back();
      std::vector<char> seen;
      for (const RunNode& node : run.nodes) {
        if (!node.energy_j) {
          throw Error(ErrorKind::BadInput,
                      fmt::format("{}: node '{}' has no ground_truth_energy, which method "
                                  "irene needs of every node",
                                  place_of(run), node.id));
        }
        std::vector<double> features = irene_features(config_, run, node);
        std::string key(reinterpret_cast<const char*>(features.data()),
                        features.size() * sizeof(double));
        const auto [place, is_new] = places.emplace(std::move(key), features_.size());
        if (is_new) features_.push_back(std::move(features));
        prepared.rows.push_back(place->second);
        seen.resize(std::max(seen.size(), place->second + 1), 0);
        if (!seen[place->second]) prepared.distinct.push_back(place->second);
        seen[place->second] = 1;
      }
    }
  }

  [[nodiscard]] std::unique_ptr<Fitted> fit(const RunMask& used) const override {
    IreneModel model;
    model.config = config_;
    fit_operators(used, model);
    if (config_.standardize_features) model.standardizer = fit_standardizer(used);
    train_weights(used, model);
    return std::make_unique<Irene>(std::move(model));
  }

 private:
  void fit_operators(const RunMask& used, IreneModel& model) const {
    std::map<std::string, std::vector<std::pair<std::size_t, double>>> samples;
    for (std::size_t r = 0; r < runs_.size(); ++r) {
      if (!used[r]) continue;
      for (std::size_t i = 0; i < runs_[r].nodes.size(); ++i) {
        const RunNode& node = runs_[r].nodes[i];
        if (node.children.empty())
          samples[type_key(node.type)].emplace_back(prepared_[r].rows[i], *node.energy_j);
      }
    }
    for (const auto& [type, list] : samples) model.operators.emplace(type, regression(list));
  }

  [[nodiscard]] OperatorRegression regression(
      const std::vector<std::pair<std::size_t, double>>& samples) const {
    const auto count = static_cast<Index>(samples.size());
    const auto width = static_cast<Index>(features_.front().size());
    MatrixXd design(count, width);
    VectorXd energies(count);
    for (Index i = 0; i < count; ++i) {
      const auto& [row, energy] = samples[static_cast<std::size_t>(i)];
      design.row(i) = Eigen::Map<const Eigen::RowVectorXd>(features_[row].data(), width);
      energies(i) = energy;
    }
    OperatorRegression result;
    result.standardizer = Standardizer::fit(design, VectorXd::Ones(count));
    for (Index i = 0; i < count; ++i)
      design.row(i) = result.standardizer.apply(design.row(i).transpose()).transpose();
    result.intercept = energies.mean();
    // Of the many solutions where features depend on each other, the smallest.
    result.coefficients = design.completeOrthogonalDecomposition().solve(
        VectorXd(energies.array() - result.intercept));
    return result;
  }

  [[nodiscard]] Standardizer fit_standardizer(const RunMask& used) const {
    VectorXd weights = VectorXd::Zero(static_cast<Index>(features_.size()));
    for (std::size_t r = 0; r < runs_.size(); ++r) {
      if (used[r])
        for (const std::size_t row : prepared_[r].rows) weights(static_cast<Index>(row)) += 1;
    }
    MatrixXd samples(static_cast<Index>(features_.size()),
                     static_cast<Index>(features_.front().size()));
    for (Index i = 0; i < samples.rows(); ++i) {
      samples.row(i) = Eigen::Map<const Eigen::RowVectorXd>(
          features_[static_cast<std::size_t>(i)].data(), samples.cols());
    }
    return Standardizer::fit(samples, weights);
  }

  void train_weights(const RunMask& used, IreneModel& model) const {
    std::vector<VectorXd> inputs(features_.size());
    for (std::size_t r = 0; r < runs_.size(); ++r) {
      if (used[r]) {
        for (const std::size_t row : prepared_[r].distinct)
          if (inputs[row].size() == 0) inputs[row] = model.inputs(features_[row]);
      }
    }
    const Index width = model.inputs(features_.front()).size();
    VectorXd parameters = VectorXd::Zero(width + 1);  // the bias last
    const bool is_trained =
        config_.strategy != IreneStrategy::None && config_.weighting != IreneWeighting::ExactOne;
    if (is_trained) {
      Uniform random(config_.seed);
      for (double& parameter : parameters)
        parameter = random.next(1 / std::sqrt(static_cast<double>(width)));
      Adam optimiser(width + 1, config_.learning_rate);
      for (int epoch = 0; epoch < config_.epochs; ++epoch) {
        for (std::size_t r = 0; r < runs_.size(); ++r)
          if (used[r]) optimiser.step(gradient(r, inputs, model, parameters), parameters);
      }
    }
    model.weights = parameters.head(width);
    model.bias = parameters(width);
  }

  /// Of the summed loss of all inner nodes of a run.
  [[nodiscard]] VectorXd gradient(std::size_t r, const std::vector<VectorXd>& inputs,
                                  const IreneModel& model, const VectorXd& parameters) const {
    const std::vector<RunNode>& nodes = runs_[r].nodes;
    const PreparedRun& prepared = prepared_[r];
    const Index width = parameters.size() - 1;
    std::unordered_map<std::size_t, double> linear;
    for (const std::size_t row : prepared.distinct)
      linear[row] = parameters.head(width).dot(inputs[row]) + parameters(width);
    const std::vector<double> energies = forward(r, linear, model);
    // From the root down: how the loss changes with each node's energy and with each row's weight.
    std::vector<double> by_energy(nodes.size(), 0);
    std::unordered_map<std::size_t, double> by_weight;
    const bool unstructured = config_.strategy == IreneStrategy::Unstructured;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      const RunNode& node = nodes[i];
      if (node.children.empty()) continue;
      const double scale = config_.normalize_loss_scale ? *node.energy_j * *node.energy_j : 1;
      by_energy[i] += 2 * (energies[i] - *node.energy_j) / scale;
      if (unstructured) {
        by_weight[prepared.rows[i]] += by_energy[i];
        continue;
      }
      for (const std::size_t child : node.children) {
        const bool teach = config_.strategy == IreneStrategy::Stepwise;
        const double seen = teach ? *nodes[child].energy_j : energies[child];
        by_weight[prepared.rows[child]] += by_energy[i] * seen;
        if (!teach && !nodes[child].children.empty())
          by_energy[child] += by_energy[i] * model.weighting(linear[prepared.rows[child]]);
      }
    }
    VectorXd result = VectorXd::Zero(parameters.size());
    for (const std::size_t row : prepared.distinct) {
      const auto found = by_weight.find(row);
      if (found == by_weight.end()) continue;
      const double slope = found->second * model.weighting_slope(linear[row]);
      result.head(width) += slope * inputs[row];
      result(width) += slope;
    }
    return result;
  }

  [[nodiscard]] std::vector<double> forward(std::size_t r,
                                            const std::unordered_map<std::size_t, double>& linear,
                                            const IreneModel& model) const {
    const std::vector<RunNode>& nodes = runs_[r].nodes;
    std::vector<double> energies(nodes.size(), 0);
    for (std::size_t i = nodes.size(); i-- > 0;) {
      const std::size_t row = prepared_[r].rows[i];
      const double weight = model.weighting(linear.at(row));
      if (nodes[i].children.empty()) {
        energies[i] = model.operator_energy(nodes[i], features_[row]);
      } else if (config_.strategy == IreneStrategy::Unstructured) {
        energies[i] = weight;
      }
      if (nodes[i].parent == kNoParent || config_.strategy == IreneStrategy::Unstructured) continue;
      const bool teach = config_.strategy == IreneStrategy::Stepwise;
      energies[nodes[i].parent] += weight * (teach ? *nodes[i].energy_j : energies[i]);
    }
    return energies;
  }

  const std::vector<TreeRun>& runs_;
  IreneConfig config_;
  std::vector<std::vector<double>> features_;  ///< Distinct rows.
  std::vector<PreparedRun> prepared_;
};

}  // namespace

std::unique_ptr<Trainer> make_irene_trainer(const std::vector<TreeRun>& runs, Target target,
                                            const TrainOptions& options) {
  if (target != Target::Energy) return nullptr;
  return std::make_unique<IreneTrainer>(runs, read_irene_config(options.config, options.features));
}

}  // namespace jouletree::predict
