#include "store/wall_plugs.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "jouletree/error.hpp"
#include "jouletree/external_recording.hpp"

namespace jouletree::store {
namespace {

constexpr std::string_view kPlugFile = "omegawatt.csv";

struct Times {
  WallTime begin;
  WallTime end;
};

/// When the lines of a run were recorded; nothing if it has none.
std::optional<Times> times_of(const Recording& recording, int run) {
  std::optional<Times> times;
  for (const PowerRow& row : recording.power.rows) {
    if (row.run != run) continue;
    if (!times) times = Times{row.at, row.at};
    times->begin = std::min(times->begin, row.at);
    times->end = std::max(times->end, row.at);
  }
  return times;
}

StoredDomain plug_domain(const DomainEnergy& plug) {
  StoredDomain domain;
  domain.name = plug.name;
  domain.level = name_of(plug.level);
  domain.kind = name_of(plug.kind);
  domain.provenance = name_of(plug.provenance);
  domain.energy_j.value = plug.gross->value.value();
  if (plug.gross->low) domain.energy_j.low = plug.gross->low->value();
  if (plug.gross->high) domain.energy_j.high = plug.gross->high->value();
  if (plug.average) domain.power_w = plug.average->value;
  if (plug.peak) domain.peak_power_w = plug.peak->value;
  domain.covered_s = Seconds(plug.covered).count();
  return domain;
}

/// Whether the file tells anything about the run.
bool add_plugs_to(StoredRun& run, const ExternalFile& file, const Times& times) {
  const WindowResult plugs = energy_of_recording(file, times.begin, times.end);
  bool any = false;
  for (const DomainEnergy& plug : plugs.domains) {
    if (!plug.gross || plug.covered <= std::chrono::nanoseconds{}) continue;
    run.domains.push_back(plug_domain(plug));
    any = true;
  }
  return any;
}

}  // namespace

void add_plugs(Recording& recording) {
  ExternalFile file;
  file.path = recording.folder / kPlugFile;
  file.columns = {std::string(kAllColumns)};
  std::error_code error;
  if (!std::filesystem::is_regular_file(file.path, error)) return;
  try {
    bool any = false;
    for (StoredRun& run : recording.runs.runs) {
      const auto times = times_of(recording, run.number);
      if (times && times->end > times->begin) any = add_plugs_to(run, file, *times) || any;
    }
    recording.notes.push_back(
        any ? fmt::format("the plugs of {} are not in the total, because it does not say which "
                          "machines they feed",
                          kPlugFile)
            : fmt::format("{} tells nothing of the time of these lines", kPlugFile));
  } catch (const Error& problem) {
    recording.notes.push_back(fmt::format("{}; its plugs are left out", problem.what()));
  }
}

}  // namespace jouletree::store
