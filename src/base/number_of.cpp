#include "base/number_of.hpp"

#include <fmt/format.h>

#include "base/number_format.hpp"

namespace jouletree {

std::string number_of(std::int64_t count, std::string_view noun, std::string_view plural) {
  if (count == 1) return fmt::format("1 {}", noun);
  if (plural.empty()) return fmt::format("{} {}s", with_separators(count), noun);
  return fmt::format("{} {}", with_separators(count), plural);
}

}  // namespace jouletree
