#include "model/inference/constants.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <fstream>
#include <limits>
#include <type_traits>

#include <protozero/exception.hpp>
#include <protozero/varint.hpp>

#include "base/short_float.hpp"

namespace jouletree::model {
namespace {

template <class Stored>
Stored load(const char* bytes) {
  Stored value{};
  std::memcpy(&value, bytes, sizeof(value));
  return value;
}

template <class Stored>
Scalar scalar_of(Stored value) {
  if constexpr (std::is_floating_point_v<Stored>) {
    return Scalar::real(value);
  } else {
    return Scalar::integer(static_cast<std::int64_t>(value));
  }
}
Scalar half_of(std::uint16_t bits) { return Scalar::real(half_to_double(bits)); }
Scalar brain_of(std::uint16_t bits) { return Scalar::real(brain_to_double(bits)); }
Scalar boolean_of(char byte) { return Scalar::boolean(byte != 0); }

template <class Stored, Scalar (*ToScalar)(Stored) = scalar_of<Stored>>
void load_all(const char* bytes, std::size_t count, Elements& elements) {
  for (std::size_t i = 0; i < count; ++i)
    elements.push_back(ToScalar(load<Stored>(bytes + i * sizeof(Stored))));
}

/// Null for element types whose content never decides a shape.
using Loader = void (*)(const char* bytes, std::size_t count, Elements& elements);
Loader loader_of(DataType type) {
  switch (type) {
    case DataType::Float32: return load_all<float>;
    case DataType::Float64: return load_all<double>;
    case DataType::Float16: return load_all<std::uint16_t, half_of>;
    case DataType::BFloat16: return load_all<std::uint16_t, brain_of>;
    case DataType::UInt8: return load_all<std::uint8_t>;
    case DataType::Int8: return load_all<std::int8_t>;
    case DataType::UInt16: return load_all<std::uint16_t>;
    case DataType::Int16: return load_all<std::int16_t>;
    case DataType::Int32: return load_all<std::int32_t>;
    case DataType::Int64: return load_all<std::int64_t>;
    case DataType::UInt32: return load_all<std::uint32_t>;
    case DataType::UInt64: return load_all<std::uint64_t>;
    case DataType::Bool: return load_all<char, boolean_of>;
    default: return nullptr;
  }
}

std::size_t bytes_per_element(DataType type) {
  return static_cast<std::size_t>(bits_of(type).value_or(8)) / 8;
}

std::optional<Elements> from_raw(std::string_view raw, DataType type, std::size_t count) {
  const Loader loader = loader_of(type);
  const std::size_t width = bytes_per_element(type);
  if (loader == nullptr || raw.size() < count * width) return std::nullopt;
  Elements elements;
  elements.reserve(count);
  loader(raw.data(), count, elements);
  return elements;
}

Scalar from_integer_field(std::int64_t value, DataType type) {
  switch (type) {
    case DataType::Bool: return Scalar::boolean(value != 0);
    case DataType::Float16: return Scalar::real(half_to_double(static_cast<std::uint16_t>(value)));
    case DataType::BFloat16:
      return Scalar::real(std::bit_cast<float>(static_cast<std::uint32_t>(value) << 16U));
    default: return Scalar::integer(value);
  }
}

std::optional<Elements> from_varints(std::string_view packed, DataType type,
                                     std::size_t count) try {
  Elements elements;
  const char* at = packed.data();
  const char* const end = at + packed.size();
  while (at != end && elements.size() < count) {
    const std::uint64_t value = protozero::decode_varint(&at, end);
    elements.push_back(from_integer_field(static_cast<std::int64_t>(value), type));
  }
  if (elements.size() != count) return std::nullopt;
  return elements;
} catch (const protozero::exception&) {
  return std::nullopt;
}

std::optional<Elements> from_external(const StoredTensor& tensor, std::size_t count,
                                      const std::filesystem::path& folder) {
  std::ifstream file(folder / tensor.external->path, std::ios::binary);
  if (!file.seekg(tensor.external->offset)) return std::nullopt;
  std::string bytes(count * bytes_per_element(tensor.type), '\0');
  if (!file.read(bytes.data(), static_cast<std::streamsize>(bytes.size()))) return std::nullopt;
  return from_raw(bytes, tensor.type, count);
}

}  // namespace

bool has_loadable_content(const StoredTensor& tensor) {
  if (tensor.stored_elements || loader_of(tensor.type) == nullptr) return false;
  const Count count = tensor.elements();
  if (!count.known() || count.value() > kMaxElements) return false;
  return count.value() == 0 || !tensor.raw.empty() || !tensor.packed.empty() ||
         !tensor.unpacked.empty() || tensor.external.has_value();
}

std::optional<Elements> load_content(const StoredTensor& tensor,
                                     const std::filesystem::path& folder) {
  if (!has_loadable_content(tensor)) return std::nullopt;
  const auto count = static_cast<std::size_t>(tensor.elements().value());
  if (count == 0) return Elements();
  if (!tensor.raw.empty()) return from_raw(tensor.raw, tensor.type, count);
  if (!tensor.packed.empty()) {
    const bool fixed_width = tensor.type == DataType::Float32 || tensor.type == DataType::Float64;
    return fixed_width ? from_raw(tensor.packed, tensor.type, count)
                       : from_varints(tensor.packed, tensor.type, count);
  }
  if (tensor.external) return from_external(tensor, count, folder);
  if (tensor.unpacked.size() != count) return std::nullopt;
  Elements elements;
  elements.reserve(count);
  for (const std::int64_t value : tensor.unpacked)
    elements.push_back(from_integer_field(value, tensor.type));
  return elements;
}

}  // namespace jouletree::model

namespace jouletree {

std::int64_t Scalar::as_integer() const {
  if (kind_ != Kind::Real) return bits_;
  constexpr double kLimit = 9.2233720368547758e18;
  const double real = as_real();
  if (std::isnan(real)) return 0;
  if (real >= kLimit) return std::numeric_limits<std::int64_t>::max();
  if (real <= -kLimit) return std::numeric_limits<std::int64_t>::min();
  return static_cast<std::int64_t>(real);
}

}  // namespace jouletree
