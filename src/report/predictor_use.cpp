#include "report/predictor_use.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "base/json_or_null.hpp"
#include "base/number_of.hpp"
#include "predict/trained_places.hpp"

namespace jouletree::report {
namespace {

using tree::PlacePart;

/// "2026-07-30", "2026-07-28 to 2026-07-30"; empty where nobody knows.
std::string days_text(const TrainedOn& trained) {
  constexpr std::size_t kDay = 10;  // Of an ISO 8601 date with its time.
  const std::string from = trained.from.substr(0, kDay);
  const std::string to = trained.to.substr(0, kDay);
  return from == to ? from : fmt::format("{} to {}", from, to);
}

std::string place_and_days(const TrainedOn& trained) {
  const std::string days = days_text(trained);
  return tree::place_text(trained.place) + (days.empty() ? "" : ", measured " + days);
}

/// What a predictor is for that was measured at such a place.
std::string part_text(PlacePart part, const MeasuredOn& place, const MeasuredOn& here) {
  switch (part) {
    case PlacePart::Machine:
      return place.machine == here.machine ? "this CPU in another machine or state"
                                           : "another machine";
    case PlacePart::Engine: return "another engine";
    case PlacePart::Version: return "another version of " + place.engine;
    case PlacePart::Threads: return number_of(place.threads.value_or(0), "thread");
    case PlacePart::Device: return "device " + place.device;
    case PlacePart::Level: return "optimisation level " + place.level;
    case PlacePart::Execution: return place.execution + " execution";
  }
  return "";
}

/// What makes a machine with the same CPU another one.
std::string state_text(const MeasuredOn& place, const MeasuredOn& here) {
  if (place.machine != here.machine) return "";
  if (place.system == here.system) return " (number of CPUs, memory, caches or governor differ)";
  return fmt::format(" ({} there, {} here)", place.system, here.system);
}

}  // namespace

std::string places_text(const std::vector<TrainedOn>& places) {
  constexpr std::size_t kMost = 3;
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < std::min(kMost, places.size()); ++i)
    texts.push_back(place_and_days(places[i]));
  if (places.size() > kMost)
    texts.push_back(fmt::format("and {}", number_of(places.size() - kMost, "other place")));
  return fmt::format("{}", fmt::join(texts, "; "));
}

std::string mixture_text(const std::vector<TrainedOn>& places) {
  const bool is_mixture = std::any_of(places.begin(), places.end(), [&](const TrainedOn& one) {
    return !tree::differing_parts(places.front().place, one.place).empty();
  });
  if (!is_mixture) return "";
  return fmt::format(
      "the data were measured in {} that differ: {}; prices are those of a mixture, which no run "
      "has: train on the data of one of them",
      number_of(places.size(), "place"), places_text(places));
}

std::string use_note(const PredictorUse& use) {
  const std::string places = places_text(use.info.measured_on);
  std::string note;
  if (!places.empty()) {
    note = use.is_of_here ? fmt::format("Predicted with the calibration of this machine: {} ({}).",
                                        places, use.name)
                          : fmt::format("The predictor learned from {}.", places);
  }
  if (use.info.median_error) {
    note += fmt::format(
        "{}Models that were left out of it were off by {:.1f} % of their time in "
        "the median.",
        note.empty() ? "" : " ", *use.info.median_error);
  }
  return note;
}

nlohmann::ordered_json places_json(const std::vector<TrainedOn>& places) {
  return places.empty() ? nlohmann::ordered_json(nullptr) : predict::places_json(places);
}

nlohmann::ordered_json use_json(const PredictorUse& use) {
  nlohmann::ordered_json json;
  json["name"] = text_or_null(use.name);
  json["is_calibration_of_here"] = use.is_of_here;
  json["method"] = use.info.method;
  json["measured_on"] = places_json(use.info.measured_on);
  if (!use.info.adapted_from.empty()) json["adapted_from"] = places_json(use.info.adapted_from);
  json["median_error_percent"] = or_null(use.info.median_error);
  nlohmann::ordered_json& differs = json["differs_from_here"] = nlohmann::ordered_json::array();
  for (const PlacePart part : use.differs) differs.push_back(tree::name_of(part));
  json["warning"] = text_or_null(use.warning);
  return json;
}

std::vector<PlacePart> parts_elsewhere(const std::vector<TrainedOn>& places,
                                       const MeasuredOn& here) {
  std::vector<PlacePart> all;
  for (const TrainedOn& trained : places) {
    for (const PlacePart part : tree::differing_parts(trained.place, here))
      if (std::find(all.begin(), all.end(), part) == all.end()) all.push_back(part);
  }
  return all;
}

std::string elsewhere_text(const std::string& name, const std::vector<TrainedOn>& places,
                           const MeasuredOn& here) {
  std::vector<std::string> parts;
  std::string state;
  for (const TrainedOn& trained : places) {
    for (const PlacePart part : tree::differing_parts(trained.place, here)) {
      std::string text = part_text(part, trained.place, here);
      if (part == PlacePart::Machine) state = state_text(trained.place, here);
      if (std::find(parts.begin(), parts.end(), text) == parts.end())
        parts.push_back(std::move(text));
    }
  }
  if (parts.empty()) return "";
  return fmt::format(
      "{} is for {}: it learned from {}, and here is {}{}. It predicts what models take there; "
      "'{}' makes a predictor of here",
      name, fmt::join(parts, ", "), places_text(places), tree::place_text(here), state,
      calibrate_command(here));
}

std::string calibrate_command(const MeasuredOn& here) {
  const bool is_usual = !here.threads || *here.threads == 1;
  return is_usual ? "jouletree calibrate"
                  : fmt::format("jouletree calibrate --threads {}", *here.threads);
}

}  // namespace jouletree::report
