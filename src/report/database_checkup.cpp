#include <ostream>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/json_or_null.hpp"
#include "base/number_of.hpp"
#include "report/database_report.hpp"

namespace jouletree::report {
namespace {

using Json = nlohmann::ordered_json;

}  // namespace

void print_checkup_text(const store::DatabaseCheckup& found, std::ostream& out) {
  out << found.place << ": ";
  if (found.problems.empty()) {
    out << fmt::format("sound, schema {}\n", found.schema.value_or(0));
  } else {
    out << number_of(found.problems.size(), "problem") << '\n';
  }
  for (const store::DatabaseProblem& problem : found.problems)
    out << fmt::format("- {}\n  What to do: {}.\n", problem.what, problem.advice);
  for (const std::string& note : found.notes) out << fmt::format("note: {}\n", note);
}

void print_checkup_json(const store::DatabaseCheckup& found, std::ostream& out) {
  Json problems = Json::array();
  for (const store::DatabaseProblem& problem : found.problems)
    problems.push_back({{"problem", problem.what}, {"advice", problem.advice}});
  const Json json = {{"database", found.place},
                     {"schema", or_null(found.schema)},
                     {"sound", found.problems.empty()},
                     {"problems", problems},
                     {"notes", found.notes}};
  out << json.dump(2, ' ', false, Json::error_handler_t::replace) << '\n';
}

}  // namespace jouletree::report
