#include "campaign/run_item.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include "base/bounded_json.hpp"
#include "base/scratch_folder.hpp"
#include "base/told_as.hpp"
#include "campaign/model_content.hpp"
#include "campaign/recipe.hpp"
#include "jouletree/error.hpp"

namespace jouletree::campaign {
namespace {

/// How often a profile is made again for the sake of the energy.
constexpr int kMostRounds = 4;

/// Types of the operators that were measured alone, those that take longest first.
std::vector<std::string> measured_types(const ProfileContent& content) {
  if (content.target) return content.target->types;
  std::vector<std::string> types;
  for (const ProfileType& type : content.types)
    if (type.measured > 0) types.push_back(type.type);
  return types;
}

ItemResult result_of(const Item& item, const ProfileContent& content) {
  ItemResult result;
  result.model = content.model;
  result.time_s = content.time.figure.value;
  result.energy_j = content.energy.figure.value;
  result.energy_provenance = content.energy.provenance;
  result.target = item.target_share;
  result.attribution_time = content.ledger.attribution_time;
  result.attribution_energy = content.ledger.attribution_energy;
  result.types = measured_types(content);
  result.kinds = content.ledger.kinds;
  result.reused = content.ledger.reused_kinds;
  result.unmeasured = content.ledger.left_out + content.ledger.out_of_time;
  result.warnings = content.warnings;
  for (const ProfileOperator& one : content.operators)
    if (one.time_s.value && one.reused_from.empty()) ++result.measured;
  return result;
}

/// The energy does not reach the target yet, and there are operators that could help.
bool needs_more(const ItemResult& result, const ProfileContent& content) {
  return result.target && content.ledger.left_out > 0 && result.attribution_energy &&
         *result.attribution_energy < *result.target;
}

}  // namespace

bool ItemResult::is_doubtful() const {
  constexpr double kMostBelievable = 1.1;
  return attribution_time.value_or(0) > kMostBelievable ||
         attribution_energy.value_or(0) > kMostBelievable;
}

std::optional<bool> ItemResult::reached() const {
  if (!target) return std::nullopt;
  if (is_doubtful()) return false;
  // Shares are printed in whole per cent.
  const auto holds = [&](const std::optional<double>& share) {
    return !share || std::round(*share * 100) >= std::round(*target * 100);
  };
  return attribution_time && holds(attribution_time) && holds(attribution_energy);
}

std::string ItemResult::json() const {
  const auto known = [](const std::optional<double>& value) {
    return value ? nlohmann::ordered_json(*value) : nlohmann::ordered_json();
  };
  nlohmann::ordered_json json = {{"model", model},
                                 {"time_s", known(time_s)},
                                 {"energy_j", known(energy_j)},
                                 {"target", known(target)},
                                 {"attribution_time", known(attribution_time)},
                                 {"attribution_energy", known(attribution_energy)},
                                 {"types", types},
                                 {"kinds", kinds},
                                 {"measured", measured},
                                 {"reused", reused}};
  if (!energy_provenance.empty()) json["energy_provenance"] = energy_provenance;
  if (!content.empty()) json["content"] = content;
  if (unmeasured) json["unmeasured"] = *unmeasured;
  if (!warnings.empty()) json["warnings"] = warnings;
  return json.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

std::optional<ItemResult> ItemResult::parse(const std::string& text) {
  try {
    const nlohmann::json json = parse_json<nlohmann::json>(text);
    const auto number = [&](const char* name) {
      return json.at(name).is_null() ? std::nullopt : std::optional(json.at(name).get<double>());
    };
    ItemResult result;
    result.model = json.at("model");
    result.time_s = number("time_s");
    result.energy_j = number("energy_j");
    result.target = number("target");
    result.attribution_time = number("attribution_time");
    result.attribution_energy = number("attribution_energy");
    result.types = json.at("types").get<std::vector<std::string>>();
    result.kinds = json.at("kinds");
    result.measured = json.at("measured");
    result.reused = json.at("reused");
    result.energy_provenance = json.value("energy_provenance", "");
    result.content = json.value("content", "");
    if (json.contains("unmeasured")) result.unmeasured = json.at("unmeasured").get<std::int64_t>();
    result.warnings = json.value("warnings", std::vector<std::string>());
    return result;
  } catch (const nlohmann::json::exception&) {
    return std::nullopt;
  }
}

MeasuredItem measure_rounds(const Item& item, ProfileSettings asked, const MakeProfile& make) {
  std::int64_t known_before = 0;
  std::int64_t measured = 0;
  for (int round = 1;; ++round) {
    const ModelProfile profile = make(asked);
    ItemResult result = result_of(item, profile.content());
    // What earlier rounds measured is known by now, but was measured for this item.
    if (round == 1) known_before = result.reused;
    const std::int64_t own = std::clamp<std::int64_t>(result.reused - known_before, 0, measured);
    result.measured += own;
    result.reused -= own;
    if (round == kMostRounds || !needs_more(result, profile.content()))
      return {profile, std::move(result)};
    measured = result.measured;
    // What is known by now comes from the database: only further operators are measured. The last
    // round measures all of them.
    const double next = 1 - (1 - *asked.target) / 2;
    asked.target = round + 1 < kMostRounds ? std::optional(next) : std::nullopt;
  }
}

MeasuredItem measure_item(const Item& item, const std::filesystem::path& folder,
                          const std::function<void(ProfileSettings&)>& settings) {
  const ScratchFolder scratch;
  ProfileSettings asked = item.profile_settings();
  asked.recipe = recipe_for(item, folder, scratch.path());
  const std::filesystem::path file = item.kind == Item::Kind::Python
                                         ? std::filesystem::path(item.model_label())
                                         : model_file_of(item, folder, scratch.path());
  settings(asked);
  // Before it runs: whoever changes the file meanwhile has it measured again.
  const std::string content = content_of(item, folder);
  MeasuredItem measured = measure_rounds(item, std::move(asked), [&](const ProfileSettings& round) {
    return with_errors_told_as(file, item.target, [&] { return profile_model(file, round); });
  });
  measured.result.content = content;
  return measured;
}

}  // namespace jouletree::campaign
