#include "golden/sample_profiles.hpp"

#include <fstream>

#include "jouletree/metrics.hpp"
#include "measure/ledger.hpp"
#include "store/profile_folder.hpp"
#include "support/sample_profile.hpp"

namespace jouletree::test {
namespace {

void write_profile(const measure::Profile& profile, const std::filesystem::path& folder) {
  store::write_profile_folder(profile, store::view_of(profile, std::nullopt), folder,
                              OlderProfile::Replace);
}

}  // namespace

void write_sample_profiles(const std::filesystem::path& folder) {
  const std::filesystem::path measured = folder / "measured";
  const SampleProfile sample;
  write_profile(sample.profile, measured / "sample");
  SampleProfile faster;
  faster.profile.whole = SampleProfile::measured(0, 9.6);
  faster.profile.ledger = ledger_of(faster.profile);
  write_profile(faster.profile, measured / "faster");
  write_profile(sample.profile, measured / "older");
  nlohmann::ordered_json json = store::read_profile_folder(measured / "older").json;
  for (const Metric& metric : metric_catalogue())
    if (metric.from_tree != nullptr) json["metrics"].erase(std::string(metric.name));
  std::ofstream(measured / "older" / "profile.json") << json.dump(2) << '\n';
}

}  // namespace jouletree::test
