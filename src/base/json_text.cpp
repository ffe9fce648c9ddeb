#include "base/json_text.hpp"

#include <cstdint>
#include <cstring>

#include <nlohmann/json.hpp>

namespace jouletree {
namespace {

using Word = std::uint64_t;  ///< Eight letters.

constexpr Word kEach = ~Word{0} / 0xFF;
constexpr Word kTopBits = kEach * 0x80;

constexpr Word repeated(char letter) { return kEach * static_cast<unsigned char>(letter); }

/// A top bit where a letter is below `limit`. Beyond the first such letter there may be others.
constexpr Word below(Word word, char limit) { return (word - repeated(limit)) & ~word; }

/// Bits of those letters that do not stand for themselves, in any place.
constexpr Word special(Word word) {
  const Word bits = below(word, ' ') | below(word ^ repeated('"'), 1) |
                    below(word ^ repeated('\\'), 1) | below(word ^ repeated('\x7f'), 1) | word;
  return bits & kTopBits;
}

Word load(const char* letters, std::size_t count) {
  Word word = repeated(' ');
  std::memcpy(&word, letters, count);
  return word;
}

/// Every letter stands for itself.
bool is_plain(std::string_view text) {
  Word found = 0;
  const char* at = text.data();
  const char* const end = at + text.size();
  for (; end - at >= static_cast<std::ptrdiff_t>(sizeof(Word)); at += sizeof(Word))
    found |= special(load(at, sizeof(Word)));
  if (at == end) return found == 0;
  // The last letters with some that were looked at already, where there are any.
  const bool is_long = text.size() >= sizeof(Word);
  found |= special(is_long ? load(end - sizeof(Word), sizeof(Word))
                           : load(at, static_cast<std::size_t>(end - at)));
  return found == 0;
}

std::string escaped(std::string_view text) {
  return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

}  // namespace

void append_json_text(std::string& to, std::string_view text) {
  // Nearly all names are plain, and there are many.
  if (is_plain(text)) {
    to += '"';
    to += text;
    to += '"';
  } else {
    to += escaped(text);
  }
}

void add_json_text(TextBuffer& to, std::string_view text) {
  if (!is_plain(text)) return to.add(escaped(text));
  to.add('"');
  to.add(text);
  to.add('"');
}

}  // namespace jouletree
