#include "store/profile_trials.hpp"

#include <ostream>

#include <nlohmann/json.hpp>

#include "measure/profile_windows.hpp"

namespace jouletree::store {
namespace {

using Json = nlohmann::ordered_json;

}  // namespace

void write_trials(const measure::Profile& profile, std::ostream& out) {
  const Time begin = measure::begin_of(profile);
  // All windows are metered by the same session.
  const Json how = profile.whole.energy ? Json(name_of(profile.whole.energy->provenance)) : Json();
  for (const measure::ProfileWindow& window : measure::windows_of(profile)) {
    Json line;
    line["kind"] = window.kind;
    line["name"] = window.name;
    if (!window.key.empty()) line["key"] = window.key;
    if (!window.also.empty()) line["also"] = window.also;
    line["begin_s"] = measure::seconds_between(begin, window.window.begin);
    line["end_s"] = measure::seconds_between(begin, window.window.end);
    line["runs"] = window.window.runs;
    line["seconds_per_run"] = window.seconds_per_run;
    if (window.set_aside) line["set_aside"] = true;
    line["time_provenance"] = name_of(Provenance::Measured);
    line["energy_j"] = window.energy_j ? Json(*window.energy_j) : Json(nullptr);
    line["energy_provenance"] = window.energy_j ? how : Json(nullptr);
    out << line.dump(-1, ' ', false, Json::error_handler_t::replace) << '\n';
  }
}

}  // namespace jouletree::store
