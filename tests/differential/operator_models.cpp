#include "operator_models.hpp"

#include <cstring>
#include <stdexcept>

#include "jouletree/value_type.hpp"

namespace jouletree::test {
namespace {

constexpr int kOpsetBesideOthers = 21;
constexpr int kClassicalOpset = 3;

template <class T>
std::string repeat(int element, std::int64_t count) {
  const std::vector<T> elements(static_cast<std::size_t>(count), static_cast<T>(element));
  std::string bytes(elements.size() * sizeof(T), '\0');
  if (!bytes.empty()) std::memcpy(bytes.data(), elements.data(), bytes.size());
  return bytes;
}

std::string repeat(DataType type, int element, std::int64_t count) {
  switch (type) {
    case DataType::Float32: return repeat<float>(element, count);
    case DataType::Int8: return repeat<std::int8_t>(element, count);
    case DataType::UInt8: return repeat<std::uint8_t>(element, count);
    case DataType::Int32: return repeat<std::int32_t>(element, count);
    case DataType::Int64: return repeat<std::int64_t>(element, count);
    default: throw std::logic_error("constants of this type can only be zero");
  }
}

}  // namespace

OperatorModel::OperatorModel(std::string_view domain, std::string_view op, int opset,
                             std::string_view variant)
    : title_(op), domain_(domain), op_(op), builder_(domain.empty() ? opset : kOpsetBesideOthers) {
  if (!variant.empty()) title_ += " (" + std::string(variant) + ")";
  if (!domain.empty()) builder_.import_domain(domain, opset);
}

std::string OperatorModel::next_input() {
  return inputs_.emplace_back("x" + std::to_string(inputs_.size()));
}

OperatorModel& OperatorModel::input(const Dims& dims, DataType type) {
  builder_.input(next_input(), type, dims);
  return *this;
}

OperatorModel& OperatorModel::input(const Dims& dims, DataType type,
                                    const std::vector<double>& elements) {
  input(dims, type);
  request_.values[inputs_.back()] = elements;
  return *this;
}

OperatorModel& OperatorModel::list(const std::vector<double>& elements) {
  return input({static_cast<Dim>(elements.size())}, DataType::Int64, elements);
}

OperatorModel& OperatorModel::constant(const Dims& dims, DataType type, int element) {
  const std::string name = next_input();
  if (element == 0) {
    builder_.initializer(name, type, dims);
  } else {
    builder_.initializer(name, type, dims, repeat(type, element, elements_of(dims).value()));
  }
  return *this;
}

OperatorModel& OperatorModel::absent_input() {
  inputs_.emplace_back();
  return *this;
}

OperatorModel& OperatorModel::output(DataType type) {
  builder_.output(outputs_.emplace_back("y" + std::to_string(outputs_.size())), type);
  return *this;
}

OperatorModel& OperatorModel::absent_output() {
  outputs_.emplace_back();
  return *this;
}

OnnxNode& OperatorModel::node() {
  OnnxNode& node = builder_.node(op_, inputs_, outputs_);
  return domain_.empty() ? node : node.domain(domain_);
}

OperatorModel& OperatorModels::standard(std::string_view op, int opset, std::string_view variant) {
  return models_.emplace_back("", op, opset, variant);
}

OperatorModel& OperatorModels::microsoft(std::string_view op, std::string_view variant) {
  return models_.emplace_back("com.microsoft", op, 1, variant);
}

OperatorModel& OperatorModels::classical(std::string_view op, std::string_view variant) {
  return models_.emplace_back("ai.onnx.ml", op, kClassicalOpset, variant);
}

OperatorModels operator_models() {
  OperatorModels models;
  add_attention_models(models);
  add_classical_models(models);
  add_control_flow_models(models);
  add_corner_models(models);
  add_fused_models(models);
  add_layout_models(models);
  add_quantized_models(models);
  add_window_models(models);
  return models;
}

}  // namespace jouletree::test
