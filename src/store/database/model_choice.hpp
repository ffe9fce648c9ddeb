#pragma once

#include <optional>
#include <string>
#include <vector>

#include "store/database/database.hpp"

namespace jouletree::store {

/// A whole model as it was measured once: where the database has what.
struct FoundModel {
  Id model = 0;
  std::string name;
  std::string mode;                 ///< "inference" or "training".
  std::vector<std::string> inputs;  ///< As the source writes shapes.
  std::optional<double> batch{};
  std::optional<double> sequence{};
  std::optional<double> params{};
  std::optional<Id> measurement{};
  std::optional<Id> run{};  ///< Where there is no measurement of the whole.
  Id source = 0;
  std::int64_t source_row = 0;
  std::string conditions{};
  std::string date{};      ///< UTC; empty: unknown.
  std::string added_at{};  ///< UTC.
  std::string machine{};
  std::string engine{};  ///< With its version; empty: unknown.
};

/// The newest measurement of a model, and what else there is.
struct ChosenModel {
  FoundModel found;
  bool has_sizes = false;            ///< The model is there with several sizes.
  std::string size{};                ///< "batch 8, sequence 128".
  std::vector<std::string> notes{};  ///< On those that were not chosen, a sentence each.
};

/// More than so many models are too many for one comparison.
inline constexpr std::size_t kMostModels = 8;

/// What "resnet-18" or "resnet-18@batch=8" means, or each model of the database for an empty text.
/// Throws Error(BadInput), saying what there is, where there is no such model, none at all, or too
/// many.
[[nodiscard]] std::vector<ChosenModel> choose_models(Database& database, const std::string& wanted);

}  // namespace jouletree::store
