#include "golden/sample_profiles.hpp"

#include <array>
#include <fstream>

#include <fmt/format.h>

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

/// Windows at eight moments, each a little faster or slower; so much that they tell differences.
measure::Measured at_eight_moments(double ms_per_run) {
  measure::Measured whole = SampleProfile::measured(0, ms_per_run);
  const measure::Trials two = whole.trials;
  measure::Trials& trials = whole.trials;
  trials.windows.clear();
  trials.seconds.clear();
  trials.runs = 0;
  constexpr std::array kRipple = {1.0, 1.004, 0.997, 1.006, 0.995, 1.002, 0.999, 1.001};
  for (std::size_t i = 0; i < kRipple.size(); ++i) {
    const auto begin_ms = static_cast<std::int64_t>(250 * i);
    const double ms = ms_per_run * kRipple.at(i);
    trials.windows.push_back(SampleProfile::measured(begin_ms, ms).trials.windows.front());
    trials.seconds.push_back(ms * 1e-3);
    trials.runs += trials.windows.back().runs;
  }
  trials.begin = trials.windows.front().begin;
  trials.end = trials.windows.back().end;
  trials.time = summarize(trials.seconds);
  // The energy is that of two windows.
  const std::int64_t times = trials.runs / two.runs;
  for (auto* const range : {&*whole.energy->gross, &*whole.energy->above_idle}) {
    range->value.micro *= times;
    range->low->micro *= times;
    range->high->micro *= times;
  }
  return whole;
}

measure::Profile& with_whole(SampleProfile& sample, double ms_per_run) {
  sample.profile.whole = at_eight_moments(ms_per_run);
  sample.profile.ledger = ledger_of(sample.profile);
  return sample.profile;
}

/// Profiles for gates: two that are alike, one that is slower, and some that cannot be compared.
void write_gated_profiles(const std::filesystem::path& folder) {
  SampleProfile steady;
  write_profile(with_whole(steady, 10), folder / "steady");
  SampleProfile again;
  write_profile(with_whole(again, 10.02), folder / "again");
  SampleProfile slowed;
  write_profile(with_whole(slowed, 11.5), folder / "slowed");
  slowed.profile.others = measure::OthersUse{1.8, 0, 2};
  write_profile(slowed.profile, folder / "busy");
  SampleProfile elsewhere;
  elsewhere.profile.environment.cpu = "Other CPU";
  write_profile(with_whole(elsewhere, 5), folder / "elsewhere");
  constexpr int kPast = 18;
  constexpr int kSlowSince = 11;
  for (int i = 0; i < kPast; ++i) {
    SampleProfile past;
    past.profile.environment.date = fmt::format("2026-10-{:02}T08:00:00Z", 10 + i);
    const double ripple = 0.01 * ((i * 7) % 5);
    write_profile(with_whole(past, (i < kSlowSince ? 9.0 : 10.0) + ripple),
                  folder / "past" / fmt::format("run_{:02}", i));
  }
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
  write_gated_profiles(folder / "gated");
  write_profile(sample.profile, measured / "older");
  nlohmann::ordered_json json = store::read_profile_folder(measured / "older").json;
  for (const Metric& metric : metric_catalogue())
    if (metric.from_tree != nullptr) json["metrics"].erase(std::string(metric.name));
  std::ofstream(measured / "older" / "profile.json") << json.dump(2) << '\n';
}

}  // namespace jouletree::test
