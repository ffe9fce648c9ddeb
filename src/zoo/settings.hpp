#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

namespace jouletree::zoo {

struct Setting {
  std::string_view key;  ///< Outlives the settings: keys are literals.
  std::int64_t value = 0;
};

/// The sizes of an architecture by name: layers, width, heads and so on. Which keys there are is
/// fixed by the list it is made of.
class Settings {
 public:
  Settings(std::initializer_list<Setting> settings) : settings_(settings) {}

  [[nodiscard]] const std::vector<Setting>& all() const { return settings_; }
  /// Throws std::logic_error for a key that is not there.
  [[nodiscard]] std::int64_t operator[](std::string_view key) const;
  /// Throws Error(BadInput) for an unknown key, naming those there are, and for a value that no
  /// model can have.
  void set(std::string_view key, std::int64_t value);
  /// Throws Error(BadInput) unless `part` divides `whole`.
  void require_division(std::string_view whole, std::string_view part) const;
  /// Throws Error(BadInput) for an even value.
  void require_odd(std::string_view key) const;
  /// Throws Error(BadInput) unless the values grow from key to key.
  void require_growth(std::initializer_list<std::string_view> keys) const;

 private:
  std::vector<Setting> settings_;
};

}  // namespace jouletree::zoo
