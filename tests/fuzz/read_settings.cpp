#include <array>

#include <nlohmann/json.hpp>

#include "base/bounded_json.hpp"
#include "jouletree/error.hpp"
#include "jouletree/predict.hpp"
#include "memory_file.hpp"
#include "meters/open_functions.hpp"
#include "read_bytes.hpp"
#include "support/synthetic_runs.hpp"

namespace jouletree::test {
namespace {

using SettingsJson = nlohmann::json;

void read_machine_file(std::string_view bytes) {
  const MemoryFile file(bytes);
  ProbeOptions options;
  options.machine_file = file.path();
  try {
    (void)meters::open_estimate(options);
  } catch (const Error&) {
  }
}

/// Who asks for a thousand trees waits for them; a fuzzer does not.
void lower_counts(SettingsJson& settings) {
  constexpr std::array kCounts = {"trees", "num_epochs"};
  constexpr int kMost = 3;
  if (!settings.is_object()) return;
  for (const char* const key : kCounts) {
    const auto found = settings.find(key);
    if (found != settings.end() && found->is_number_integer() && *found > kMost) *found = kMost;
  }
}

}  // namespace

void read_settings_bytes(std::string_view bytes) {
  read_machine_file(bytes);
  static const std::vector<TreeRun> kRuns = {synthetic_run("bert-a", 1, 8, 1)};
  auto settings = parse_json_if_any<SettingsJson>(bytes);
  lower_counts(settings);
  for (const std::string_view method : prediction_methods()) {
    TrainOptions options;
    options.method = method;
    // As it stands where nothing was lowered, whatever it is.
    options.config = settings.is_object() ? settings.dump() : std::string(bytes);
    try {
      const Predictor predictor = Predictor::train(kRuns, options);
      (void)Predictor::parse(predictor.text(), "again.json");
    } catch (const Error&) {
    }
  }
}

std::vector<std::string> settings_seeds() {
  return {R"({"cpu_watts": {"idle": 20, "full": 95}})",
          R"({"trees": 2, "smallest_leaf": 3, "seed": 7})",
          R"({"max_degree": 2, "errors": "absolute"})",
          R"({"feature_sets": ["model_specs", "resource_utilization"], "polynomial_features": false,
  "standardize_features": true, "normalize_loss_scale": true, "tanh_scalar": 10, "seed": 3,
  "training_strategy": "end2end", "weighting_setting": "close_to_one", "num_epochs": 2,
  "learning_rate": 0.01})",
          "{}"};
}

}  // namespace jouletree::test
