#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "jouletree/graph.hpp"
#include "jouletree/inference.hpp"
#include "jouletree/profile.hpp"
#include "zoo/settings.hpp"
#include "zoo/single_operator.hpp"

namespace jouletree::campaign {

/// How an item is trained.
struct ItemTraining {
  std::string loss{};  ///< Of torch.nn.functional, or module:function; empty: see PlannedTraining.
  std::string target{};  ///< "8x10:int64"; empty: none.
  std::string optimizer = "sgd";
  std::optional<double> learning_rate{};
  std::optional<double> momentum{};
};

/// What a worker measures in one go: one model at one size under one set of conditions. Plain data,
/// and the same text (spec) for the same item on every machine.
struct Item {
  enum class Kind : std::uint8_t { Zoo, File, Python, Operator };
  Kind kind = Kind::Zoo;
  std::string target;  ///< A name of the zoo, a path, module:function, or an operator.
  std::vector<std::pair<std::string, zoo::SettingValue>> settings{};
  nlohmann::json arguments = nlohmann::json::object();
  zoo::SingleOperator one{};

  /// "1x3x224x224" or "1x128:int64" by the name of the input.
  std::vector<std::pair<std::string, std::string>> inputs{};
  std::vector<std::pair<std::string, std::int64_t>> dims{};
  std::string engine;
  std::string device = "cpu";
  int threads = 1;
  std::string mode = "inference";
  std::optional<ItemTraining> training{};  ///< Only where the mode is "training".
  std::string level = "all";
  std::string cache = "model";
  double precision = 0.02;
  std::optional<double> budget_s{};
  std::optional<double> target_share{};
  double baseline_s = 2;
  bool modules = true;
  std::vector<std::string> include{};
  std::vector<std::string> leave_out{};
  std::string python{};

  /// For people: the model, its sizes, and what is not as usual.
  [[nodiscard]] std::string label() const;
  /// The model alone, with what makes it: "bert-l2-h128 layers=4".
  [[nodiscard]] std::string model_label() const;
  [[nodiscard]] std::string spec() const;
  /// Throws Error(BadInput) for what spec() did not write.
  [[nodiscard]] static Item parse(const std::string& spec);

  [[nodiscard]] InputSettings input_settings() const;
  /// For jouletree::profile_model(), without the recipe that PyTorch may need.
  [[nodiscard]] ProfileSettings profile_settings() const;
};

/// "1x3x224x224" as numbers.
[[nodiscard]] Dims dims_in(const std::string& shape);

/// The model without weights, for counting; paths start from `folder`. Throws Error(BadInput), as
/// readers do. Not for functions of Python.
[[nodiscard]] std::shared_ptr<const Graph> graph_of(const Item& item,
                                                    const std::filesystem::path& folder);
/// As model::refuse_sizes().
void refuse_sizes(const Item& item, const std::filesystem::path& folder);
/// A file that an engine runs: that of the user, or one that is written into `scratch`.
[[nodiscard]] std::filesystem::path model_file_of(const Item& item,
                                                  const std::filesystem::path& folder,
                                                  const std::filesystem::path& scratch);

}  // namespace jouletree::campaign
