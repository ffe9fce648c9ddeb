#include "report/derived_costs.hpp"
#include "report/profile_report.hpp"
#include "report/show_report.hpp"
#include "tree/metric_json.hpp"

namespace jouletree::report {
namespace {

nlohmann::ordered_json named(const std::filesystem::path& folder,
                             const nlohmann::ordered_json& content) {
  nlohmann::ordered_json entry = {{"folder", folder.string()}};
  entry.update(content);
  return entry;
}

}  // namespace

nlohmann::ordered_json folder_json(const store::FolderProfile& profile,
                                   const FootprintFactors& factors) {
  nlohmann::ordered_json json = profile.profile.json;
  std::vector<tree::MetricResult> of_plugins = profile.profile.view.metrics;
  std::erase_if(of_plugins, [](const tree::MetricResult& one) { return one.entry.plugin.empty(); });
  if (!of_plugins.empty()) json["metrics"].update(tree::metrics_json(of_plugins));
  json["metrics"].update(footprint_json(footprint_energy(profile.profile.view), factors));
  return json;
}

nlohmann::ordered_json folders_json(const store::FoundFolders& found,
                                    const FootprintFactors& factors) {
  const DerivedCosts derived = derived_costs(factors);
  nlohmann::ordered_json all = {{"recordings", nlohmann::ordered_json::array()},
                                {"profiles", nlohmann::ordered_json::array()}};
  for (const store::Recording& recording : found.recordings) {
    all["recordings"].push_back(
        named(recording.folder, store::summary_json(recording.runs, derived.metrics)));
  }
  for (const store::FolderProfile& profile : found.profiles)
    all["profiles"].push_back(named(profile.folder, folder_json(profile, factors)));
  return all;
}

}  // namespace jouletree::report
