#include "store/database/measured_place.hpp"

#include <algorithm>
#include <cctype>
#include <set>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/bounded_json.hpp"
#include "jouletree/error.hpp"
#include "measure/environment.hpp"
#include "store/database/cells.hpp"
#include "store/database/engine_name.hpp"

namespace jouletree::store {
namespace {

constexpr std::string_view kPlaces =
    "SELECT p.machine_id, p.engine_id, p.count, m.name, m.kernel, e.name, e.version, e.threads, "
    "e.device, e.options FROM (SELECT machine_id, engine_id, count(*) AS count FROM measurements "
    "GROUP BY "
    "machine_id, engine_id) p JOIN machines m ON m.id = p.machine_id JOIN engines e ON e.id = "
    "p.engine_id ORDER BY p.count DESC, p.machine_id, p.engine_id";

std::string lower(std::string_view text) {
  std::string small(text);
  for (char& letter : small)
    letter = static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
  return small;
}

/// All of the texts between the commas, whatever stands between them in the name.
bool holds(const std::string& text, const std::string& parts) {
  const std::string whole = lower(text);
  std::string_view rest = parts;
  while (true) {
    const std::size_t comma = std::min(rest.find(','), rest.size());
    std::string_view part = rest.substr(0, comma);
    while (part.starts_with(' ')) part.remove_prefix(1);
    while (part.ends_with(' ')) part.remove_suffix(1);
    if (whole.find(lower(part)) == std::string::npos) return false;
    if (comma == rest.size()) return true;
    rest.remove_prefix(comma + 1);
  }
}

std::map<std::string, std::string> options_in(const std::string& text) {
  std::map<std::string, std::string> options;
  const auto json = parse_json_if_any<nlohmann::json>(text);
  if (!json.is_object()) return options;
  for (const auto& [name, value] : json.items())
    options[name] = value.is_string() ? value.get<std::string>() : value.dump();
  return options;
}

/// Adds to engines that are called alike on a machine the settings in which they differ.
void tell_apart(std::vector<MeasuredPlace>& places) {
  std::map<std::string, std::vector<std::size_t>> alike;
  for (std::size_t i = 0; i < places.size(); ++i) alike[places[i].text()].push_back(i);
  for (const auto& [text, group] : alike) {
    std::map<std::string, std::set<std::string>> values;
    for (const std::size_t i : group)
      for (const auto& [name, value] : places[i].options) values[name].insert(value);
    for (const std::size_t i : group)
      for (const auto& [name, value] : places[i].options)
        if (values[name].size() > 1) places[i].engine_name += fmt::format(", {} {}", name, value);
  }
}

/// Keeps those that are wanted, if there are any.
template <class Wanted>
void prefer(std::vector<MeasuredPlace>& places, const Wanted& wanted) {
  std::vector<MeasuredPlace> preferred;
  for (const MeasuredPlace& place : places)
    if (wanted(place)) preferred.push_back(place);
  if (!preferred.empty()) places = std::move(preferred);
}

std::string listed(const std::vector<MeasuredPlace>& places) {
  constexpr std::size_t kMost = 6;
  std::string text;
  for (std::size_t i = 0; i < std::min(places.size(), kMost); ++i)
    text += fmt::format("{}{}", i == 0 ? "" : "; ", places[i].text());
  if (places.size() > kMost) text += fmt::format("; and {} more", places.size() - kMost);
  return text;
}

/// The name itself, or with what is added to tell equal names apart.
bool is_called(const std::string& text, const std::string& name) {
  const std::string whole = lower(text);
  const std::string wanted = lower(name);
  if (wanted.empty() || !whole.starts_with(wanted)) return false;
  const std::string_view rest = std::string_view(whole).substr(wanted.size());
  return rest.empty() || rest.starts_with(" (") || rest.starts_with(", ");
}

/// A name that is part of another's could not be chosen otherwise.
void prefer_exact(std::vector<MeasuredPlace>& places, std::string MeasuredPlace::*name,
                  const std::string& wanted) {
  prefer(places, [&](const MeasuredPlace& place) { return is_called(place.*name, wanted); });
}

/// "a machine like 'A' with an engine like 'B'", of what was asked for.
std::string choice_text(const std::string& machine, const std::string& engine) {
  std::string text;
  if (!machine.empty()) text += fmt::format(" on a machine like '{}'", machine);
  if (!engine.empty()) text += fmt::format(" with an engine like '{}'", engine);
  return text;
}

}  // namespace

std::string MeasuredPlace::text() const {
  return fmt::format("{} with {}", machine_name, engine_name);
}

std::vector<MeasuredPlace> measured_places(Database& database) {
  std::vector<MeasuredPlace> places;
  const auto rows = database.connection().query(kPlaces, {});
  while (rows->next()) {
    MeasuredPlace& place = places.emplace_back();
    place.machine = whole_in(rows->value(0)).value_or(0);
    place.engine = whole_in(rows->value(1)).value_or(0);
    place.measurements = whole_in(rows->value(2)).value_or(0);
    place.machine_name = text_in(rows->value(3));
    if (const std::string kernel = text_in(rows->value(4)); !kernel.empty())
      place.machine_name += fmt::format(" ({})", kernel);
    place.engine_name = text_in(rows->value(5));
    if (const std::string version = text_in(rows->value(6)); !version.empty())
      place.engine_name += " " + version;
    if (const auto threads = whole_in(rows->value(7)))
      place.engine_name += fmt::format(", threads {}", *threads);
    if (const std::string device = text_in(rows->value(8)); !device.empty())
      place.engine_name += fmt::format(", {}", device);
    place.options = options_in(text_in(rows->value(9)));
  }
  tell_apart(places);
  return places;
}

MeasuredPlace choose_place(Database& database, const PlaceChoice& choice) {
  const std::string& machine = choice.machine;
  const std::string& engine = choice.engine;
  const std::vector<MeasuredPlace> all = measured_places(database);
  if (all.empty()) {
    throw Error(
        ErrorKind::BadInput,
        fmt::format("{}: holds no measurements; 'jouletree profile MODEL --db {}' makes some",
                    database.place(), database.place()));
  }
  std::vector<MeasuredPlace> fitting;
  for (const MeasuredPlace& place : all)
    if (holds(place.machine_name, machine) && holds(place.engine_name, engine))
      fitting.push_back(place);
  if (fitting.empty()) {
    throw Error(ErrorKind::BadInput,
                fmt::format("{}: nothing was measured{}; there are: {}", database.place(),
                            choice_text(machine, engine), listed(all)));
  }
  prefer_exact(fitting, &MeasuredPlace::machine_name, machine);
  prefer_exact(fitting, &MeasuredPlace::engine_name, engine);
  if (fitting.size() == 1) return fitting.front();
  const std::vector<MeasuredPlace> several = fitting;
  const std::string this_cpu = measure::read_environment("/").cpu;
  prefer(fitting, [&](const MeasuredPlace& place) {
    return !this_cpu.empty() &&
           lower(place.machine_name).find(lower(this_cpu)) != std::string::npos;
  });
  prefer(fitting, [&](const MeasuredPlace& place) {
    return !choice.runner.empty() && is_of_engine(place.engine_name, choice.runner);
  });
  prefer(fitting, [](const MeasuredPlace& place) {
    const auto mode = place.options.find("mode");
    return mode == place.options.end() || mode->second == "inference";
  });
  if (fitting.size() == 1) return fitting.front();
  throw Error(ErrorKind::BadInput,
              fmt::format("{}: holds measurements of several machines or engines; choose with "
                          "--machine and --engine: {}",
                          database.place(), listed(several)));
}

}  // namespace jouletree::store
