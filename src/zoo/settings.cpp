#include "zoo/settings.hpp"

#include <algorithm>
#include <charconv>
#include <stdexcept>

#include <fmt/format.h>

#include "jouletree/error.hpp"

namespace jouletree::zoo {
namespace {

/// Beyond these a model fits no machine, and sizes would not fit into 64 bits.
constexpr std::int64_t kMostLayers = 1024;
constexpr std::int64_t kMostElsewhere = std::int64_t{1} << 20U;

[[noreturn]] void fail(const std::string& problem) { throw Error(ErrorKind::BadInput, problem); }

template <class List>
auto& known_in(List& settings, std::string_view key) {
  std::string keys;
  for (auto& setting : settings) {
    if (setting.key == key) return setting;
    keys += (keys.empty() ? "" : ", ") + std::string(setting.key);
  }
  fail(fmt::format("there is no setting '{}'; there are: {}", key, keys));
}

}  // namespace

std::string text_of(const SettingValue& value) {
  const auto* const number = std::get_if<std::int64_t>(&value);
  return number == nullptr ? std::get<std::string>(value) : std::to_string(*number);
}

std::int64_t Settings::operator[](std::string_view key) const {
  for (const Setting& setting : settings_)
    if (setting.key == key && !setting.is_text()) return setting.value;
  throw std::logic_error("no number " + std::string(key));
}

const std::string& Settings::text(std::string_view key) const {
  for (const Setting& setting : settings_)
    if (setting.key == key && setting.is_text()) return setting.text;
  throw std::logic_error("no text " + std::string(key));
}

bool Settings::has(std::string_view key) const {
  return std::any_of(settings_.begin(), settings_.end(),
                     [&](const Setting& setting) { return setting.key == key; });
}

bool Settings::has_text(std::string_view key) const { return known_in(settings_, key).is_text(); }

Setting& Settings::find(std::string_view key) { return known_in(settings_, key); }

void Settings::set(std::string_view key, std::int64_t value) {
  Setting& found = find(key);
  if (found.is_text())
    fail(fmt::format("{}={}: give a text such as {}={}", key, value, key, found.text));
  // What is repeated: each one is nodes of its own.
  const bool is_repeated = key.starts_with("layers") || key.starts_with("blocks") ||
                           key.starts_with("convolutions") || key == "cells";
  const std::int64_t most = is_repeated ? kMostLayers : kMostElsewhere;
  if (value < 1 || value > most)
    fail(fmt::format("{}={}: give a number from 1 to {}", key, value, most));
  found.value = value;
}

void Settings::set(std::string_view key, const SettingValue& value) {
  if (const auto* const number = std::get_if<std::int64_t>(&value)) return set(key, *number);
  set_written(key, std::get<std::string>(value));
}

void Settings::set_written(std::string_view key, std::string_view value) {
  Setting& found = find(key);
  if (found.is_text()) {
    if (value.empty()) fail(fmt::format("{}=: give a text such as {}={}", key, key, found.text));
    found.text = value;
    return;
  }
  std::int64_t number = 0;
  const char* const end = value.data() + value.size();
  const auto parsed = std::from_chars(value.data(), end, number);
  if (parsed.ec != std::errc{} || parsed.ptr != end)
    fail(fmt::format("{}={}: give a number like {}={}", key, value, key, found.value));
  set(key, number);
}

void Settings::require_division(std::string_view whole, std::string_view part) const {
  const std::int64_t a = (*this)[whole];
  const std::int64_t b = (*this)[part];
  if (a % b != 0) fail(fmt::format("{}={} cannot be divided by {}={}", whole, a, part, b));
}

void Settings::require_odd(std::string_view key) const {
  const std::int64_t value = (*this)[key];
  if (value % 2 == 0)
    fail(fmt::format("{}={}: give an odd number, because the map must keep its size", key, value));
}

void Settings::require_growth(std::initializer_list<std::string_view> keys) const {
  for (const auto* key = keys.begin(); key + 1 < keys.end(); ++key) {
    const std::int64_t low = (*this)[*key];
    const std::int64_t high = (*this)[*(key + 1)];
    if (low >= high)
      fail(fmt::format("{}={} must be less than {}={}", *key, low, *(key + 1), high));
  }
}

std::pair<std::string, std::string> key_and_value(const std::string& text) {
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos || equals == 0 || equals + 1 == text.size())
    fail(fmt::format("{}: give KEY=VALUE like layers=6", text));
  return {text.substr(0, equals), text.substr(equals + 1)};
}

}  // namespace jouletree::zoo
