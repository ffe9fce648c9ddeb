#include "report/page/page_columns.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include <fmt/format.h>

namespace jouletree::report {
namespace {

using Json = nlohmann::ordered_json;

Json numbers_of(const std::vector<PageColumn::Cell>& cells,
                std::optional<double> PageColumn::Cell::*which) {
  Json list = Json::array();
  for (const PageColumn::Cell& cell : cells) list.push_back(page_number(cell.*which));
  return list;
}

bool any_has(const std::vector<PageColumn::Cell>& cells,
             std::optional<double> PageColumn::Cell::*which) {
  return std::any_of(cells.begin(), cells.end(),
                     [&](const PageColumn::Cell& cell) { return (cell.*which).has_value(); });
}

}  // namespace

int PageTexts::place_of(const std::string& text) {
  const auto [place, is_new] = places_.emplace(text, static_cast<int>(texts_.size()));
  if (is_new) texts_.push_back(text);
  return place->second;
}

int PageTexts::place_or_none(const std::string& text) { return text.empty() ? -1 : place_of(text); }

bool PageColumn::is_empty() const { return !any_has(cells_, &Cell::value); }

Json PageColumn::json() const {
  Json json = {{"key", kind_.key}, {"title", kind_.title}, {"unit", kind_.unit}};
  json["values"] = numbers_of(cells_, &Cell::value);
  if (any_has(cells_, &Cell::low)) json["low"] = numbers_of(cells_, &Cell::low);
  if (any_has(cells_, &Cell::high)) json["high"] = numbers_of(cells_, &Cell::high);
  std::vector<std::string> ways;
  std::vector<std::size_t> way_of_row;
  Json bounds = Json::array();
  for (std::size_t i = 0; i < cells_.size(); ++i) {
    const Cell& cell = cells_[i];
    if (cell.value && std::find(ways.begin(), ways.end(), cell.provenance) == ways.end())
      ways.push_back(cell.provenance);
    const auto way = std::find(ways.begin(), ways.end(), cell.provenance);
    way_of_row.push_back(way == ways.end() ? 0 : static_cast<std::size_t>(way - ways.begin()));
    if (cell.value && cell.lower_bound) bounds.push_back(i);
  }
  json["how"] = ways;
  if (ways.size() > 1) json["how_of"] = way_of_row;
  if (!bounds.empty()) json["lower_bound"] = std::move(bounds);
  return json;
}

Json page_number(const std::optional<double>& value) {
  if (!value || !std::isfinite(*value)) return nullptr;
  constexpr double kExact = 9007199254740992.0;
  if (std::floor(*value) == *value && std::abs(*value) < kExact)
    return static_cast<std::int64_t>(*value);
  return std::strtod(fmt::format("{:.9g}", *value).c_str(), nullptr);
}

Json page_quantity(const PageColumn::Cell& cell, const char* unit) {
  Json json = {{"value", page_number(cell.value)}, {"unit", unit}};
  json["provenance"] =
      cell.value && !cell.provenance.empty() ? Json(cell.provenance) : Json(nullptr);
  if (cell.low) json["low"] = page_number(cell.low);
  if (cell.high) json["high"] = page_number(cell.high);
  if (cell.lower_bound) json["lower_bound"] = true;
  return json;
}

}  // namespace jouletree::report
