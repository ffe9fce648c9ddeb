#pragma once

#include <span>
#include <string>
#include <vector>

#include "store/sql/connection.hpp"

namespace jouletree::store::sql {

/// Parameters as libpq takes them: numbers and texts as text, whose type the server finds out, and
/// bytes as they are. Can be filled again and again.
class SentParameters {
 public:
  void fill(std::span<const Parameter> parameters);

  [[nodiscard]] int count() const { return static_cast<int>(values_.size()); }
  [[nodiscard]] const char* const* values() const { return values_.data(); }
  [[nodiscard]] const int* lengths() const { return lengths_.data(); }
  [[nodiscard]] const int* formats() const { return formats_.data(); }
  [[nodiscard]] std::size_t bytes() const { return texts_.size(); }

 private:
  std::string texts_;  ///< All of them, each with a NUL byte behind it.
  std::vector<std::size_t> offsets_;
  std::vector<const char*> values_;
  std::vector<int> lengths_;
  std::vector<int> formats_;
};

}  // namespace jouletree::store::sql
