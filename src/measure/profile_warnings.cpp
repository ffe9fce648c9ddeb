#include "measure/profile_warnings.hpp"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>

#include "base/number_of.hpp"
#include "measure/measured_figures.hpp"

namespace jouletree::measure {
namespace {

/// Share of a machine that others may use: about what a desktop does by itself.
constexpr double kQuietShare = 0.05;
/// How much the whole model may change from one moment to the next.
constexpr double kSteadyShare = 0.1;
/// By how much runs in a row and single runs may differ.
constexpr double kConsistentRatio = 1.25;

constexpr const char* kRepeat = "repeat it on a quiet machine";

std::string setting_of(const Profile& profile, const char* name) {
  const auto found = profile.environment.settings.find(name);
  return found == profile.environment.settings.end() ? "" : found->second;
}

int threads_of(const Profile& profile) {
  const std::string text = setting_of(profile, "threads");
  int threads = 1;
  std::from_chars(text.data(), text.data() + text.size(), threads);
  return std::max(threads, 1);
}

bool is_on_cpu(const Profile& profile) {
  const std::string device = setting_of(profile, "device");
  return device.empty() || device == "cpu";
}

void warn_of_others(const Profile& profile, std::vector<std::string>& warnings) {
  if (!profile.others) return;
  const OthersUse& others = *profile.others;
  const double cpus = others.of_cpus;
  if (others.cpus + others.stolen <= kQuietShare * cpus) return;
  const bool no_room = cpus - others.cpus - others.stolen < threads_of(profile);
  const char* const times = no_room ? "times are too long" : "times may be too long";
  if (others.cpus > kQuietShare * cpus) {
    warnings.push_back(
        fmt::format("other processes used {:.1f} of {} while this was measured: {}, and "
                    "energies hold what those used; {}",
                    others.cpus, number_of(others.of_cpus, "CPU"), times, kRepeat));
  }
  if (others.stolen > kQuietShare * cpus) {
    warnings.push_back(
        fmt::format("the hypervisor gave {:.1f} of {} to other virtual machines while this was "
                    "measured: {}; repeat it when the host is quiet",
                    others.stolen, number_of(others.of_cpus, "CPU"), times));
  }
}

void warn_of_threads(const Profile& profile, std::vector<std::string>& warnings) {
  const int threads = threads_of(profile);
  const int cpus = profile.environment.cpus;
  if (cpus <= 0 || threads <= cpus) return;
  warnings.push_back(
      fmt::format("{} threads share {}: they wait for each other, and times vary; use --threads {} "
                  "or less",
                  threads, number_of(cpus, "CPU"), cpus));
}

void warn_of_scatter(const Profile& profile, std::vector<std::string>& warnings) {
  const double scatter = profile.ledger.speed_scatter;
  if (scatter <= kSteadyShare) return;
  const std::string changed = scatter < 1
                                  ? fmt::format("{:.0f} % more or less", 100 * scatter)
                                  : fmt::format("{:.0f} times as long, or less,", 1 + scatter);
  warnings.push_back(
      fmt::format("the machine was not steady: the whole model took {} from one moment to the "
                  "next; {}",
                  changed, kRepeat));
}

/// Windows hold what interrupts the model, the median of single runs does not.
void warn_of_contradiction(const Profile& profile, std::vector<std::string>& warnings) {
  const std::vector<double>& each = profile.latencies_s;
  const Figure row = time_of(profile.whole);
  if (each.empty() || !row.value || *row.value <= 0) return;
  const Summary single = summarize(each);
  if (single.median <= 0) return;
  const double low = row.low.value_or(*row.value);
  const double high = row.high.value_or(*row.value);
  if (*row.value > kConsistentRatio * single.median && low > single.median_high) {
    warnings.push_back(
        fmt::format("Time and Latency contradict each other: runs in a row took {:.1f} times as "
                    "long as most single runs, because they were interrupted; Latency is nearer to "
                    "what the model takes on a quiet machine",
                    *row.value / single.median));
  }
  // A device works on while the next run is called, so its single runs always take longer.
  if (!is_on_cpu(profile)) return;
  if (single.median > kConsistentRatio * *row.value && high < single.median_low) {
    warnings.push_back(
        fmt::format("Time and Latency contradict each other: single runs took {:.1f} times as long "
                    "as runs in a row; {}",
                    single.median / *row.value, kRepeat));
  }
}

}  // namespace

std::vector<std::string> warnings_of(const Profile& profile) {
  std::vector<std::string> warnings;
  warn_of_others(profile, warnings);
  warn_of_threads(profile, warnings);
  warn_of_scatter(profile, warnings);
  warn_of_contradiction(profile, warnings);
  return warnings;
}

}  // namespace jouletree::measure
