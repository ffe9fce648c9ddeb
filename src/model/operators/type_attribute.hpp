#pragma once

#include <fmt/format.h>

#include "model/operators/call.hpp"

namespace jouletree::model {

/// The element type that an attribute names by its number, `fallback` where it is not given.
[[nodiscard]] inline DataType type_attribute(const Call& call, std::string_view name,
                                             DataType fallback) {
  if (!call.has_attribute(name)) return fallback;
  const std::int64_t number = call.attribute(name, std::int64_t{0});
  const DataType type = data_type_from_number(number);
  if (type == DataType::Undefined)
    call.fail(fmt::format("its attribute '{}' is {}, which is not an element type", name, number));
  return type;
}

}  // namespace jouletree::model
