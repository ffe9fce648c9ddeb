#include "base/message.hpp"

#include <iostream>

#include "base/display_width.hpp"
#include "base/wrapped_text.hpp"

namespace jouletree {
namespace {

/// More than any sentence of ours with a long path in it.
constexpr std::size_t kLongestMessage = 8192;
constexpr std::size_t kKeptEnd = 2048;

/// Bytes that go on a letter of UTF-8 do not begin a piece.
bool goes_on(char byte) { return (static_cast<unsigned char>(byte) & 0xC0U) == 0x80U; }

}  // namespace

std::string message_text(std::string_view text) {
  if (text.size() <= kLongestMessage) return printable(text);
  std::size_t first = kLongestMessage - kKeptEnd;
  while (first > 0 && goes_on(text[first])) --first;
  std::size_t last = text.size() - kKeptEnd;
  while (last < text.size() && goes_on(text[last])) ++last;
  return printable(text.substr(0, first)) + "…" + printable(text.substr(last));
}

void say(std::string_view sentence) {
  const WrappedText wrapped(std::cerr);
  std::cerr << "jouletree: " << message_text(sentence) << '\n';
}

}  // namespace jouletree
