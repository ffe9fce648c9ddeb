#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "jouletree/inference.hpp"
#include "jouletree/probe.hpp"
#include "jouletree/score.hpp"

namespace jouletree {

/// How a model is scored. Functions are called by the thread that called score_model().
struct ScoreSettings {
  std::vector<std::string> data{};  ///< Of examples, as --data takes them.
  std::string labels{};             ///< A .npy or .pb file with one answer for each example.
  std::vector<std::string> metrics{"top1"};  ///< The first is the primary one.
  std::optional<std::int64_t> batch{};       ///< Else 32, or what the model takes.
  std::string output{};                      ///< Which of several; empty: the first.
  std::string outputs_are = "auto";          ///< "logits", "probabilities".
  std::optional<int> class_axis{};           ///< Of the outputs; else what fits the labels.
  std::int64_t ignored_label = -100;
  double epr_alpha = 1;
  InputSettings inputs{};  ///< Contents of small inputs that have no data.
  std::string told_as{};   ///< What records call the model, where its file does not last.

  int threads = 1;  ///< Of the engine; as in ProfileSettings, and so are those that follow.
  std::string level = "all";
  std::string execution = "sequential";
  std::string device = "cpu";
  std::map<std::string, std::string> device_options{};
  std::string python{};
  ProbeOptions meters{};

  std::function<void(const std::string& what, std::size_t done, std::size_t total)> progress{};
  std::function<void(const std::string&)> tell{};
  std::function<void()> check{};
};

/// Runs a model file on all examples and scores what it returns; the time and energy that this
/// takes are measured. Memory does not grow with the number of examples. Throws Error: BadInput for
/// a file, data, labels or settings that cannot be used, Missing where there is no engine, Failed
/// where the model or the metric gives no number. Without a meter the energy is unknown.
[[nodiscard]] Score score_model(const std::filesystem::path& model, const ScoreSettings& settings);

}  // namespace jouletree
