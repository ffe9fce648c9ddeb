#include "measure/score/tensor_numbers.hpp"

#include <cstdint>
#include <cstring>

#include <fmt/format.h>

#include "base/short_float.hpp"
#include "jouletree/error.hpp"

namespace jouletree::measure {
namespace {

template <class Stored>
double plain_number(Stored value) {
  return static_cast<double>(value);
}

template <class Stored, double (*ToNumber)(Stored) = plain_number<Stored>>
std::vector<double> all_numbers(std::string_view bytes, std::size_t count) {
  std::vector<double> numbers(count);
  for (std::size_t i = 0; i < count; ++i) {
    Stored value{};
    std::memcpy(&value, bytes.data() + i * sizeof(Stored), sizeof(Stored));
    numbers[i] = ToNumber(value);
  }
  return numbers;
}

struct Reader {
  std::size_t width = 0;
  std::vector<double> (*read)(std::string_view, std::size_t) = nullptr;
};

template <class Stored, double (*ToNumber)(Stored) = plain_number<Stored>>
constexpr Reader kReader{sizeof(Stored), all_numbers<Stored, ToNumber>};

Reader reader_of(DataType type) {
  switch (type) {
    case DataType::Float32: return kReader<float>;
    case DataType::Float64: return kReader<double>;
    case DataType::Float16: return kReader<std::uint16_t, half_to_double>;
    case DataType::BFloat16: return kReader<std::uint16_t, brain_to_double>;
    case DataType::Int8: return kReader<std::int8_t>;
    case DataType::Int16: return kReader<std::int16_t>;
    case DataType::Int32: return kReader<std::int32_t>;
    case DataType::Int64: return kReader<std::int64_t>;
    case DataType::Bool:
    case DataType::UInt8: return kReader<std::uint8_t>;
    case DataType::UInt16: return kReader<std::uint16_t>;
    case DataType::UInt32: return kReader<std::uint32_t>;
    case DataType::UInt64: return kReader<std::uint64_t>;
    default: return {};
  }
}

}  // namespace

std::size_t width_of(DataType type) { return reader_of(type).width; }

std::vector<double> numbers_of(const TensorView& tensor, std::string_view what) {
  const Reader reader = reader_of(tensor.type);
  if (reader.read == nullptr) {
    throw Error(ErrorKind::BadInput,
                fmt::format("{} are {}, which are no plain numbers", what,
                            tensor.type == DataType::Undefined ? "of a type that nobody knows"
                                                               : name_of(tensor.type)));
  }
  const auto count = static_cast<std::size_t>(elements_of(tensor.dims).value());
  if (tensor.bytes.size() < count * reader.width) {
    throw Error(ErrorKind::BadInput,
                fmt::format("{} are cut short: {} need {} bytes, but there are {}", what,
                            to_string(tensor.dims), count * reader.width, tensor.bytes.size()));
  }
  return reader.read(tensor.bytes, count);
}

}  // namespace jouletree::measure
