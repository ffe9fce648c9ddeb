#include "store/sql/checked_parameters.hpp"

#include <cmath>
#include <cstring>

#include <fmt/format.h>

#include "jouletree/error.hpp"

namespace jouletree::store::sql {
namespace {

/// Bytes of the UTF-8 character that begins here; 0 where none does, or where it is a NUL.
std::size_t character_at(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned first = byte(0);
  if (first < 0x80) return first == 0 ? 0 : 1;
  const std::size_t length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
  if (first < 0xC2 || first > 0xF4 || text.size() < length) return 0;
  for (std::size_t i = 1; i < length; ++i)
    if ((byte(i) & 0xC0U) != 0x80) return 0;
  // Too long for what they say, halves of a pair, and beyond Unicode.
  if ((first == 0xE0 && byte(1) < 0xA0) || (first == 0xED && byte(1) > 0x9F) ||
      (first == 0xF0 && byte(1) < 0x90) || (first == 0xF4 && byte(1) > 0x8F))
    return 0;
  return length;
}

bool is_plain_text(std::string_view text) {
  while (!text.empty()) {
    // Nearly all texts are ASCII: eight letters at once.
    std::uint64_t word = 0;
    while (text.size() >= sizeof(word)) {
      std::memcpy(&word, text.data(), sizeof(word));
      constexpr std::uint64_t kOnes = 0x0101010101010101U;
      constexpr std::uint64_t kHighBits = kOnes << 7U;
      if (((word | (word - kOnes)) & kHighBits) != 0) break;
      text.remove_prefix(sizeof(word));
    }
    if (text.empty()) break;
    const std::size_t length = character_at(text);
    if (length == 0) return false;
    text.remove_prefix(length);
  }
  return true;
}

[[noreturn]] void refuse(std::string_view sql, std::size_t index, std::string_view reason) {
  throw Error(ErrorKind::BadInput,
              fmt::format("value {} of '{}' {}", index + 1, shortened(sql), reason));
}

}  // namespace

void check_parameters(std::string_view sql, std::size_t wanted,
                      std::span<const Parameter> parameters) {
  if (parameters.size() != wanted) {
    throw Error(ErrorKind::BadInput, fmt::format("'{}' takes {} values, but was given {}",
                                                 shortened(sql), wanted, parameters.size()));
  }
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    if (const auto* number = std::get_if<double>(&parameters[i])) {
      if (!std::isfinite(*number))
        refuse(sql, i, "is not a finite number; store NULL where nothing is known");
    } else if (const auto* text = std::get_if<std::string_view>(&parameters[i])) {
      if (!is_plain_text(*text))
        refuse(sql, i, "is not a text in UTF-8 without NUL bytes; store it as bytes");
    }
  }
}

std::string shortened(std::string_view sql) {
  constexpr std::size_t kMost = 100;
  std::string line;
  for (const char letter : sql) {
    const bool is_space = letter == ' ' || letter == '\n' || letter == '\t' || letter == '\r';
    if (!is_space) {
      line += letter;
    } else if (!line.empty() && line.back() != ' ') {
      line += ' ';
    }
    if (line.size() > kMost) break;
  }
  if (line.size() > kMost) {
    line.resize(kMost);
    // Not within a character.
    while (!line.empty() && (static_cast<unsigned char>(line.back()) & 0xC0U) == 0x80)
      line.pop_back();
    if (!line.empty() && static_cast<unsigned char>(line.back()) >= 0xC0) line.pop_back();
    line += "…";
  }
  while (!line.empty() && line.back() == ' ') line.pop_back();
  return line;
}

}  // namespace jouletree::store::sql
