#include "predict/irene_config.hpp"

#include <cmath>
#include <limits>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/json_problem.hpp"
#include "jouletree/error.hpp"
#include "predict/config_object.hpp"

namespace jouletree::predict {
namespace {

using UnorderedJson = nlohmann::json;

[[noreturn]] void fail(const std::string& problem) {
  throw Error(ErrorKind::BadInput, "configuration of method irene: " + problem);
}

void read_feature_sets(const UnorderedJson& list, IreneConfig& config) {
  config.model_specs = config.resource_utilization = false;
  for (const UnorderedJson& entry : list) {
    const auto name = entry.get<std::string>();
    if (name == "model_specs") {
      config.model_specs = true;
    } else if (name == "resource_utilization") {
      config.resource_utilization = true;
    } else {
      fail(fmt::format("feature set '{}' is not one of model_specs, resource_utilization", name));
    }
  }
}

IreneStrategy read_strategy(const std::string& word) {
  if (word == "end2end") return IreneStrategy::End2End;
  if (word == "stepwise") return IreneStrategy::Stepwise;
  if (word == "unstructured") return IreneStrategy::Unstructured;
  if (word == "none") return IreneStrategy::None;
  fail(fmt::format("training_strategy '{}' is not one of end2end, stepwise, unstructured, none",
                   word));
}

IreneWeighting read_weighting(const std::string& word) {
  if (word == "exact_one") return IreneWeighting::ExactOne;
  if (word == "close_to_one") return IreneWeighting::CloseToOne;
  if (word == "free") return IreneWeighting::Free;
  fail(fmt::format("weighting_setting '{}' is not one of exact_one, close_to_one, free", word));
}

constexpr std::uint64_t kMostEpochs = 1'000'000;

std::uint64_t read_count(const std::string& key, const UnorderedJson& value, std::uint64_t most) {
  if (value.is_number_unsigned() && value.get<std::uint64_t>() <= most)
    return value.get<std::uint64_t>();
  fail(fmt::format("{} is no whole number from 0 to {}", key, most));
}

void read_key(const std::string& key, const UnorderedJson& value, IreneConfig& config) {
  if (key == "feature_sets") return read_feature_sets(value, config);
  if (key == "polynomial_features") {
    config.polynomial_features = value;
  } else if (key == "standardize_features") {
    config.standardize_features = value;
  } else if (key == "normalize_loss_scale") {
    config.normalize_loss_scale = value;
  } else if (key == "tanh_scalar") {
    config.tanh_scalar = value;
  } else if (key == "training_strategy") {
    config.strategy = read_strategy(value);
  } else if (key == "weighting_setting") {
    config.weighting = read_weighting(value);
  } else if (key == "num_epochs") {
    config.epochs = static_cast<int>(read_count(key, value, kMostEpochs));
  } else if (key == "learning_rate") {
    config.learning_rate = value;
  } else if (key == "seed") {
    config.seed = read_count(key, value, std::numeric_limits<std::uint64_t>::max());
  } else {
    fail(
        fmt::format("there is no key '{}'; there are feature_sets, polynomial_features, "
                    "standardize_features, normalize_loss_scale, tanh_scalar, training_strategy, "
                    "weighting_setting, num_epochs, learning_rate, seed",
                    key));
  }
}

/// The names that tree files use, so that a message names what is missing there.
struct Feature {
  const char* key;
  std::optional<double> value;
};

std::vector<Feature> all_features(const IreneConfig& config, const TreeRun& run,
                                  const RunNode& node) {
  std::optional<double> input_size;
  if (run.batch && run.sequence) input_size = *run.batch * *run.sequence;
  std::vector<Feature> features = {{"num_parameters", node.params}, {"input_size", input_size}};
  if (config.model_specs) {
    const std::vector<Feature> specs = {{"batch_size", run.batch},
                                        {"seq_len", run.sequence},
                                        {"flops", node.mflops},
                                        {"mem_bytes", node.mebibytes}};
    features.insert(features.end(), specs.begin(), specs.end());
  }
  if (config.resource_utilization) {
    const Utilization& seen = node.utilization;
    const std::vector<Feature> utilization = {{"cpu", seen.cpu},
                                              {"mem", seen.memory},
                                              {"gpu", seen.gpu},
                                              {"gpu_mem", seen.gpu_memory},
                                              {"gpu_clk", seen.gpu_clock_mhz},
                                              {"gpu_mem_clk", seen.gpu_memory_clock_mhz},
                                              {"times_mean", node.time_s},
                                              {"gpu_energy_mean", node.gpu_energy_j}};
    features.insert(features.end(), utilization.begin(), utilization.end());
  }
  return features;
}

}  // namespace

IreneConfig read_irene_config(const std::string& json, FeatureSet features) {
  IreneConfig config;
  if (features == FeatureSet::Leaves) {
    throw Error(ErrorKind::BadInput,
                "method irene looks at all nodes alike; use --features all or specs");
  }
  config.resource_utilization = features == FeatureSet::All;
  const UnorderedJson settings = config_object(json);
  for (const auto& [key, value] : settings.items()) {
    try {
      read_key(key, value, config);
    } catch (const UnorderedJson::exception& problem) {
      fail(fmt::format("{}: {}", key, json_problem(problem)));
    }
  }
  if (!config.model_specs && !config.resource_utilization) fail("feature_sets is empty");
  if (config.strategy == IreneStrategy::None && config.weighting == IreneWeighting::Free)
    fail("weighting_setting free needs a training_strategy");
  if (!(config.tanh_scalar > 0) || !(config.learning_rate > 0))
    fail("tanh_scalar and learning_rate must be above 0");
  return config;
}

std::vector<std::string> irene_feature_names(const IreneConfig& config) {
  std::vector<std::string> names;
  for (const Feature& feature : all_features(config, {}, {})) names.emplace_back(feature.key);
  return names;
}

std::vector<double> irene_features(const IreneConfig& config, const TreeRun& run,
                                   const RunNode& node) {
  std::vector<double> values;
  for (const Feature& feature : all_features(config, run, node)) {
    if (!feature.value) {
      throw Error(ErrorKind::BadInput,
                  fmt::format("{}: node '{}' lacks {}, which method irene needs{}", place_of(run),
                              node.id, feature.key,
                              config.resource_utilization ? "; --features specs needs less" : ""));
    }
    values.push_back(*feature.value);
  }
  return values;
}

}  // namespace jouletree::predict
