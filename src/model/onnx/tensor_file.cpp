#include "model/onnx/tensor_file.hpp"

#include <bit>

#include <fmt/format.h>
#include <protozero/exception.hpp>
#include <protozero/varint.hpp>

#include "model/onnx/tensor_reader.hpp"

namespace jouletree::model::onnx {
namespace {

static_assert(std::endian::native == std::endian::little);

[[noreturn]] void fail(const std::string& origin, const std::string& problem) {
  throw Error(ErrorKind::BadInput, fmt::format("{}: {}", origin, problem));
}

void append(std::string& bytes, std::uint64_t number, std::size_t width) {
  bytes.append(reinterpret_cast<const char*>(&number), width);
}

/// Numbers in typed fields take as many bytes as they need, half floats as the integer of their
/// bits.
std::string from_varints(std::string_view packed, std::size_t width, std::size_t expected) {
  std::string bytes;
  bytes.reserve(expected);
  const char* at = packed.data();
  const char* const end = at + packed.size();
  while (at != end) append(bytes, protozero::decode_varint(&at, end), width);
  return bytes;
}

}  // namespace

StoredTensor read_tensor_file(std::string_view bytes, const std::string& origin) try {
  StoredTensor tensor = read_tensor(Message(bytes));
  if (tensor.type == DataType::Undefined)
    fail(origin, "this is not an ONNX tensor: it has no element type");
  (void)tensor.bytes();  // Throws for dimensions whose product is beyond 64 bits.
  return tensor;
} catch (const protozero::exception&) {
  fail(origin, "this is not an ONNX tensor, or it is cut short");
} catch (const Error& error) {
  const std::string_view problem = error.what();
  if (problem.starts_with(origin)) throw;
  fail(origin, fmt::format("this is not an ONNX tensor: {}", problem));
}

std::string_view raw_elements(const StoredTensor& tensor, std::string& made,
                              const std::string& origin) try {
  const int bits = bits_of(tensor.type).value_or(0);
  if (bits == 0 || bits % 8 != 0) {
    fail(origin, fmt::format("holds elements of type {}, which cannot be read from a file",
                             name_of(tensor.type)));
  }
  const auto width = static_cast<std::size_t>(bits) / 8;
  const auto count = static_cast<std::size_t>(elements_of(tensor.dims).value());
  const std::size_t expected = count * width;
  const bool fixed_width = tensor.type == DataType::Float32 || tensor.type == DataType::Float64;
  std::string_view elements = tensor.raw;
  if (elements.empty() && fixed_width) {
    elements = tensor.packed;
  } else if (elements.empty()) {
    made = from_varints(tensor.packed, width, std::min(expected, tensor.packed.size() * width));
    for (const std::int64_t number : tensor.unpacked)
      append(made, static_cast<std::uint64_t>(number), width);
    elements = made;
  }
  if (elements.empty() && expected > 0)
    fail(origin, "this ONNX tensor has no elements; sequences and optional values cannot be read");
  if (elements.size() != expected) {
    fail(origin, fmt::format("{} of {} need {} bytes, but {} are there", name_of(tensor.type),
                             to_string(tensor.dims), expected, elements.size()));
  }
  return elements;
} catch (const protozero::exception&) {
  fail(origin, "the numbers of this ONNX tensor are damaged");
}

}  // namespace jouletree::model::onnx
