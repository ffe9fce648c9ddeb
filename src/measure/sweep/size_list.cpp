#include "measure/sweep/size_list.hpp"

#include <charconv>
#include <set>

#include <fmt/format.h>

#include "base/text_table.hpp"
#include "jouletree/error.hpp"

namespace jouletree::measure {
namespace {

/// More would take years.
constexpr std::size_t kMostSizes = 10000;

[[noreturn]] void fail(const std::string& where, const std::string& problem) {
  throw Error(ErrorKind::BadInput, fmt::format("{}: {}", where, problem));
}

Dim parse_size(std::string_view text, const std::string& where) {
  Dim size = 0;
  const char* const end = text.data() + text.size();
  const auto parsed = std::from_chars(text.data(), end, size);
  if (text.empty() || parsed.ec != std::errc() || parsed.ptr != end || size < 1) {
    fail(where, fmt::format("'{}' is no size of 1 or more; give sizes like 50,100 or a range like "
                            "50:500:50",
                            printable(text)));
  }
  return size;
}

std::vector<std::string_view> split(std::string_view text, std::string_view separator) {
  std::vector<std::string_view> parts;
  while (true) {
    const std::size_t end = text.find(separator);
    parts.push_back(text.substr(0, end));
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + separator.size());
  }
}

void add_range(const std::vector<std::string_view>& parts, std::string_view text,
               const std::string& where, std::set<Dim>& sizes) {
  if (parts.size() > 3) {
    fail(where,
         fmt::format("'{}' is no range; give first:last:step, like 50:500:50", printable(text)));
  }
  const Dim first = parse_size(parts[0], where);
  const Dim last = parse_size(parts[1], where);
  const Dim step = parts.size() == 3 ? parse_size(parts[2], where) : 1;
  if (last < first) fail(where, fmt::format("the range {} ends before it begins", printable(text)));
  const auto count = static_cast<std::size_t>((last - first) / step) + 1;
  if (count > kMostSizes) {
    fail(where,
         fmt::format("the range {} has {} sizes; give a larger step", printable(text), count));
  }
  for (Dim i = 0; i < static_cast<Dim>(count); ++i) sizes.insert(first + i * step);
}

}  // namespace

std::vector<Dim> parse_sizes(std::string_view text, const std::string& where) {
  std::set<Dim> sizes;
  for (const std::string_view part : split(text, ",")) {
    const std::string_view separator = part.find("..") == std::string_view::npos ? ":" : "..";
    const auto parts = split(part, separator);
    if (parts.size() == 1) {
      sizes.insert(parse_size(part, where));
    } else {
      add_range(parts, part, where, sizes);
    }
  }
  return {sizes.begin(), sizes.end()};
}

bool is_size_list(std::string_view text) {
  return text.find_first_of(",:") != std::string_view::npos ||
         text.find("..") != std::string_view::npos;
}

}  // namespace jouletree::measure
