#include "runtime/onnxruntime/tensor_copy.hpp"

#include <cstring>
#include <vector>

#include "runtime/onnxruntime/element_width.hpp"

namespace jouletree::runtime::onnxruntime {

std::optional<Ort::Value> copy_of(const Ort::Value& value) {
  if (!value.IsTensor()) return std::nullopt;
  const auto info = value.GetTensorTypeAndShapeInfo();
  const ONNXTensorElementDataType type = info.GetElementType();
  const std::size_t width = width_of(type);
  if (width == 0) return std::nullopt;
  const std::vector<std::int64_t> dims = info.GetShape();
  Ort::AllocatorWithDefaultOptions allocator;
  Ort::Value copy = Ort::Value::CreateTensor(allocator, dims.data(), dims.size(), type);
  std::memcpy(copy.GetTensorMutableRawData(), value.GetTensorRawData(),
              info.GetElementCount() * width);
  return copy;
}

}  // namespace jouletree::runtime::onnxruntime
