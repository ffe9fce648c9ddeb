#include <algorithm>
#include <map>
#include <ostream>
#include <vector>

#include <fmt/format.h>

#include "jouletree/error.hpp"
#include "jouletree/predict.hpp"
#include "jouletree/provenance.hpp"

namespace jouletree {
namespace predict {
namespace {

constexpr std::string_view kColumns =
    "predicted_energy_j,predicted_energy_low_j,predicted_energy_high_j,predicted_time_s,"
    "predicted_time_low_s,predicted_time_high_s,predicted_power_w,prediction_provenance,"
    "learned_from_energy,beyond_training,foreign_operators";

/// The next row without its line break; one within quotes belongs to a field.
std::string_view take_row(std::string_view& text) {
  bool is_quoted = false;
  std::size_t end = 0;
  while (end < text.size() && (is_quoted || text[end] != '\n')) {
    if (text[end] == '"') is_quoted = !is_quoted;
    ++end;
  }
  std::string_view row = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  if (row.ends_with('\r')) row.remove_suffix(1);
  return row;
}

std::string field(const std::optional<double>& number) {
  return number ? fmt::format("{}", *number) : "";
}

std::string fields(const std::optional<double>& value, const std::optional<Range>& range) {
  if (!range) return field(value) + ",,";
  return fmt::format("{},{},{}", field(value), range->low, range->high);
}

std::string row_end(const NodePrediction& prediction, std::string_view learned_from) {
  return fmt::format("{},{},{},{},{},{},{}", fields(prediction.energy_j, prediction.energy_range),
                     fields(prediction.time_s, prediction.time_range), field(prediction.power_w()),
                     name_of(Provenance::Predicted), prediction.energy_j ? learned_from : "",
                     prediction.beyond_training ? "true" : "false",
                     prediction.foreign ? "true" : "false");
}

/// In the order of the file, in which the rows of a model need not stand together.
std::map<std::size_t, const NodePrediction*> by_row(
    const std::vector<TreeRun>& runs, const std::vector<std::vector<NodePrediction>>& predictions) {
  std::map<std::size_t, const NodePrediction*> ordered;
  for (std::size_t r = 0; r < runs.size(); ++r) {
    for (std::size_t i = 0; i < runs[r].nodes.size(); ++i)
      if (runs[r].nodes[i].row > 0) ordered.emplace(runs[r].nodes[i].row, &predictions[r][i]);
  }
  return ordered;
}

}  // namespace
}  // namespace predict

void write_filled_rows(std::string_view text, const std::vector<TreeRun>& runs,
                       const std::vector<std::vector<NodePrediction>>& predictions,
                       Provenance learned_from, std::ostream& out) {
  const std::string_view header = predict::take_row(text);
  if (header.find("predicted_energy_j") != std::string_view::npos) {
    throw Error(ErrorKind::BadInput,
                "the rows hold predictions already; take the file without them");
  }
  out << header << ',' << predict::kColumns << '\n';
  for (const auto& [number, prediction] : predict::by_row(runs, predictions)) {
    std::string_view row = predict::take_row(text);
    while (row.empty() && !text.empty()) row = predict::take_row(text);
    out << row << ',' << predict::row_end(*prediction, name_of(learned_from)) << '\n';
  }
}

}  // namespace jouletree
