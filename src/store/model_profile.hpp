#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "engines/engine.hpp"
#include "jouletree/profile.hpp"
#include "measure/metered_machine.hpp"
#include "measure/profile.hpp"
#include "store/profile_view.hpp"

namespace jouletree {

/// Either just measured or read from a folder.
struct ModelProfile::State {
  store::ProfileView view;
  std::shared_ptr<const measure::Profile> measured;  ///< Null where it was read.
  std::filesystem::path folder{};                    ///< Where it was read; so are the texts.
  nlohmann::ordered_json json{};
  std::string tree_line{};
  std::string layers{};
};

}  // namespace jouletree

namespace jouletree::store {

/// As jouletree::profile_model(), in an engine that is open already. `model_bytes` is what the
/// model's file takes, where there is one.
[[nodiscard]] ModelProfile profile_with(engines::Engine& engine, const engines::ModelToLoad& model,
                                        measure::MeteredMachine& machine,
                                        const ProfileSettings& settings,
                                        std::optional<std::int64_t> model_bytes);

/// The same profile with other metrics: those counted when it was measured, and all.
[[nodiscard]] ModelProfile with_metrics(const ModelProfile& profile,
                                        std::vector<CountedMetric> counted,
                                        std::vector<tree::MetricResult> metrics);

/// What stands in trials.jsonl; empty where the folder that was read has none.
[[nodiscard]] std::string trials_text(const ModelProfile& profile);

/// What stands in profile.json.
[[nodiscard]] nlohmann::ordered_json json_of(const ModelProfile& profile);

}  // namespace jouletree::store
