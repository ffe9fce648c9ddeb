#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "campaign/random_operators.hpp"
#include "jouletree/cache_mode.hpp"
#include "zoo/settings.hpp"

namespace jouletree::campaign {

/// A shape as a plan gives it: numbers, or names of dimensions in the plan.
struct PlannedShape {
  std::vector<std::string> sizes;
  std::string type{};  ///< "int64"; empty: what the model says, else float32.
};

/// Values that are tried one after the other, in the order of the plan.
template <class Value>
using Choices = std::vector<std::pair<std::string, std::vector<Value>>>;

/// How a step of training is made. Empty texts: what the model and PyTorch suggest.
struct PlannedTraining {
  std::string place;   ///< "plan.yml: line 7: training: ", for errors.
  std::string loss{};  ///< Of torch.nn.functional, or module:function.
  std::optional<PlannedShape> target{};
  std::string optimizer = "sgd";  ///< "adam", "adamw", "none", or module:function.
  std::optional<double> learning_rate{};
  std::optional<double> momentum{};
};

/// A row under `models`. Every list in it stands for several models.
struct PlannedModel {
  enum class Kind : std::uint8_t { Zoo, File, Python };
  Kind kind = Kind::Zoo;
  std::string target;  ///< A name of the zoo, a path as the plan gives it, or module:function.
  std::string place;   ///< "plan.yml: line 7: models: ", for errors.
  Choices<zoo::SettingValue> settings{};      ///< Of a zoo model.
  std::string settings_place{};               ///< As `place`, of the settings.
  Choices<nlohmann::json> arguments{};        ///< Of a Python function.
  Choices<PlannedShape> inputs{};             ///< In the place of those of the plan.
  Choices<std::int64_t> dims{};               ///< The same.
  std::optional<PlannedTraining> training{};  ///< The same.
};

/// What to measure. All lists are multiplied with each other.
struct Plan {
  std::string name;
  std::filesystem::path file;
  std::filesystem::path folder;  ///< That paths in the plan start from.
  std::string text;              ///< As it was read.
  std::vector<PlannedModel> models{};
  std::vector<RandomOperators> random{};
  Choices<PlannedShape> inputs{};
  Choices<std::int64_t> dims{};
  std::map<std::string, std::string> dim_places{};    ///< For errors.
  std::map<std::string, std::string> input_places{};  ///< The same.
  std::map<std::string, std::string> type_places{};   ///< The same, of types of operators.
  std::vector<std::string> engines{};                 ///< Empty: whichever runs the model.
  std::vector<std::string> devices = {"cpu"};
  std::vector<int> threads = {1};
  std::vector<std::string> modes = {"inference"};
  std::vector<std::string> levels = {"all"};
  std::vector<std::string> caches = {"model"};
  double precision = 0.02;
  std::optional<std::chrono::duration<double>> budget{};  ///< Of each item.
  std::optional<double> target = 0.9;                     ///< Nothing: all operators.
  std::chrono::duration<double> baseline{2};
  bool modules = true;
  std::vector<std::string> include{};
  std::vector<std::string> leave_out{};
  std::string python{};
  std::optional<PlannedTraining> training{};
  std::vector<std::string> done{};           ///< Models that a summary.yml says are done, the same.
  std::vector<std::string> not_available{};  ///< Models that are left out, a sentence each.
};

/// Reads a plan, or a summary.yml of ml-operator-profiling, or a folder of these. Throws
/// Error(BadInput) naming file, line and key.
[[nodiscard]] Plan read_plan(const std::filesystem::path& file);
/// The same of a text; `file` names it.
[[nodiscard]] Plan parse_plan(const std::string& text, const std::filesystem::path& file);

}  // namespace jouletree::campaign
