#pragma once

#include <charconv>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <vector>

namespace jouletree {

/// Text that is put together from many short parts. Whoever adds some makes room for all of them
/// first, so that nothing is checked part by part.
class TextBuffer {
 public:
  /// Of a 64-bit integer in decimal digits.
  static constexpr std::size_t kLongestInteger = 20;

  /// Lets so many letters be added.
  void make_room(std::size_t letters) {
    if (letters_.size() - used_ < letters) letters_.resize(2 * letters_.size() + letters);
  }

  // What follows adds letters within that room.
  void add(char letter) { letters_[used_++] = letter; }
  [[gnu::always_inline]] void add(std::string_view text) {
    std::memcpy(letters_.data() + used_, text.data(), text.size());
    used_ += text.size();
  }
  void add(std::int64_t number) {
    char* const at = letters_.data() + used_;
    used_ += static_cast<std::size_t>(std::to_chars(at, at + kLongestInteger, number).ptr - at);
  }

  [[nodiscard]] std::size_t size() const { return used_; }
  [[nodiscard]] std::string_view text() const { return {letters_.data(), used_}; }
  void clear() { used_ = 0; }

 private:
  std::vector<char> letters_;
  std::size_t used_ = 0;
};

}  // namespace jouletree
