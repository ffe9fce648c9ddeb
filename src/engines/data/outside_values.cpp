#include "engines/data/outside_values.hpp"

#include <cstring>
#include <utility>

namespace jouletree::engines {
namespace {

template <class Number>
std::optional<std::string> first_outside_as(std::string_view bytes, std::int64_t low,
                                            std::int64_t high) {
  for (std::size_t at = 0; at + sizeof(Number) <= bytes.size(); at += sizeof(Number)) {
    // Files place their numbers anywhere, not where the processor would like them.
    Number number{};
    std::memcpy(&number, bytes.data() + at, sizeof(number));
    if (std::cmp_less(number, low) || std::cmp_greater(number, high)) return std::to_string(number);
  }
  return std::nullopt;
}

}  // namespace

std::optional<std::string> first_outside(DataType type, std::string_view bytes, std::int64_t low,
                                         std::int64_t high) {
  switch (type) {
    case DataType::Int8: return first_outside_as<std::int8_t>(bytes, low, high);
    case DataType::Int16: return first_outside_as<std::int16_t>(bytes, low, high);
    case DataType::Int32: return first_outside_as<std::int32_t>(bytes, low, high);
    case DataType::Int64: return first_outside_as<std::int64_t>(bytes, low, high);
    case DataType::UInt8: return first_outside_as<std::uint8_t>(bytes, low, high);
    case DataType::UInt16: return first_outside_as<std::uint16_t>(bytes, low, high);
    case DataType::UInt32: return first_outside_as<std::uint32_t>(bytes, low, high);
    case DataType::UInt64: return first_outside_as<std::uint64_t>(bytes, low, high);
    default: return std::nullopt;
  }
}

}  // namespace jouletree::engines
