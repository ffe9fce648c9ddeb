#include "runtime/onnxruntime/input_data.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <functional>
#include <random>
#include <stdexcept>

#include "runtime/onnxruntime/element_width.hpp"

namespace jouletree::runtime::onnxruntime {
namespace {

using Json = nlohmann::json;

/// Not std::uniform_*_distribution: its results differ between standard libraries.
class Numbers {
 public:
  Numbers(const Json& description, std::uint64_t seed)
      : random_(seed), low_(description.value("low", -1.0)), high_(description.value("high", 1.0)) {
    if (const auto given = description.find("values"); given != description.end())
      values_ = given->get<std::vector<double>>();
  }

  double next(bool whole) {
    if (!values_.empty()) return values_[at_++ % values_.size()];
    const double part = static_cast<double>(random_() >> 11U) * 0x1.0p-53;
    if (!whole) return low_ + part * (high_ - low_);
    return std::floor(low_ + part * (high_ - low_ + 1));
  }

 private:
  std::mt19937_64 random_;
  double low_;
  double high_;
  std::vector<double> values_;
  std::size_t at_ = 0;
};

template <class T>
void fill(Ort::Value& tensor, std::size_t count, Numbers& numbers, bool whole) {
  T* data = tensor.GetTensorMutableData<T>();
  for (std::size_t i = 0; i < count; ++i) data[i] = static_cast<T>(numbers.next(whole));
}

template <class T>
void fill_half(Ort::Value& tensor, std::size_t count, Numbers& numbers) {
  T* data = tensor.GetTensorMutableData<T>();
  for (std::size_t i = 0; i < count; ++i) data[i] = T(static_cast<float>(numbers.next(false)));
}

/// Read, not mapped: an input in memory of its own is what a program that runs the model has.
void read_from_file(Ort::Value& tensor, std::size_t count, ONNXTensorElementDataType type,
                    const Json& description) {
  const std::size_t width = width_of(type);
  if (width == 0) {
    throw std::runtime_error("inputs of element type " + std::to_string(type) +
                             " cannot be read from a file");
  }
  const auto path = description.at("file").get<std::string>();
  std::ifstream file(path, std::ios::binary);
  file.seekg(description.at("offset").get<std::int64_t>());
  const auto dims = description.at("dims").get<std::vector<std::int64_t>>();
  const auto rows = static_cast<std::size_t>(dims.empty() ? 1 : dims[0]);
  const std::size_t row_bytes = rows == 0 ? 0 : count * width / rows;
  const auto read_rows = std::min(rows, description.value("rows", rows));
  auto* const bytes = static_cast<char*>(tensor.GetTensorMutableRawData());
  file.read(bytes, static_cast<std::streamsize>(read_rows * row_bytes));
  for (std::size_t row = read_rows; row > 0 && row < rows; ++row)
    std::memcpy(bytes + row * row_bytes, bytes + (row - 1) * row_bytes, row_bytes);
  if (!file) throw std::runtime_error("cannot read an input from " + path);
}

}  // namespace

Ort::Value make_tensor(const Json& description, std::uint64_t seed) {
  const auto dims = description.at("dims").get<std::vector<std::int64_t>>();
  const auto type = static_cast<ONNXTensorElementDataType>(description.at("type").get<int>());
  Ort::AllocatorWithDefaultOptions allocator;
  Ort::Value tensor = Ort::Value::CreateTensor(allocator, dims.data(), dims.size(), type);
  std::size_t count = 1;
  for (const std::int64_t dim : dims) count *= static_cast<std::size_t>(dim);
  if (description.contains("file")) {
    read_from_file(tensor, count, type, description);
    return tensor;
  }
  Numbers numbers(description, seed);
  switch (type) {
    case ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT: fill<float>(tensor, count, numbers, false); break;
    case ONNX_TENSOR_ELEMENT_DATA_TYPE_DOUBLE: fill<double>(tensor, count, numbers, false); break;
    case ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT16:
      fill_half<Ort::Float16_t>(tensor, count, numbers);
      break;
    case ONNX_TENSOR_ELEMENT_DATA_TYPE_BFLOAT16:
      fill_half<Ort::BFloat16_t>(tensor, count, numbers);
      break;
    case ONNX_TENSOR_ELEMENT_DATA_TYPE_INT8: fill<std::int8_t>(tensor, count, numbers, true); break;
    case ONNX_TENSOR_ELEMENT_DATA_TYPE_UINT8:
      fill<std::uint8_t>(tensor, count, numbers, true);
      break;
    case ONNX_TENSOR_ELEMENT_DATA_TYPE_INT16:
      fill<std::int16_t>(tensor, count, numbers, true);
      break;
    case ONNX_TENSOR_ELEMENT_DATA_TYPE_UINT16:
      fill<std::uint16_t>(tensor, count, numbers, true);
      break;
    case ONNX_TENSOR_ELEMENT_DATA_TYPE_INT32:
      fill<std::int32_t>(tensor, count, numbers, true);
      break;
    case ONNX_TENSOR_ELEMENT_DATA_TYPE_UINT32:
      fill<std::uint32_t>(tensor, count, numbers, true);
      break;
    case ONNX_TENSOR_ELEMENT_DATA_TYPE_INT64:
      fill<std::int64_t>(tensor, count, numbers, true);
      break;
    case ONNX_TENSOR_ELEMENT_DATA_TYPE_UINT64:
      fill<std::uint64_t>(tensor, count, numbers, true);
      break;
    case ONNX_TENSOR_ELEMENT_DATA_TYPE_BOOL: fill<bool>(tensor, count, numbers, true); break;
    default:
      throw std::runtime_error("inputs of element type " + std::to_string(type) +
                               " cannot be made up; give them as files");
  }
  return tensor;
}

}  // namespace jouletree::runtime::onnxruntime
