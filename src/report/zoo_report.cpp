#include "report/zoo_report.hpp"

#include <ostream>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/number_format.hpp"
#include "base/text_table.hpp"
#include "zoo/catalogue.hpp"

namespace jouletree::report {
namespace {

using Json = nlohmann::ordered_json;

std::string settings_text(const zoo::Settings& settings) {
  std::string text;
  for (const zoo::Setting& setting : settings.all())
    text += fmt::format("{}{}={}", text.empty() ? "" : " ", setting.key, setting.value_text());
  return text;
}

}  // namespace

void print_zoo_table(std::ostream& out) {
  using enum TextTable::Align;
  TextTable table({{"name", Left, TextTable::Fit::Whole},
                   {"family", Left, TextTable::Fit::Whole, 2},
                   {"parameters", Right},
                   {"settings", Left, TextTable::Fit::Wrap, 1}});
  for (const zoo::Architecture& row : zoo::catalogue()) {
    table.add_row({row.name, std::string(row.family), with_separators(row.parameters),
                   settings_text(row.settings)});
  }
  table.print(out);
}

void print_zoo_json(std::ostream& out) {
  Json rows = Json::array();
  for (const zoo::Architecture& row : zoo::catalogue()) {
    Json settings = Json::object();
    for (const zoo::Setting& setting : row.settings.all()) {
      Json& value = settings[std::string(setting.key)] = setting.value;
      if (setting.is_text()) value = setting.text;
    }
    rows.push_back({{"name", row.name},
                    {"family", row.family},
                    {"params", row.parameters},
                    {"training_only_params", row.training_only},
                    {"settings", std::move(settings)}});
  }
  out << Json{{"architectures", std::move(rows)}}.dump(2) << '\n';
}

}  // namespace jouletree::report
