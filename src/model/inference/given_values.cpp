#include "model/inference/given_values.hpp"

#include <cmath>

#include <fmt/format.h>

#include "jouletree/error.hpp"

namespace jouletree::model {
namespace {

[[noreturn]] void fail(DataType type, const std::string& given, const std::string& wanted) {
  throw Error(ErrorKind::BadInput, fmt::format("{} is not possible for elements of type {}: {}",
                                               given, name_of(type), wanted));
}

bool is_unsigned(DataType type) {
  return type == DataType::UInt8 || type == DataType::UInt16 || type == DataType::UInt32 ||
         type == DataType::UInt64 || type == DataType::UInt4 || type == DataType::UInt2;
}

std::int64_t whole_number(DataType type, const Scalar& element) {
  if (element.is_real() && element.as_real() != std::trunc(element.as_real()))
    fail(type, fmt::format("{}", element.as_real()), "give whole numbers");
  const std::int64_t number = element.as_integer();
  if (is_unsigned(type) && number < 0)
    fail(type, std::to_string(number), "give numbers of 0 or more");
  const int bits = bits_of(type).value_or(64);
  if (bits >= 64) return number;
  const std::int64_t most = (std::int64_t{1} << (is_unsigned(type) ? bits : bits - 1)) - 1;
  const std::int64_t least = is_unsigned(type) ? 0 : -most - 1;
  if (number < least || number > most)
    fail(type, std::to_string(number), fmt::format("give numbers from {} to {}", least, most));
  return number;
}

Scalar scalar_as(DataType type, const Scalar& element) {
  if (is_floating(type)) return Scalar::real(element.as_real());
  if (type == DataType::Bool) {
    const double number = element.as_real();
    if (number != 0 && number != 1) fail(type, fmt::format("{}", number), "give true or false");
    return Scalar::boolean(number != 0);
  }
  if (is_integer(type)) return Scalar::integer(whole_number(type, element));
  fail(type, "a number", "give such an input as a file, or leave it open");
}

}  // namespace

Elements elements_as(DataType type, Elements elements) {
  // Files need not say the type of an input.
  if (type == DataType::Undefined) return elements;
  for (Scalar& element : elements)
    if (element.known()) element = scalar_as(type, element);
  return elements;
}

}  // namespace jouletree::model
