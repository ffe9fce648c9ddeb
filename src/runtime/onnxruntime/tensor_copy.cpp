#include "runtime/onnxruntime/tensor_copy.hpp"

#include <cstring>
#include <stdexcept>
#include <string>
#include <vector>

namespace jouletree::onnxruntime {
namespace {

std::size_t element_bytes(ONNXTensorElementDataType type) {
  switch (type) {
    case ONNX_TENSOR_ELEMENT_DATA_TYPE_BOOL:
    case ONNX_TENSOR_ELEMENT_DATA_TYPE_INT8:
    case ONNX_TENSOR_ELEMENT_DATA_TYPE_UINT8: return 1;
    case ONNX_TENSOR_ELEMENT_DATA_TYPE_INT16:
    case ONNX_TENSOR_ELEMENT_DATA_TYPE_UINT16:
    case ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT16:
    case ONNX_TENSOR_ELEMENT_DATA_TYPE_BFLOAT16: return 2;
    case ONNX_TENSOR_ELEMENT_DATA_TYPE_INT32:
    case ONNX_TENSOR_ELEMENT_DATA_TYPE_UINT32:
    case ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT: return 4;
    case ONNX_TENSOR_ELEMENT_DATA_TYPE_INT64:
    case ONNX_TENSOR_ELEMENT_DATA_TYPE_UINT64:
    case ONNX_TENSOR_ELEMENT_DATA_TYPE_DOUBLE: return 8;
    default:
      throw std::runtime_error("a tensor of element type " + std::to_string(type) +
                               " cannot be copied");
  }
}

}  // namespace

Ort::Value copy_of(const Ort::Value& value) {
  if (!value.IsTensor()) throw std::runtime_error("a value that is no tensor cannot be copied");
  const auto info = value.GetTensorTypeAndShapeInfo();
  const ONNXTensorElementDataType type = info.GetElementType();
  const std::size_t bytes = info.GetElementCount() * element_bytes(type);
  const std::vector<std::int64_t> dims = info.GetShape();
  Ort::AllocatorWithDefaultOptions allocator;
  Ort::Value copy = Ort::Value::CreateTensor(allocator, dims.data(), dims.size(), type);
  std::memcpy(copy.GetTensorMutableRawData(), value.GetTensorRawData(), bytes);
  return copy;
}

}  // namespace jouletree::onnxruntime
