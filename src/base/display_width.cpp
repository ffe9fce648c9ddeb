#include "base/display_width.hpp"

#include <algorithm>
#include <vector>

#include "base/letter_ranges.hpp"

namespace jouletree {
namespace {

struct Letter {
  char32_t code = 0;
  std::string_view bytes;
};

/// What begins the text; a byte that is no UTF-8 is a letter by itself.
Letter first_letter(std::string_view text) {
  const auto lead = static_cast<unsigned char>(text[0]);
  const std::size_t size = lead < 0x80   ? 1
                           : lead < 0xC0 ? 0
                           : lead < 0xE0 ? 2
                           : lead < 0xF0 ? 3
                                         : 4;
  if (size <= 1 || size > text.size()) return {lead, text.substr(0, 1)};
  char32_t code = lead & (0xFFU >> (size + 1));
  for (std::size_t i = 1; i < size; ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    if ((byte & 0xC0U) != 0x80U) return {lead, text.substr(0, 1)};
    code = code << 6U | (byte & 0x3FU);
  }
  return {code, text.substr(0, size)};
}

template <std::size_t Size>
bool is_in(const std::array<LetterRange, Size>& ranges, char32_t code) {
  const auto range = std::lower_bound(
      ranges.begin(), ranges.end(), code,
      [](const LetterRange& tried, char32_t wanted) { return tried.last < wanted; });
  return range != ranges.end() && range->first <= code;
}

std::size_t width_of(char32_t code) {
  if (code < 0x300) return 1;
  if (is_in(kNoColumn, code)) return 0;
  return is_in(kTwoColumns, code) ? 2 : 1;
}

/// A letter with the marks that belong to it.
struct Cluster {
  std::string_view bytes;
  std::size_t width = 0;
};

/// Pictures that a joiner, a skin colour or a selector changes are drawn as one.
bool joins(char32_t before, char32_t code) {
  constexpr char32_t kJoiner = 0x200D;
  constexpr char32_t kFirstSkin = 0x1F3FB;
  constexpr char32_t kLastSkin = 0x1F3FF;
  return before == kJoiner || width_of(code) == 0 || (code >= kFirstSkin && code <= kLastSkin);
}

/// What begins the text, which is not empty; it is taken off.
Cluster take_cluster(std::string_view& text) {
  constexpr char32_t kAsPicture = 0xFE0F;
  const Letter first = first_letter(text);
  Cluster cluster{first.bytes, width_of(first.code)};
  char32_t before = first.code;
  std::size_t size = first.bytes.size();
  while (size < text.size()) {
    const Letter letter = first_letter(text.substr(size));
    if (!joins(before, letter.code)) break;
    if (letter.code == kAsPicture) cluster.width = 2;
    before = letter.code;
    size += letter.bytes.size();
  }
  cluster.bytes = text.substr(0, size);
  text.remove_prefix(size);
  return cluster;
}

std::vector<Cluster> clusters_of(std::string_view text) {
  std::vector<Cluster> clusters;
  while (!text.empty()) clusters.push_back(take_cluster(text));
  return clusters;
}

bool steers(char32_t code) {
  const bool is_control = code < 0x20 || (code >= 0x7F && code < 0xA0);
  const bool turns_text = (code >= 0x202A && code <= 0x202E) || (code >= 0x2066 && code <= 0x2069);
  return is_control || turns_text;
}

}  // namespace

std::size_t display_width(std::string_view text) {
  std::size_t width = 0;
  while (!text.empty()) width += take_cluster(text).width;
  return width;
}

std::string printable(std::string_view text) {
  std::string result;
  result.reserve(text.size());
  while (!text.empty()) {
    const Letter letter = first_letter(text);
    if (steers(letter.code) && (letter.bytes.size() > 1 || letter.code < 0x80)) {
      result += '?';
    } else {
      result += letter.bytes;
    }
    text.remove_prefix(letter.bytes.size());
  }
  return result;
}

std::string shortened_name(std::string_view text, std::size_t columns) {
  if (display_width(text) <= columns) return std::string(text);
  const std::size_t indent = std::min(text.find_first_not_of(' '), text.size());
  const std::size_t kept_indent = std::min(indent, columns / 2);
  const std::vector<Cluster> clusters = clusters_of(text.substr(indent));
  const std::size_t room = columns > kept_indent ? columns - kept_indent - 1 : 0;
  std::size_t begin_room = room / 3;
  std::string begin;
  std::size_t first = 0;
  for (; first < clusters.size() && clusters[first].width <= begin_room; ++first) {
    begin += clusters[first].bytes;
    begin_room -= clusters[first].width;
  }
  std::size_t end_room = room - room / 3 + begin_room;
  std::size_t last = clusters.size();
  while (last > first && clusters[last - 1].width <= end_room) end_room -= clusters[--last].width;
  std::string end;
  for (; last < clusters.size(); ++last) end += clusters[last].bytes;
  return std::string(kept_indent, ' ') + begin + "…" + end;
}

std::string take_words(std::string_view& text, std::size_t columns) {
  std::size_t end = std::min(text.find(' '), text.size());
  while (end < text.size()) {
    const std::size_t next = std::min(text.find(' ', end + 1), text.size());
    if (display_width(text.substr(0, next)) > columns) break;
    end = next;
  }
  std::string words(text.substr(0, end));
  text.remove_prefix(std::min(end + 1, text.size()));
  return words;
}

}  // namespace jouletree
