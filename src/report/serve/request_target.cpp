#include "report/serve/request_target.hpp"

#include <cctype>
#include <charconv>

#include <fmt/format.h>

namespace jouletree::report {
namespace {

std::optional<std::string> decoded(std::string_view text) {
  constexpr std::size_t kEscape = 3;
  constexpr int kHexadecimal = 16;
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '%') {
      result += text[i];
      continue;
    }
    if (i + kEscape > text.size()) return std::nullopt;
    unsigned char byte = 0;
    const char* const begin = text.data() + i + 1;
    const auto parsed = std::from_chars(begin, begin + 2, byte, kHexadecimal);
    if (parsed.ec != std::errc{} || parsed.ptr != begin + 2) return std::nullopt;
    result += static_cast<char>(byte);
    i += kEscape - 1;
  }
  return result;
}

std::optional<std::vector<std::string>> segments_of(std::string_view path) {
  if (!path.starts_with('/')) return std::nullopt;
  path.remove_prefix(1);
  std::vector<std::string> segments;
  while (!path.empty()) {
    const std::size_t slash = path.find('/');
    const auto segment = decoded(path.substr(0, slash));
    if (!segment || segment->empty() || *segment == "." || *segment == ".." ||
        segment->find('/') != std::string::npos || segment->find('\0') != std::string::npos)
      return std::nullopt;
    segments.push_back(*segment);
    path.remove_prefix(slash == std::string_view::npos ? path.size() : slash + 1);
  }
  return segments;
}

std::optional<std::map<std::string, std::string>> query_of(std::string_view text) {
  std::map<std::string, std::string> query;
  while (!text.empty()) {
    const std::string_view pair = text.substr(0, text.find('&'));
    const std::size_t equals = pair.find('=');
    const auto name = decoded(pair.substr(0, equals));
    const auto value =
        decoded(equals == std::string_view::npos ? std::string_view{} : pair.substr(equals + 1));
    if (!name || !value) return std::nullopt;
    query.emplace(*name, *value);
    text.remove_prefix(std::min(text.size(), pair.size() + 1));
  }
  return query;
}

}  // namespace

std::optional<RequestTarget> parse_target(std::string_view text) {
  text = text.substr(0, text.find('#'));
  const std::size_t mark = text.find('?');
  const auto segments = segments_of(text.substr(0, mark));
  const auto query =
      query_of(mark == std::string_view::npos ? std::string_view{} : text.substr(mark + 1));
  if (!segments || !query) return std::nullopt;
  return RequestTarget{*segments, *query};
}

std::string percent_encoded(std::string_view text) {
  constexpr std::string_view kPlain = "-._~";
  std::string result;
  for (const char letter : text) {
    const auto byte = static_cast<unsigned char>(letter);
    if (std::isalnum(byte) != 0 || kPlain.find(letter) != std::string_view::npos) {
      result += letter;
    } else {
      result += fmt::format("%{:02X}", byte);
    }
  }
  return result;
}

std::string address_of(const RequestTarget& target, std::string_view without) {
  std::string address;
  for (const std::string& segment : target.segments) address += "/" + percent_encoded(segment);
  if (address.empty()) address = "/";
  char before = '?';
  for (const auto& [name, value] : target.query) {
    if (name == without) continue;
    address += fmt::format("{}{}={}", before, percent_encoded(name), percent_encoded(value));
    before = '&';
  }
  return address;
}

std::string encoded_path(std::string_view path) {
  std::string result;
  while (true) {
    const std::size_t slash = path.find('/');
    result += percent_encoded(path.substr(0, slash));
    if (slash == std::string_view::npos) return result;
    result += '/';
    path.remove_prefix(slash + 1);
  }
}

}  // namespace jouletree::report
