#include <array>

#include <fmt/format.h>

#include "report/page/page_items.hpp"
#include "store/json_member.hpp"

namespace jouletree::report {
namespace {

using Json = nlohmann::ordered_json;
using store::member;

void add_texts(const Json& from, Json& to) {
  if (!from.is_array()) return;
  for (const Json& one : from)
    if (one.is_string()) to.push_back(one);
}

void add_fact(const char* name, const Json& value, Json& item) {
  if (value.is_null()) return;
  item["facts"].push_back({name, value.is_string() ? value.get<std::string>() : value.dump()});
}

}  // namespace

Json crossvalidation_item(const Json& report, const std::string& label, const std::string& source) {
  Json item = empty_item("crossvalidation", label, source);
  for (const auto& [name, key] :
       std::array<std::pair<const char*, const char*>, 3>{{{"method", "method"},
                                                           {"looks at", "predictions_look_at"},
                                                           {"energies are", "energy_provenance"}}})
    add_fact(name, member(report, key), item);
  add_texts(member(report, "warnings"), item["notes"]);
  item["crossvalidation"] = report;
  return item;
}

Json sweep_item(const Json& sweep, const std::string& label, const std::string& source) {
  Json item = empty_item("sweep", label, source);
  const Json& machine = member(sweep, "machine");
  add_fact("began", member(sweep, "began"), item);
  add_fact("ended", member(sweep, "ended"), item);
  add_fact("CPU", member(machine, "cpu"), item);
  add_fact("kernel", member(machine, "kernel"), item);
  if (const Json& settings = member(sweep, "settings"); settings.is_object())
    for (const auto& [name, value] : settings.items()) add_fact(name.c_str(), value, item);
  if (const Json& complete = member(sweep, "complete");
      complete.is_boolean() && !complete.get<bool>())
    item["warnings"].push_back("the study is not finished: some runs are missing");
  add_texts(member(sweep, "notes"), item["notes"]);
  item["sweep"] = sweep;
  return item;
}

}  // namespace jouletree::report
