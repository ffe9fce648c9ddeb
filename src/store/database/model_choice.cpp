#include "store/database/model_choice.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <set>
#include <tuple>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "base/bounded_json.hpp"
#include "base/number_of.hpp"
#include "jouletree/error.hpp"
#include "store/database/cells.hpp"
#include "store/database/size_choice.hpp"

namespace jouletree::store {
namespace {

constexpr std::string_view kModelNames =
    "SELECT DISTINCT name FROM models WHERE id IN (SELECT model_id FROM measurements WHERE "
    "model_id IS NOT NULL UNION SELECT model_id FROM runs) ORDER BY name";

/// Measurements of whole models, and runs of which only the nodes are known.
constexpr std::string_view kMeasuredModels =
    "SELECT d.id, d.mode, d.inputs, d.batch, d.sequence, m.id, CAST(NULL AS bigint), m.source_id, "
    "m.conditions, m.measured_at, s.added_at, a.name, e.name, e.version, m.source_row, d.params "
    "FROM measurements AS m JOIN models AS d ON d.id = m.model_id JOIN sources AS s ON s.id = "
    "m.source_id JOIN machines AS a ON a.id = m.machine_id JOIN engines AS e ON e.id = m.engine_id "
    "WHERE d.name = ? UNION ALL SELECT d.id, d.mode, d.inputs, d.batch, d.sequence, CAST(NULL AS "
    "bigint), r.id, r.source_id, '', r.measured_at, s.added_at, a.name, e.name, e.version, "
    "r.source_row, d.params FROM runs AS r JOIN models AS d ON d.id = r.model_id JOIN sources AS s "
    "ON s.id = r.source_id JOIN machines AS a ON a.id = r.machine_id JOIN engines AS e ON e.id = "
    "r.engine_id WHERE r.measurement_id IS NULL AND d.name = ?";

std::vector<std::string> texts_in(const std::string& json) {
  const auto list = parse_json_if_any<nlohmann::json>(json);
  std::vector<std::string> texts;
  if (list.is_array())
    for (const auto& one : list)
      if (one.is_string()) texts.push_back(one.get<std::string>());
  return texts;
}

std::string engine_with_version(const std::string& name, const std::string& version) {
  if (name == "unknown") return {};
  return version.empty() ? name : name + " " + version;
}

/// Newest first; of what has no date, that which was added last; of a table, its last row.
std::vector<FoundModel> measured_models(Database& database, const std::string& name) {
  std::vector<FoundModel> found;
  const auto rows = database.connection().query(
      kMeasuredModels,
      std::array<sql::Parameter, 2>{std::string_view(name), std::string_view(name)});
  while (rows->next()) {
    FoundModel& one = found.emplace_back();
    one.model = whole_in(rows->value(0)).value_or(0);
    one.name = name;
    one.mode = text_in(rows->value(1));
    one.inputs = texts_in(text_in(rows->value(2)));
    one.batch = number_in(rows->value(3));
    if (!one.batch) one.batch = first_size(one.inputs);
    one.sequence = number_in(rows->value(4));
    one.measurement = whole_in(rows->value(5));
    one.run = whole_in(rows->value(6));
    one.source = whole_in(rows->value(7)).value_or(0);
    one.conditions = text_in(rows->value(8));
    one.date = text_in(rows->value(9));
    one.added_at = text_in(rows->value(10));
    one.machine = text_in(rows->value(11));
    one.engine = engine_with_version(text_in(rows->value(12)), text_in(rows->value(13)));
    one.source_row = whole_in(rows->value(14)).value_or(0);
    one.params = number_in(rows->value(15));
  }
  const auto age = [](const FoundModel& one) {
    return std::tie(one.date, one.added_at, one.source, one.source_row, one.measurement, one.run);
  };
  std::sort(found.begin(), found.end(),
            [&](const FoundModel& a, const FoundModel& b) { return age(a) > age(b); });
  return found;
}

std::vector<std::string> model_names(Database& database) {
  std::vector<std::string> names;
  const auto rows = database.connection().query(kModelNames, {});
  while (rows->next()) names.push_back(text_in(rows->value(0)));
  if (!names.empty()) return names;
  throw Error(ErrorKind::BadInput,
              fmt::format("{}: holds no whole model, so there is nothing to compare; 'jouletree db "
                          "stats --db {}' shows what it holds",
                          database.place(), database.place()));
}

/// "a, b, c and 5 more"; those that hold `wanted` come first.
std::string some_names(std::vector<std::string> names, const std::string& wanted) {
  std::stable_partition(names.begin(), names.end(), [&](const std::string& name) {
    return !wanted.empty() && holds_text(name, wanted);
  });
  return some_of(names);
}

[[noreturn]] void refuse_model(Database& database, const std::string& name,
                               const std::vector<std::string>& names) {
  throw Error(ErrorKind::BadInput,
              fmt::format("{}: holds no model '{}'; there {}: {}", database.place(), name,
                          agreeing(names.size(), "is", "are"), some_names(names, name)));
}

/// The newest of those that fit, with notes on the others.
ChosenModel newest_of(Database& database, const std::string& name,
                      const std::optional<std::string>& choice = std::nullopt) {
  const std::vector<FoundModel> all = measured_models(database, name);
  const SizeTexts sizes(all);
  const std::vector<FoundModel> fitting = those_that_fit(all, choice, database.place(), sizes);
  ChosenModel chosen;
  chosen.found = fitting.front();
  chosen.size = sizes.of(chosen.found);
  chosen.has_sizes = sizes.count() > 1;
  chosen.notes = notes_on_others(chosen.found, fitting, sizes);
  return chosen;
}

}  // namespace

std::vector<ChosenModel> choose_models(Database& database, const std::string& wanted) {
  const std::vector<std::string> names = model_names(database);
  const auto is_there = [&](const std::string& name) {
    return std::find(names.begin(), names.end(), name) != names.end();
  };
  if (!wanted.empty()) {
    // A name may hold an '@' itself, and so may what chooses: the longest name counts.
    if (is_there(wanted)) return {newest_of(database, wanted)};
    std::size_t at = wanted.rfind('@');
    while (at != std::string::npos && at > 0 && !is_there(wanted.substr(0, at)))
      at = wanted.rfind('@', at - 1);
    if (at == std::string::npos || !is_there(wanted.substr(0, at)))
      refuse_model(database, wanted.substr(0, wanted.find('@')), names);
    return {newest_of(database, wanted.substr(0, at), wanted.substr(at + 1))};
  }
  if (names.size() > kMostModels) {
    throw Error(ErrorKind::BadInput,
                fmt::format("{}: holds {}, too many to compare at once; name up to {} of them as "
                            "{}#MODEL: {}",
                            database.place(), number_of(names.size(), "model"), kMostModels,
                            database.place(), some_names(names, "")));
  }
  std::vector<ChosenModel> chosen;
  for (const std::string& name : names) chosen.push_back(newest_of(database, name));
  return chosen;
}

}  // namespace jouletree::store
