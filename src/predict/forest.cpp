#include "predict/forest.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "jouletree/error.hpp"
#include "predict/config_object.hpp"
#include "predict/glue.hpp"
#include "predict/operator_samples.hpp"

namespace jouletree::predict {
namespace {

using Json = nlohmann::ordered_json;

/// A forest of so many takes minutes and gigabytes, and is no better.
constexpr int kMostTrees = 10000;
constexpr double kNotKnown = std::numeric_limits<double>::quiet_NaN();

}  // namespace

std::vector<double> operator_features(const OperatorLoad& work, bool measured,
                                      const std::optional<double>& time_s,
                                      const std::optional<double>& gpu_energy_j) {
  std::vector<double> features = {work.mflops,  work.mebibytes, work.batches, work.rows,
                                  work.columns, work.depth,     work.vectors, work.vector_length};
  if (measured) {
    features.push_back(time_s.value_or(-1));
    features.push_back(gpu_energy_j.value_or(-1));
  }
  return features;
}

std::vector<double> module_features(const GlueValues& glue) {
  const double children = glue[kOperatorChildren] + glue[kModuleChildren] + glue[kModelChildren];
  std::vector<double> features = {children, glue[kOperatorChildren] / children,
                                  glue[kModelChildren] > 0 ? 1.0 : 0.0};
  for (std::size_t i = kLaunch; i < kGlueTerms; ++i) features.push_back(glue[i] / children);
  return features;
}

double children_of(const GlueValues& glue) {
  return glue[kOperatorChildren] + glue[kModuleChildren] + glue[kModelChildren];
}

namespace {

ForestSettings read_settings(const std::string& text) {
  ForestSettings settings;
  const auto json = config_object(text);
  for (const auto& [key, value] : json.items()) {
    const bool is_count = value.is_number_integer() && value >= 1;
    const bool is_small = is_count && value <= kMostTrees;
    if (key == "trees" && is_small) {
      settings.trees = value;
    } else if (key == "smallest_leaf" && is_small) {
      settings.smallest_leaf = value;
    } else if (key == "seed" && is_count) {
      settings.seed = value;
    } else {
      throw Error(
          ErrorKind::BadInput,
          fmt::format("configuration of method forest: '{}' is not a key, or its value is not a "
                      "number above 0 (trees and smallest_leaf: up to {}); there are trees, "
                      "smallest_leaf, seed",
                      key, kMostTrees));
    }
  }
  return settings;
}

class ForestTrainer : public Trainer {
 public:
  ForestTrainer(const std::vector<TreeRun>& runs, Target target, bool measured,
                ForestSettings settings)
      : runs_(runs),
        target_(target),
        measured_(measured),
        settings_(settings),
        samples_(operator_samples(runs)) {}

  [[nodiscard]] std::unique_ptr<Fitted> fit(const RunMask& used) const override {
    std::map<std::string, std::vector<ForestSample>> by_group;
    for (const OperatorSample& sample : samples_) {
      const auto& value = target_ == Target::Energy ? sample.energy_j : sample.time_s;
      if (used[sample.run] && value) {
        by_group[sample.work.group].push_back(
            {operator_features(sample.work, measured_, sample.time_s, sample.gpu_energy_j),
             std::log(*value)});
      }
    }
    Forest::Forests operators;
    for (const auto& [group, samples] : by_group)
      operators.emplace(group, RegressionForest::fit(samples, settings_));
    const std::vector<ForestSample> modules = module_samples(used);
    std::optional<RegressionForest> forest;
    if (!modules.empty()) forest = RegressionForest::fit(modules, settings_);
    return std::make_unique<Forest>(target_, measured_, std::move(operators), std::move(forest));
  }

 private:
  [[nodiscard]] std::vector<ForestSample> module_samples(const RunMask& used) const {
    std::vector<ForestSample> samples;
    for (std::size_t r = 0; r < runs_.size(); ++r) {
      if (!used[r]) continue;
      std::vector<double> truths(runs_[r].nodes.size(), kNotKnown);
      for (std::size_t i = 0; i < truths.size(); ++i)
        if (const auto& value = truth(runs_[r].nodes[i], target_)) truths[i] = *value;
      const std::size_t first = samples.size();
      for (std::size_t i = 0; i < truths.size(); ++i) {
        const RunNode& node = runs_[r].nodes[i];
        if (node.children.empty() || std::isnan(truths[i])) continue;
        const GlueValues glue = glue_values(runs_[r], node, truths);
        const double children = children_of(glue);
        if (!(children > 0)) continue;
        ForestSample sample{module_features(glue), std::log(truths[i] / children)};
        // Layers that are alike tell the same; once is enough.
        const bool is_known =
            std::any_of(samples.begin() + static_cast<std::ptrdiff_t>(first), samples.end(),
                        [&](const ForestSample& other) {
                          return other.value == sample.value && other.features == sample.features;
                        });
        if (!is_known) samples.push_back(std::move(sample));
      }
    }
    return samples;
  }

  const std::vector<TreeRun>& runs_;
  Target target_;
  bool measured_;
  ForestSettings settings_;
  std::vector<OperatorSample> samples_;
};

}  // namespace

std::vector<double> Forest::predict(const LoadedRun& loaded, FeatureSet /*features*/) const {
  const TreeRun& run = loaded.run;
  std::vector<double> values(run.nodes.size(), kNotKnown);
  for (std::size_t i = run.nodes.size(); i-- > 0;) {
    const RunNode& node = run.nodes[i];
    if (!node.children.empty()) {
      const GlueValues glue = glue_values(run, node, values);
      const double children = children_of(glue);
      if (children > 0) {
        values[i] =
            children * (modules_ ? std::exp(modules_->predict(module_features(glue))) : 1.0);
      }
    } else if (node.level == NodeLevel::Operator) {
      const OperatorLoad& work = loaded.loads[i];
      const auto found = operators_.find(work.group);
      if (work.known && found != operators_.end()) {
        values[i] = std::exp(found->second.predict(
            operator_features(work, measured_, node.time_s, node.gpu_energy_j)));
      }
    }
  }
  return values;
}

Json Forest::to_json() const {
  Json json;
  json["measured"] = measured_;
  Json& operators = json["operators"] = Json::object();
  for (const auto& [group, forest] : operators_) operators[group] = forest.to_json();
  json["modules"] = modules_ ? modules_->to_json() : Json(nullptr);
  return json;
}

std::unique_ptr<Forest> Forest::from_json(Target target, const Json& json) {
  const bool measured = json.at("measured").get<bool>();
  const std::size_t features = operator_features({}, measured, {}, {}).size();
  Forests operators;
  for (const auto& [group, forest] : json.at("operators").items())
    operators.emplace(group, RegressionForest::from_json(forest, features));
  std::optional<RegressionForest> modules;
  if (!json.at("modules").is_null())
    modules = RegressionForest::from_json(json.at("modules"), module_features({}).size());
  return std::make_unique<Forest>(target, measured, std::move(operators), std::move(modules));
}

std::unique_ptr<Trainer> make_forest_trainer(const std::vector<TreeRun>& runs, Target target,
                                             const TrainOptions& options) {
  // For time, the measured time would be the answer.
  const bool measured = options.features != FeatureSet::Specs && target == Target::Energy;
  return std::make_unique<ForestTrainer>(runs, target, measured, read_settings(options.config));
}

}  // namespace jouletree::predict
