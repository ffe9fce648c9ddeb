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

/// Eight letters at a time: names are long and much alike. Never 0.
std::uint32_t hash_of(std::string_view text) {
  std::uint64_t hash = text.size();
  std::uint64_t word = 0;
  for (; text.size() >= sizeof word; text.remove_prefix(sizeof word)) {
    std::memcpy(&word, text.data(), sizeof word);
    hash = mixed(hash, word);
  }
  word = 0;
  if (!text.empty()) std::memcpy(&word, text.data(), text.size());
  hash = mixed(hash, word);
  return static_cast<std::uint32_t>(hash) | 1U;
}

constexpr std::size_t kFewest = 16;

/// Three quarters of the slots hold `texts`.
std::size_t slots_for(std::size_t texts) { return std::bit_ceil(texts + texts / 3 + kFewest); }

}  // namespace

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

std::size_t TextIndex::place_of(std::string_view text, std::uint32_t hash) const {
  const std::size_t mask = slots_.size() - 1;
  // The lowest bit of a hash says nothing.
  std::size_t at = (hash >> 1U) & mask;
  while (slots_[at].hash != 0 && (slots_[at].hash != hash || slots_[at].text != text))
    at = (at + 1) & mask;
  return at;
}

void TextIndex::resize(std::size_t slots) {
  std::vector<Slot> old = std::exchange(slots_, std::vector<Slot>(slots));
  for (const Slot& slot : old)
    if (slot.hash != 0) slots_[place_of(slot.text, slot.hash)] = slot;
}

}  // namespace jouletree
