#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string_view>
#include <vector>

namespace jouletree::model {

/// Numbers by short names, such as those of operators, which are looked up several times per node.
class ShortNames {
 public:
  static constexpr std::size_t kLongest = 16;
  static constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();

  /// Room for so many names.
  explicit ShortNames(std::size_t names) : slots_(std::bit_ceil(2 * names + 1)) {}

  /// Keeps the number that a name was added with first. There must be room, and the name must have
  /// at most kLongest letters.
  void add(std::string_view name, std::uint32_t number) {
    Slot& slot = slots_[place_of(Key(name))];
    if (slot.number == kNone) slot = {Key(name), number};
  }
  /// kNone where the name, of at most kLongest letters, was not added.
  [[nodiscard]] std::uint32_t find(std::string_view name) const {
    return slots_[place_of(Key(name))].number;
  }

 private:
  /// All letters, and how many there are.
  struct Key {
    std::uint64_t first = 0;
    std::uint64_t last = 0;
    std::size_t size = 0;

    Key() = default;
    explicit Key(std::string_view name) : size(name.size()) {
      if (size >= sizeof first) {
        std::memcpy(&first, name.data(), sizeof first);
        std::memcpy(&last, name.data() + size - sizeof last, sizeof last);
      } else {
        for (const char letter : name) first = first << 8U | static_cast<unsigned char>(letter);
      }
    }
    friend bool operator==(const Key&, const Key&) = default;
  };
  struct Slot {
    Key key;
    std::uint32_t number = kNone;
  };

  /// Where the name is, or where it belongs.
  [[nodiscard]] std::size_t place_of(const Key& key) const {
    constexpr std::uint64_t kFactor = 0x9E3779B97F4A7C15;
    const std::size_t mask = slots_.size() - 1;
    const std::uint64_t hash = (key.first ^ std::rotl(key.last, 29) ^ key.size) * kFactor;
    std::size_t at = (hash >> 40U) & mask;
    while (slots_[at].number != kNone && !(slots_[at].key == key)) at = (at + 1) & mask;
    return at;
  }

  std::vector<Slot> slots_;  ///< A power of two, at least half of them free.
};

}  // namespace jouletree::model
