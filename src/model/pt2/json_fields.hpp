#pragma once

#include <simdjson.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace jouletree::model::pt2 {

namespace dom = simdjson::dom;

/// Parses a text that is an object. `around` is the memory that the text stands in, if it is known:
/// what may be read beyond the end of the text need not be copied. `what` names the text in errors.
/// Throws Error(BadInput).
[[nodiscard]] dom::object parse_object(dom::parser& parser, std::string_view text,
                                       std::string_view around, std::string_view what);

/// Throws Error(BadInput) that says what is wrong where.
[[noreturn]] void refuse_field(std::string_view where, std::string_view problem);

// What stands under a key. `where` names the object in the Error(BadInput) for one that is not
// there or is of another kind.
[[nodiscard]] dom::object object_at(const dom::object& object, std::string_view key,
                                    std::string_view where);
[[nodiscard]] dom::array array_at(const dom::object& object, std::string_view key,
                                  std::string_view where);
[[nodiscard]] std::string_view text_at(const dom::object& object, std::string_view key,
                                       std::string_view where);
/// Nothing for a key that is not there, or is null.
[[nodiscard]] std::optional<dom::element> find_field(const dom::object& object,
                                                     std::string_view key);
[[nodiscard]] dom::object as_object(const dom::element& element, std::string_view where);
[[nodiscard]] dom::array as_array(const dom::element& element, std::string_view where);
[[nodiscard]] std::string_view as_text(const dom::element& element, std::string_view where);
[[nodiscard]] std::optional<std::int64_t> find_integer(const dom::object& object,
                                                       std::string_view key);
/// Empty for a key that is not there or holds something else.
[[nodiscard]] std::string_view find_text(const dom::object& object, std::string_view key);

/// One of several kinds of values, as the schema of torch.export writes it: {"as_int": 3}.
struct TaggedValue {
  std::string_view kind;
  dom::element value;
};
[[nodiscard]] TaggedValue tagged(const dom::element& element, std::string_view where);

}  // namespace jouletree::model::pt2
