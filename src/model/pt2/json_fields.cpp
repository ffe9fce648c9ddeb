#include "model/pt2/json_fields.hpp"

#include <functional>

#include <fmt/format.h>

#include "jouletree/error.hpp"

namespace jouletree::model::pt2 {
namespace {

/// Whether simdjson may read as far beyond the end of the text as it likes to.
bool has_room_behind(std::string_view text, std::string_view around) {
  const char* const begin = around.data();
  const char* const end = begin + around.size();
  const std::less<const char*> before;
  if (before(text.data(), begin) || !before(text.data(), end)) return false;
  return static_cast<std::size_t>(end - text.data()) >= text.size() + simdjson::SIMDJSON_PADDING;
}

/// Python writes numbers that JSON does not have. They are limits of operators, never sizes.
std::string without_strange_numbers(std::string_view text) {
  std::string plain;
  plain.reserve(text.size());
  bool in_text = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (in_text && text[i] == '\\' && i + 1 < text.size()) {
      plain += text[i++];
    } else if (text[i] == '"') {
      in_text = !in_text;
    } else if (!in_text) {
      const std::string_view rest = text.substr(i);
      const std::size_t sign = rest.starts_with('-') ? 1 : 0;
      for (const std::string_view word : {"Infinity", "NaN"}) {
        if (!rest.substr(sign).starts_with(word)) continue;
        plain += "null";
        i += sign + word.size();
        break;
      }
      if (i >= text.size()) break;
    }
    plain += text[i];
  }
  return plain;
}

std::string_view parse_problem(simdjson::error_code code) {
  switch (code) {
    case simdjson::UTF8_ERROR: return "it holds bytes that are not UTF-8";
    case simdjson::DEPTH_ERROR: return "it is nested too deeply";
    case simdjson::NUMBER_ERROR: return "it holds a number that is damaged or too large";
    case simdjson::EMPTY: return "it is empty";
    case simdjson::MEMALLOC:
    case simdjson::CAPACITY: return "it is too long";
    default: return "it is damaged or cut off";
  }
}

}  // namespace

dom::object parse_object(dom::parser& parser, std::string_view text, std::string_view around,
                         std::string_view what) {
  dom::element root;
  auto code = parser.parse(text.data(), text.size(), !has_room_behind(text, around)).get(root);
  const bool may_be_strange = code != simdjson::SUCCESS && code != simdjson::EMPTY &&
                              (text.find("Infinity") != std::string_view::npos ||
                               text.find("NaN") != std::string_view::npos);
  if (may_be_strange) code = parser.parse(without_strange_numbers(text)).get(root);
  dom::object object;
  if (code == simdjson::SUCCESS && root.get(object) == simdjson::SUCCESS) return object;
  throw Error(ErrorKind::BadInput,
              fmt::format("{} is no valid JSON: {}; copy or save the file again", what,
                          code == simdjson::SUCCESS ? "it is no object" : parse_problem(code)));
}

void refuse_field(std::string_view where, std::string_view problem) {
  throw Error(ErrorKind::BadInput, fmt::format("its graph cannot be read: {} {}", where, problem));
}

std::optional<dom::element> find_field(const dom::object& object, std::string_view key) {
  dom::element found;
  if (object[key].get(found) != simdjson::SUCCESS || found.is_null()) return std::nullopt;
  return found;
}

dom::object as_object(const dom::element& element, std::string_view where) {
  dom::object object;
  if (element.get(object) != simdjson::SUCCESS) refuse_field(where, "is no object");
  return object;
}

dom::array as_array(const dom::element& element, std::string_view where) {
  dom::array array;
  if (element.get(array) != simdjson::SUCCESS) refuse_field(where, "is no list");
  return array;
}

std::string_view as_text(const dom::element& element, std::string_view where) {
  std::string_view text;
  if (element.get(text) != simdjson::SUCCESS) refuse_field(where, "is no text");
  return text;
}

namespace {

dom::element field_at(const dom::object& object, std::string_view key, std::string_view where) {
  const auto found = find_field(object, key);
  if (!found) refuse_field(where, fmt::format("has no '{}'", key));
  return *found;
}

std::string place_of_field(std::string_view key, std::string_view where) {
  return fmt::format("'{}' of {}", key, where);
}

}  // namespace

dom::object object_at(const dom::object& object, std::string_view key, std::string_view where) {
  dom::object found;
  if (field_at(object, key, where).get(found) != simdjson::SUCCESS)
    refuse_field(place_of_field(key, where), "is no object");
  return found;
}

dom::array array_at(const dom::object& object, std::string_view key, std::string_view where) {
  dom::array found;
  if (field_at(object, key, where).get(found) != simdjson::SUCCESS)
    refuse_field(place_of_field(key, where), "is no list");
  return found;
}

std::string_view text_at(const dom::object& object, std::string_view key, std::string_view where) {
  std::string_view found;
  if (field_at(object, key, where).get(found) != simdjson::SUCCESS)
    refuse_field(place_of_field(key, where), "is no text");
  return found;
}

std::optional<std::int64_t> find_integer(const dom::object& object, std::string_view key) {
  std::int64_t number = 0;
  if (object[key].get(number) != simdjson::SUCCESS) return std::nullopt;
  return number;
}

std::string_view find_text(const dom::object& object, std::string_view key) {
  std::string_view text;
  return object[key].get(text) == simdjson::SUCCESS ? text : std::string_view();
}

TaggedValue tagged(const dom::element& element, std::string_view where) {
  const dom::object object = as_object(element, where);
  if (object.begin() == object.end()) refuse_field(where, "is empty");
  const dom::key_value_pair first = *object.begin();
  return {first.key, first.value};
}

}  // namespace jouletree::model::pt2
