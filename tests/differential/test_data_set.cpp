// Reads the input_<k>.pb files (serialised TensorProto) that ONNX ships with its test models.
#include <algorithm>
#include <functional>
#include <numeric>
#include <stdexcept>

#include <protozero/pbf_reader.hpp>

#include "engine_inputs.hpp"
#include "graph_inputs.hpp"

namespace jouletree::test {
namespace {

namespace fs = std::filesystem;

std::size_t element_bytes(int onnx_type) {
  switch (onnx_type) {
    case 2:
    case 3:
    case 9: return 1;
    case 4:
    case 5:
    case 10:
    case 16: return 2;
    case 1:
    case 6:
    case 12: return 4;
    case 7:
    case 11:
    case 13: return 8;
    default:
      throw std::runtime_error("element type " + std::to_string(onnx_type) + " is not supported");
  }
}

// The typed fields hold narrow types in wider numbers. Machines here are little-endian, so the low
// bytes are the value.
template <typename Range>
void append_low_bytes(const Range& numbers, std::size_t width, std::vector<std::byte>& data) {
  for (const auto number : numbers) {
    const auto* const bytes = reinterpret_cast<const std::byte*>(&number);
    data.insert(data.end(), bytes, bytes + std::min(width, sizeof number));
  }
}

// Element type and dims come first in practice, but the format does not promise it.
EngineInput read_header(protozero::pbf_reader tensor) {
  EngineInput input;
  while (tensor.next()) {
    if (tensor.tag() == 1 && tensor.wire_type() == protozero::pbf_wire_type::length_delimited) {
      for (const std::int64_t dim : tensor.get_packed_int64()) input.dims.push_back(dim);
    } else if (tensor.tag() == 1) {
      input.dims.push_back(tensor.get_int64());
    } else if (tensor.tag() == 2) {
      input.onnx_type = tensor.get_int32();
    } else {
      tensor.skip();
    }
  }
  return input;
}

EngineInput read_tensor(protozero::pbf_reader tensor) {
  EngineInput input = read_header(tensor);
  const std::size_t width = element_bytes(input.onnx_type);
  while (tensor.next()) {
    switch (tensor.tag()) {
      case 4: append_low_bytes(tensor.get_packed_float(), width, input.data); break;
      case 5: append_low_bytes(tensor.get_packed_int32(), width, input.data); break;
      case 7: append_low_bytes(tensor.get_packed_int64(), width, input.data); break;
      case 9: {
        const protozero::data_view raw = tensor.get_view();
        const auto* const bytes = reinterpret_cast<const std::byte*>(raw.data());
        input.data.assign(bytes, bytes + raw.size());
        break;
      }
      case 10: append_low_bytes(tensor.get_packed_double(), width, input.data); break;
      case 11: append_low_bytes(tensor.get_packed_uint64(), width, input.data); break;
      default: tensor.skip();
    }
  }
  const auto count = static_cast<std::size_t>(
      std::accumulate(input.dims.begin(), input.dims.end(), std::int64_t{1}, std::multiplies<>()));
  if (input.data.size() != count * width) throw std::runtime_error("its shape and data disagree");
  return input;
}

EngineInput read_file(const fs::path& file, const DeclaredInput& declared) {
  try {
    if (declared.kind != "tensor") throw std::runtime_error("it is a " + declared.kind);
    const std::string bytes = read_bytes(file);
    EngineInput input = read_tensor(protozero::pbf_reader(bytes));
    input.name = declared.name;
    // ONNX's own test data carries bfloat16 as uint16, because numpy lacks the type.
    if (declared.onnx_type == 16 && input.onnx_type == 4) input.onnx_type = 16;
    return input;
  } catch (const std::exception& error) {
    throw std::runtime_error("input " + declared.name + " in " + file.string() + ": " +
                             error.what());
  }
}

}  // namespace

std::vector<EngineInput> read_test_data_set(const fs::path& model, const fs::path& folder) {
  std::vector<EngineInput> inputs;
  const std::vector<DeclaredInput> declared = read_graph_inputs(model);
  for (std::size_t k = 0; k < declared.size(); ++k) {
    inputs.push_back(read_file(folder / ("input_" + std::to_string(k) + ".pb"), declared[k]));
  }
  return inputs;
}

}  // namespace jouletree::test
