#include <nlohmann/json.hpp>

#include "base/json_or_null.hpp"
#include "report/differences.hpp"

namespace jouletree::report {

nlohmann::ordered_json differences_json(const std::vector<Differences>& all) {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const Differences& differences : all) {
    for (const Difference& row : differences.rows) {
      list.push_back({{"first", differences.first},
                      {"second", differences.second},
                      {"level", name_of(row.level)},
                      {"name", row.name},
                      {"metric", row.metric},
                      {"unit", row.unit},
                      {"provenance", text_or_null(row.provenance)},
                      {"a", or_null(row.first)},
                      {"b", or_null(row.second)},
                      {"ratio", or_null(row.ratio.value)},
                      {"low", or_null(row.ratio.low)},
                      {"high", or_null(row.ratio.high)},
                      {"p", or_null(row.p)},
                      {"significant", row.p ? nlohmann::ordered_json(row.significant())
                                            : nlohmann::ordered_json(nullptr)},
                      {"test", text_or_null(row.test)},
                      {"untested", text_or_null(row.untested)}});
    }
  }
  return list;
}

nlohmann::ordered_json noise_json(const std::vector<Differences>& all) {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const Differences& one : all) {
    list.push_back({{"first", one.first},
                    {"second", one.second},
                    {"share", or_null(one.noise)},
                    {"doubt", text_or_null(one.doubt)}});
  }
  return list;
}

}  // namespace jouletree::report
