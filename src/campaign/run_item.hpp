#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "campaign/item.hpp"
#include "jouletree/profile.hpp"

namespace jouletree::campaign {

/// What is kept of an item beside its profile, and shown by reports.
struct ItemResult {
  std::string model;
  std::optional<double> time_s{};
  std::optional<double> energy_j{};
  std::string energy_provenance{};           ///< Empty where there is none.
  std::optional<double> target{};            ///< That was asked for, 0 to 1.
  std::optional<double> attribution_time{};  ///< Share that the operators explain.
  std::optional<double> attribution_energy{};
  std::vector<std::string> types{};  ///< That were needed, by time.
  std::int64_t kinds = 0;            ///< Different operators of the model.
  std::int64_t measured = 0;         ///< Of these, for this item.
  std::int64_t reused = 0;           ///< Of these, earlier.
  /// Runs of operators that were not measured, for want of time or because the target was reached.
  /// Older programs do not say it.
  std::optional<std::int64_t> unmeasured{};
  std::vector<std::string> warnings{};  ///< Why the times may be wrong.
  std::string content{};                ///< Of the model's file, see content_of(); empty: no file.

  /// The operators alone seem to take more than 110 % of the model: other processes disturbed one
  /// of both measurements.
  [[nodiscard]] bool is_doubtful() const;
  /// Whether the target holds for what is known and not doubtful. Nothing where none was asked for.
  [[nodiscard]] std::optional<bool> reached() const;
  /// Whether a larger budget measures more.
  [[nodiscard]] bool can_measure_more() const { return unmeasured.value_or(1) > 0; }
  [[nodiscard]] std::string json() const;
  /// Empty for what json() did not write.
  [[nodiscard]] static std::optional<ItemResult> parse(const std::string& text);
};

struct MeasuredItem {
  ModelProfile profile;
  ItemResult result;
};

/// Profiles the model of an item with such settings.
using MakeProfile = std::function<ModelProfile(const ProfileSettings&)>;

/// Makes profiles until the operators explain enough of the energy, too, or all are measured; at
/// most four.
[[nodiscard]] MeasuredItem measure_rounds(const Item& item, ProfileSettings asked,
                                          const MakeProfile& make);

/// Measures an item. Where operators reach the target of the time, but not of the energy, more of
/// them are measured, as far as there are. `settings` adds database, meters and callbacks to what
/// the item says. Throws as profile_model() does.
[[nodiscard]] MeasuredItem measure_item(const Item& item, const std::filesystem::path& folder,
                                        const std::function<void(ProfileSettings&)>& settings);

}  // namespace jouletree::campaign
