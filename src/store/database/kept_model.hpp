#pragma once

#include <optional>
#include <string>
#include <vector>

#include "store/database/model_choice.hpp"
#include "store/database/run_rows.hpp"
#include "store/profile_view.hpp"
#include "store/trial_series.hpp"

namespace jouletree::store {

/// A model as a database has it: with its profile where that was kept, else what its tables tell.
struct KeptModel {
  std::string place;  ///< "lab.sqlite#resnet-18@source=42".
  std::string label;  ///< "resnet-18"; with size and date where it is there with several sizes.
  std::string longer_label;  ///< Always with size and date, as far as they are known.
  ProfileView view;
  std::string tree_line{};  ///< Of the profile; empty where there is none.
  ProfileTrials trials{};   ///< As far as they are kept.
  std::optional<std::vector<NodeRecord>> operators{};  ///< Without a profile, where they are known.
  std::vector<std::string> notes{};
};

/// Reads what choose_models() finds. Throws Error(BadInput) as that does, and for a profile that is
/// damaged.
[[nodiscard]] std::vector<KeptModel> kept_models(Database& database, const std::string& wanted);
/// Of the database that "lab.sqlite#resnet-18" names. Nothing where it names none.
[[nodiscard]] std::optional<std::vector<KeptModel>> kept_models_of(const std::string& entry);

}  // namespace jouletree::store
