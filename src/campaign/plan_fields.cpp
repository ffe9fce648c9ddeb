#include "campaign/plan_fields.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/display_width.hpp"
#include "base/duration_text.hpp"
#include "base/name_distance.hpp"
#include "jouletree/error.hpp"

namespace jouletree::campaign {
namespace {

/// More make no plan that anybody waits for: in one range, and in all lists of a plan together,
/// because an alias repeats a range with a few letters.
constexpr std::size_t kMostValues = 100'000;
constexpr std::size_t kMostInPlan = 1'000'000;

template <class Number>
bool read_number(const std::string& text, Number& number) {
  const char* const end = text.data() + text.size();
  const auto parsed = std::from_chars(text.data(), end, number);
  return parsed.ec == std::errc() && parsed.ptr == end;
}

}  // namespace

std::string meant_name(const std::string& given, std::span<const std::string_view> known) {
  for (const std::string_view name : known)
    if (std::is_permutation(name.begin(), name.end(), given.begin(), given.end()))
      return std::string(name);
  const std::vector<std::string> names(known.begin(), known.end());
  return likely_name(given, names);
}

Field Field::below(const YamlNode& node, std::string key) const {
  Field field(*file_, node, std::move(key));
  field.values_in_plan_ = values_in_plan_;
  return field;
}

std::string Field::place() const {
  return fmt::format("{}: line {}: {}", *file_, line_, key_.empty() ? "" : printable(key_) + ": ");
}

void Field::fail(const std::string& what) const {
  throw Error(ErrorKind::BadInput, place() + what);
}

std::string Field::text() const {
  if (node_->kind != YamlNode::Kind::Scalar || node_->text.empty()) fail("give one text");
  return node_->text;
}

std::int64_t Field::whole(std::int64_t least, std::int64_t most) const {
  std::int64_t number = 0;
  if (node_->kind != YamlNode::Kind::Scalar) fail("give a whole number");
  if (!read_number(node_->text, number))
    fail(fmt::format("{} is no whole number", printable(node_->text)));
  if (number < least || number > most)
    fail(fmt::format("{} is not between {} and {}", number, least, most));
  return number;
}

double Field::positive(double most) const {
  double number = 0;
  const bool fits = node_->kind == YamlNode::Kind::Scalar && read_number(node_->text, number) &&
                    number > 0 && number <= most;
  if (!fits) fail(fmt::format("give a number above 0 and up to {}", most));
  return number;
}

bool Field::truth() const {
  if (node_->text == "true" || node_->text == "yes") return true;
  if (node_->text == "false" || node_->text == "no") return false;
  fail("give true or false");
}

double Field::share() const {
  std::string text = node_->text;
  const bool has_sign = text.ends_with('%');
  if (has_sign) text.pop_back();
  double percent = 0;
  const bool fits = read_number(text, percent) && percent > 0 && percent <= 100;
  // Whoever writes 0.9 may mean 90 %.
  if (fits && !has_sign && percent < 1)
    fail(fmt::format("write {}% or {}%: without the sign, {} could be either",
                     std::round(percent * 1e4) / 100, text, text));
  if (!fits) fail("give per cent above 0 and up to 100, like 2% or 90%");
  return percent / 100;
}

std::chrono::duration<double> Field::duration() const {
  if (node_->text == "0") return {};
  const auto parsed = parse_duration(node_->text);
  if (!parsed) fail("give a time with its unit, like 60s or 5m");
  return *parsed;
}

nlohmann::json Field::value() const {
  if (node_->kind == YamlNode::Kind::Null) return nullptr;
  if (node_->kind == YamlNode::Kind::Map) {
    nlohmann::json map = nlohmann::json::object();
    for (const Field& member : members()) map[member.name()] = member.value();
    return map;
  }
  if (node_->kind == YamlNode::Kind::List) {
    nlohmann::json list = nlohmann::json::array();
    for (const Field& item : each()) list.push_back(item.value());
    return list;
  }
  std::int64_t whole = 0;
  double real = 0;
  if (node_->quoted) return node_->text;
  if (read_number(node_->text, whole)) return whole;
  if (read_number(node_->text, real) && std::isfinite(real)) return real;
  if (node_->text == "true" || node_->text == "false") return node_->text == "true";
  return node_->text;
}

std::vector<Field> Field::each() const {
  if (node_->kind == YamlNode::Kind::Null) fail("is empty: give a value, or leave the key out");
  if (node_->kind != YamlNode::Kind::List) return {*this};
  if (node_->items.empty()) fail("is an empty list: give a value, or leave the key out");
  std::vector<Field> fields;
  for (const YamlNode& item : node_->items) fields.push_back(below(item, key_));
  return fields;
}

std::vector<std::string> Field::texts() const {
  std::vector<std::string> texts;
  for (const Field& field : each()) texts.push_back(field.text());
  return texts;
}

std::vector<std::int64_t> Field::range() const {
  static constexpr std::array<std::string_view, 4> kRangeKeys = {"from", "to", "step", "times"};
  std::int64_t from = 0;
  std::int64_t to = -1;
  std::int64_t step = 1;
  std::int64_t times = 1;
  for (const Field& member : members(kRangeKeys)) {
    constexpr std::int64_t kMost = std::int64_t{1} << 40U;
    if (member.name() == "from") from = member.whole(0, kMost);
    if (member.name() == "to") to = member.whole(0, kMost);
    if (member.name() == "step") step = member.whole(1, kMost);
    if (member.name() == "times") times = member.whole(2, kMost);
  }
  if (to < from) fail("give {from: SMALLEST, to: LARGEST}");
  if (times > 1 && from == 0) fail("with times, from is at least 1");
  std::vector<std::int64_t> values;
  for (std::int64_t value = from; value <= to; value = times > 1 ? value * times : value + step) {
    refuse_too_many(values.size());
    values.push_back(value);
    if (times > 1 && value > to / times) break;
  }
  return values;
}

std::vector<std::int64_t> Field::numbers() const {
  std::vector<std::int64_t> values;
  for (const Field& field : each()) {
    if (field.node().kind == YamlNode::Kind::Map) {
      const auto range = field.range();
      values.insert(values.end(), range.begin(), range.end());
    } else {
      values.push_back(field.whole(0, std::int64_t{1} << 40U));
    }
    refuse_too_many(values.size());
    if (*values_in_plan_ + values.size() > kMostInPlan)
      fail(fmt::format("the lists of this plan have more than {} values", kMostInPlan));
  }
  *values_in_plan_ += values.size();
  return values;
}

void Field::refuse_too_many(std::size_t values) const {
  if (values > kMostValues)
    fail(fmt::format("has more than {} values: give a larger step", kMostValues));
}

std::vector<Field> Field::members() const {
  if (node_->kind != YamlNode::Kind::Map) fail("give keys with values, each as KEY: VALUE");
  std::vector<Field> fields;
  std::set<std::string> seen;
  for (const auto& [key, value] : node_->members) {
    const std::string path = key_.empty() ? key.text : fmt::format("{}.{}", key_, key.text);
    if (key.kind != YamlNode::Kind::Scalar) Field(*file_, key, key_).fail("keys are texts");
    if (!seen.insert(key.text).second) Field(*file_, key, path).fail("is given twice");
    fields.push_back(below(value, path));
    fields.back().name_ = key.text;
    fields.back().line_ = key.line;
  }
  return fields;
}

std::vector<Field> Field::members(std::span<const std::string_view> known) const {
  const std::vector<Field> fields = members();
  for (std::size_t i = 0; i < fields.size(); ++i) {
    if (std::find(known.begin(), known.end(), fields[i].name()) != known.end()) continue;
    const std::string likely = meant_name(fields[i].name(), known);
    const Field key(*file_, node_->members[i].first, fields[i].key());
    if (fields[i].node().anchored)
      key.fail("unknown key; put the anchor (&name) at the value where it is used first");
    if (!likely.empty()) key.fail(fmt::format("unknown key; did you mean {}?", likely));
    key.fail(fmt::format("unknown key; there are {}", fmt::join(known, ", ")));
  }
  return fields;
}

std::string Field::name() const { return name_; }

}  // namespace jouletree::campaign
