#include "tree/csv_row.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>

#include <fmt/format.h>

#include "jouletree/error.hpp"
#include "tree/run_checks.hpp"

namespace jouletree::tree {

std::optional<double> RowReader::number(const char* column) const {
  std::string field = text(column);
  if (field.empty()) return std::nullopt;
  // Where a comma separates no fields, it may separate digits.
  if (table_.separator() != ',') std::replace(field.begin(), field.end(), ',', '.');
  double value = 0;
  const char* const end = field.data() + field.size();
  const auto parsed = std::from_chars(field.data(), end, value);
  if (parsed.ec != std::errc{} || parsed.ptr != end)
    fail(fmt::format("{} '{}' is not a number", column, field));
  return value;
}

std::optional<double> RowReader::size(const char* column) const {
  const std::optional<double> value = number(column);
  if (value && !(std::isfinite(*value) && *value > 0))
    fail(fmt::format("{} is {}; it must be above 0, or empty where unknown", column, text(column)));
  return value;
}

std::vector<double> RowReader::shape(const char* column) const {
  const std::string& field = text(column);
  std::vector<double> dims;
  const char* place = field.data();
  const char* const end = field.data() + field.size();
  while (place != end) {
    double dim = 0;
    const auto parsed = std::from_chars(place, end, dim);
    if (parsed.ec == std::errc{}) {
      dims.push_back(dim);
      place = parsed.ptr;
    } else {
      ++place;
    }
  }
  return dims;
}

void RowReader::fail(const std::string& problem) const {
  throw Error(ErrorKind::BadInput, fmt::format("{}: row {}: {}", name_, line(), problem));
}

void RowReader::check(const RunNode& node) const {
  if (const std::string problem = problem_of(node); !problem.empty()) fail(problem);
}

std::optional<double> scaled(const std::optional<double>& number, double unit) {
  return number ? std::optional(*number / unit) : std::nullopt;
}

}  // namespace jouletree::tree
