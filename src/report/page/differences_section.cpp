#include "report/differences.hpp"
#include "report/page/page_columns.hpp"
#include "report/page/page_items.hpp"

namespace jouletree::report {
namespace {

using Json = nlohmann::ordered_json;

/// The model that alone has a part: 0 the first, 1 the second; -1: both have it.
int only_in(const Difference& row) {
  if (row.in_first && row.in_second) return -1;
  return row.in_first ? 0 : 1;
}

/// One list per fact of a row, in the order of the rows.
class DifferenceColumns {
 public:
  void add(const Difference& row) {
    push("level", static_cast<int>(row.level));
    push("name", texts_.place_of(row.name));
    push("metric", texts_.place_of(row.metric));
    push("how", texts_.place_or_none(row.provenance));
    push("a", page_number(row.first));
    push("b", page_number(row.second));
    push("change", page_number(row.change()));
    push("ratio", page_number(row.ratio.value));
    push("low", page_number(row.ratio.low));
    push("high", page_number(row.ratio.high));
    push("p", page_number(row.p));
    push("significant", row.p ? Json(row.significant()) : Json(nullptr));
    push("untested", texts_.place_or_none(row.untested));
    push("only", only_in(row));
  }
  [[nodiscard]] Json json() {
    columns_["texts"] = texts_.json();
    return std::move(columns_);
  }

 private:
  void push(const char* column, Json value) { columns_[column].push_back(std::move(value)); }

  PageTexts texts_;
  Json columns_ = Json::object();
};

}  // namespace

Json differences_section(const Differences& differences) {
  Json section = {{"first", differences.first},
                  {"second", differences.second},
                  {"noise", page_number(differences.noise)},
                  {"doubt", differences.doubt}};
  DifferenceColumns columns;
  for (const Difference& row : differences.rows) columns.add(row);
  section["rows"] = columns.json();
  return section;
}

}  // namespace jouletree::report
