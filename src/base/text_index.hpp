#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

namespace jouletree {

/// Numbers by text, for the many names of a model: one piece of memory and no allocation per text.
/// Texts are not copied and must stay where they are.
class TextIndex {
 public:
  /// Room for so many texts.
  void reserve(std::size_t texts);
  /// Null where the text is not there.
  [[nodiscard]] const std::uint32_t* find(std::string_view text) const;
  /// The number of the text, which is `number` where the text was not there; says whether that is
  /// so. The pointer is valid until the next text is added.
  std::pair<std::uint32_t*, bool> add(std::string_view text, std::uint32_t number);

 private:
  struct Slot {
    std::string_view text;
    std::uint32_t hash = 0;  ///< 0 where the slot is free.
    std::uint32_t number = 0;
  };

  /// Where the text is, or where it belongs.
  [[nodiscard]] std::size_t place_of(std::string_view text, std::uint32_t hash) const;
  void resize(std::size_t slots);

  std::vector<Slot> slots_;  ///< A power of two, at least a quarter of them free.
  std::size_t used_ = 0;
};

}  // namespace jouletree
