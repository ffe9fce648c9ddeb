#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace jouletree::zoo {

struct Setting {
  std::string_view key;  ///< Outlives the settings: keys are literals.
  std::int64_t value = 0;
  std::string text{};  ///< Instead of the number; a setting is a text where its first value is one.

  [[nodiscard]] bool is_text() const { return !text.empty(); }
  /// As it is given on the command line.
  [[nodiscard]] std::string value_text() const { return is_text() ? text : std::to_string(value); }
};

/// What a setting is set to: a number, or the text of a setting that has one.
using SettingValue = std::variant<std::int64_t, std::string>;
[[nodiscard]] std::string text_of(const SettingValue& value);

/// The sizes of an architecture by name: layers, width, heads and so on; few have a text, such as
/// the operations of a cell. Which keys there are is fixed by the list it is made of.
class Settings {
 public:
  Settings(std::initializer_list<Setting> settings) : settings_(settings) {}

  [[nodiscard]] const std::vector<Setting>& all() const { return settings_; }
  /// Throws std::logic_error for a key that is not there, or has a text.
  [[nodiscard]] std::int64_t operator[](std::string_view key) const;
  /// The same of a text.
  [[nodiscard]] const std::string& text(std::string_view key) const;
  [[nodiscard]] bool has(std::string_view key) const;
  /// Whether a setting has a text. Throws Error(BadInput) for an unknown key, naming those there
  /// are.
  [[nodiscard]] bool has_text(std::string_view key) const;
  /// Throws Error(BadInput) for an unknown key, naming those there are, and for a value that no
  /// model can have.
  void set(std::string_view key, std::int64_t value);
  void set(std::string_view key, const SettingValue& value);
  /// The same of a value as people write it: a number, or the text of a setting that has one.
  void set_written(std::string_view key, std::string_view value);
  /// Throws Error(BadInput) unless `part` divides `whole`.
  void require_division(std::string_view whole, std::string_view part) const;
  /// Throws Error(BadInput) for an even value.
  void require_odd(std::string_view key) const;
  /// Throws Error(BadInput) unless the values grow from key to key.
  void require_growth(std::initializer_list<std::string_view> keys) const;

 private:
  [[nodiscard]] Setting& find(std::string_view key);

  std::vector<Setting> settings_;
};

/// "layers=6" as key and value. Throws Error(BadInput) for what is no such pair.
[[nodiscard]] std::pair<std::string, std::string> key_and_value(const std::string& text);

}  // namespace jouletree::zoo
