#pragma once

#include <string>
#include <vector>

#include "jouletree/inference.hpp"
#include "report/compare_report.hpp"
#include "tree/noted_metrics.hpp"

namespace jouletree::report {

/// Reads model files, folders of profiles and models of databases ("lab.sqlite#resnet-18"), and
/// counts the models. Settings hold for each model
/// that has an input or dimension of that name. Throws Error(BadInput), also for fewer than two and
/// for settings that no model has a use for.
[[nodiscard]] ComparedModels compare_files(const std::vector<std::string>& given,
                                           const InputSettings& settings,
                                           tree::NotedMetrics& metrics);

}  // namespace jouletree::report
