#include "predict/trained_places.hpp"

#include <algorithm>
#include <limits>

#include "base/json_or_null.hpp"
#include "predict/stored_fits.hpp"

namespace jouletree::predict {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::int64_t kMostThreads = 1 << 20;

std::string text_or_empty(const Json& place, const char* key) {
  const Json& text = place.at(key);
  return text.is_null() ? "" : text.get<std::string>();
}

TrainedOn read_place(const Json& json) {
  TrainedOn trained;
  MeasuredOn& place = trained.place;
  place.machine = text_or_empty(json, "machine");
  place.machine_key = text_or_empty(json, "machine_key");
  place.system = text_or_empty(json, "system");
  place.engine = text_or_empty(json, "engine");
  place.version = text_or_empty(json, "engine_version");
  if (const Json& threads = json.at("threads"); !threads.is_null())
    place.threads = stored_count(threads, "the number of threads", 0, kMostThreads);
  place.device = text_or_empty(json, "device");
  place.level = text_or_empty(json, "level");
  place.execution = text_or_empty(json, "execution");
  trained.runs = static_cast<std::size_t>(stored_count(json.at("runs"), "the number of runs", 0,
                                                       std::numeric_limits<std::int64_t>::max()));
  trained.from = text_or_empty(json, "from");
  trained.to = text_or_empty(json, "to");
  return trained;
}

}  // namespace

std::vector<TrainedOn> places_of(const std::vector<TreeRun>& runs) {
  std::vector<TrainedOn> places;
  for (const TreeRun& run : runs) {
    if (!run.measured_on) continue;
    auto found = std::find_if(places.begin(), places.end(),
                              [&](const TrainedOn& one) { return one.place == *run.measured_on; });
    if (found == places.end()) found = places.insert(places.end(), {*run.measured_on, 0, {}, {}});
    ++found->runs;
    if (run.measured_at.empty()) continue;
    // Dates of ISO 8601 sort as texts.
    if (found->from.empty() || run.measured_at < found->from) found->from = run.measured_at;
    found->to = std::max(found->to, run.measured_at);
  }
  return places;
}

Json places_json(const std::vector<TrainedOn>& places) {
  Json all = Json::array();
  for (const TrainedOn& one : places) {
    all.push_back({{"machine", text_or_null(one.place.machine)},
                   {"machine_key", text_or_null(one.place.machine_key)},
                   {"system", text_or_null(one.place.system)},
                   {"engine", text_or_null(one.place.engine)},
                   {"engine_version", text_or_null(one.place.version)},
                   {"threads", or_null(one.place.threads)},
                   {"device", text_or_null(one.place.device)},
                   {"level", text_or_null(one.place.level)},
                   {"execution", text_or_null(one.place.execution)},
                   {"runs", one.runs},
                   {"from", text_or_null(one.from)},
                   {"to", text_or_null(one.to)}});
  }
  return all;
}

std::vector<TrainedOn> read_places(const Json& json) {
  std::vector<TrainedOn> places;
  for (const Json& place : json) places.push_back(read_place(place));
  return places;
}

}  // namespace jouletree::predict
