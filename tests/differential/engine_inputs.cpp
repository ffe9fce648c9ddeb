#include "engine_inputs.hpp"

#include <algorithm>
#include <bit>
#include <fstream>
#include <functional>
#include <numeric>
#include <random>
#include <stdexcept>

#include "graph_inputs.hpp"

namespace jouletree::test {
namespace {

using Random = std::mt19937;

template <typename T>
void append(std::vector<std::byte>& data, double number) {
  const auto value = static_cast<T>(number);
  const auto* const bytes = reinterpret_cast<const std::byte*>(&value);
  data.insert(data.end(), bytes, bytes + sizeof value);
}

// Truncates: good enough for test data, and exact for the small integers that tests ask for.
std::uint16_t half_bits(double number) {
  const auto bits = std::bit_cast<std::uint32_t>(static_cast<float>(number));
  const std::uint32_t sign = (bits >> 16U) & 0x8000U;
  const auto exponent = static_cast<int>((bits >> 23U) & 0xFFU) - 127 + 15;
  if (exponent <= 0) return static_cast<std::uint16_t>(sign);
  if (exponent >= 31) return static_cast<std::uint16_t>(sign | 0x7C00U);
  const std::uint32_t mantissa = (bits >> 13U) & 0x3FFU;
  return static_cast<std::uint16_t>(sign | (static_cast<unsigned>(exponent) << 10U) | mantissa);
}

std::uint16_t bfloat16_bits(double number) {
  return static_cast<std::uint16_t>(std::bit_cast<std::uint32_t>(static_cast<float>(number)) >>
                                    16U);
}

void append_element(std::vector<std::byte>& data, int onnx_type, double number) {
  switch (onnx_type) {
    case 1: return append<float>(data, number);
    case 2: return append<std::uint8_t>(data, number);
    case 3: return append<std::int8_t>(data, number);
    case 4: return append<std::uint16_t>(data, number);
    case 5: return append<std::int16_t>(data, number);
    case 6: return append<std::int32_t>(data, number);
    case 7: return append<std::int64_t>(data, number);
    case 9: return append<std::uint8_t>(data, number != 0 ? 1 : 0);
    case 10: return append<std::uint16_t>(data, half_bits(number));
    case 11: return append<double>(data, number);
    case 12: return append<std::uint32_t>(data, number);
    case 13: return append<std::uint64_t>(data, number);
    case 16: return append<std::uint16_t>(data, bfloat16_bits(number));
    default:
      throw std::runtime_error("element type " + std::to_string(onnx_type) + " is not supported");
  }
}

bool is_float(int onnx_type) {
  return onnx_type == 1 || onnx_type == 10 || onnx_type == 11 || onnx_type == 16;
}

// Not std::uniform_*_distribution: its results differ between standard libraries.
double draw(const DeclaredInput& input, Random& random) {
  const auto bits = static_cast<std::uint32_t>(random());
  if (input.name.ends_with("mask") || input.onnx_type == 9) return 1;
  if (is_float(input.onnx_type)) return bits / 2147483648.0 - 1.0;
  return bits % 10;
}

std::vector<std::int64_t> shape_of(const DeclaredInput& input, const InputRequest& request) {
  if (const auto asked = request.shapes.find(input.name); asked != request.shapes.end()) {
    return asked->second;
  }
  if (!input.has_shape) {
    throw std::runtime_error("input " + input.name + " declares no shape: give it one");
  }
  std::vector<std::int64_t> shape;
  for (const DeclaredDim& dim : input.dims) {
    const auto asked = request.dims.find(dim.symbol);
    if (dim.size >= 0) {
      shape.push_back(dim.size);
    } else if (!dim.symbol.empty() && asked != request.dims.end()) {
      shape.push_back(asked->second);
    } else {
      throw std::runtime_error("input " + input.name + ": dimension '" + dim.symbol +
                               "' has no size: give the dimension or the whole shape");
    }
  }
  return shape;
}

std::size_t element_count(const std::vector<std::int64_t>& dims) {
  return static_cast<std::size_t>(
      std::accumulate(dims.begin(), dims.end(), std::int64_t{1}, std::multiplies<>()));
}

EngineInput make_input(const DeclaredInput& declared, const InputRequest& request, Random& random) {
  if (declared.kind != "tensor") {
    throw std::runtime_error("input " + declared.name + " is of the unsupported kind '" +
                             declared.kind + "'");
  }
  EngineInput input{declared.name, declared.onnx_type, shape_of(declared, request), {}};
  const std::size_t count = element_count(input.dims);
  const auto asked = request.values.find(input.name);
  const bool fixed = asked != request.values.end();
  if (fixed && asked->second.size() != count && asked->second.size() != 1) {
    throw std::runtime_error("input " + input.name + " needs " + std::to_string(count) +
                             " values or one for all, got " + std::to_string(asked->second.size()));
  }
  for (std::size_t i = 0; i < count; ++i) {
    append_element(input.data, input.onnx_type,
                   fixed ? asked->second[i % asked->second.size()] : draw(declared, random));
  }
  return input;
}

// A misspelt name in a test would otherwise silently test something else.
template <typename Map>
void refuse_unknown(const Map& asked, const std::vector<std::string>& known, const char* what) {
  for (const auto& [name, unused] : asked) {
    if (std::find(known.begin(), known.end(), name) == known.end()) {
      throw std::runtime_error(std::string("the model has no ") + what + " named " + name);
    }
  }
}

void check_request(const InputRequest& request, const std::vector<DeclaredInput>& inputs) {
  std::vector<std::string> names;
  std::vector<std::string> symbols;
  for (const DeclaredInput& input : inputs) {
    names.push_back(input.name);
    for (const DeclaredDim& dim : input.dims) symbols.push_back(dim.symbol);
  }
  refuse_unknown(request.shapes, names, "input");
  refuse_unknown(request.values, names, "input");
  refuse_unknown(request.dims, symbols, "symbolic dimension");
}

}  // namespace

std::string read_bytes(const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary);
  if (!stream) throw std::runtime_error("cannot read " + file.string());
  std::string bytes(std::filesystem::file_size(file), '\0');
  stream.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  if (!stream) throw std::runtime_error("cannot read all of " + file.string());
  return bytes;
}

std::vector<EngineInput> random_inputs(const std::filesystem::path& model,
                                       const InputRequest& request, std::uint32_t seed) {
  const std::vector<DeclaredInput> declared = read_graph_inputs(model);
  check_request(request, declared);
  Random random(seed);
  std::vector<EngineInput> inputs;
  inputs.reserve(declared.size());
  for (const DeclaredInput& input : declared) inputs.push_back(make_input(input, request, random));
  return inputs;
}

}  // namespace jouletree::test
