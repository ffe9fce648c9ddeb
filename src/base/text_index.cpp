#include "base/text_index.hpp"

#include <bit>
#include <cstring>

namespace jouletree {
namespace {

std::uint64_t mixed(std::uint64_t hash, std::uint64_t word) {
  constexpr std::uint64_t kFactor = 0x9E3779B97F4A7C15;
  hash = (hash ^ word) * kFactor;
  return hash ^ (hash >> 32U);
}

constexpr std::size_t kWord = sizeof(std::uint64_t);

template <class Letters>
std::uint64_t load(const char* at) {
  Letters letters{};
  std::memcpy(&letters, at, sizeof letters);
  return letters;
}

/// All letters of a text that is shorter than a word.
std::uint64_t load_short(std::string_view text) {
  const char* const at = text.data();
  const std::size_t size = text.size();
  if (size >= sizeof(std::uint32_t)) {
    const std::uint64_t last = load<std::uint32_t>(at + size - sizeof(std::uint32_t));
    return load<std::uint32_t>(at) | last << 32U;
  }
  std::uint64_t word = 0;
  for (const char letter : text) word = word << 8U | static_cast<unsigned char>(letter);
  return word;
}

/// Eight letters at a time, the last of them perhaps twice: names are long and much alike. Never 0.
[[gnu::always_inline]] inline std::uint32_t hash_of(std::string_view text) {
  std::uint64_t hash = text.size();
  if (text.size() < kWord) {
    hash = mixed(hash, load_short(text));
  } else {
    const char* const last = text.data() + text.size() - kWord;
    for (const char* at = text.data(); at < last; at += kWord)
      hash = mixed(hash, load<std::uint64_t>(at));
    hash = mixed(hash, load<std::uint64_t>(last));
  }
  return static_cast<std::uint32_t>(hash) | 1U;
}

bool are_equal(std::string_view a, std::string_view b) {
  if (a.size() != b.size()) return false;
  if (a.size() < kWord) return load_short(a) == load_short(b);
  const std::size_t last = a.size() - kWord;
  std::uint64_t differences = 0;
  for (std::size_t at = 0; at < last; at += kWord)
    differences |= load<std::uint64_t>(a.data() + at) ^ load<std::uint64_t>(b.data() + at);
  differences |= load<std::uint64_t>(a.data() + last) ^ load<std::uint64_t>(b.data() + last);
  return differences == 0;
}

constexpr std::size_t kFewest = 16;

/// Three quarters of the slots hold `texts`.
std::size_t slots_for(std::size_t texts) { return std::bit_ceil(texts + texts / 3 + kFewest); }

}  // namespace

inline std::size_t TextIndex::place_of(std::string_view text, std::uint32_t hash) const {
  const std::size_t mask = slots_.size() - 1;
  // The lowest bit of a hash says nothing.
  std::size_t at = (hash >> 1U) & mask;
  while (slots_[at].hash != 0 && (slots_[at].hash != hash || !are_equal(slots_[at].text, text)))
    at = (at + 1) & mask;
  return at;
}

void TextIndex::reserve(std::size_t texts) {
  if (slots_for(texts) > slots_.size()) resize(slots_for(texts));
}

const std::uint32_t* TextIndex::find(std::string_view text) const {
  if (slots_.empty()) return nullptr;
  const Slot& slot = slots_[place_of(text, hash_of(text))];
  return slot.hash == 0 ? nullptr : &slot.number;
}

std::pair<std::uint32_t*, bool> TextIndex::add(std::string_view text, std::uint32_t number) {
  if (slots_for(used_ + 1) > slots_.size()) resize(slots_for(2 * used_ + 1));
  const std::uint32_t hash = hash_of(text);
  Slot& slot = slots_[place_of(text, hash)];
  if (slot.hash != 0) return {&slot.number, false};
  slot = {text, hash, number};
  ++used_;
  return {&slot.number, true};
}

void TextIndex::resize(std::size_t slots) {
  std::vector<Slot> old = std::exchange(slots_, std::vector<Slot>(slots));
  for (const Slot& slot : old)
    if (slot.hash != 0) slots_[place_of(slot.text, slot.hash)] = slot;
}

}  // namespace jouletree
