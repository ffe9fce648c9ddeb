#include "operator_models.hpp"

#include <cstring>
#include <stdexcept>

#include "jouletree/value_type.hpp"
#include "memory_watch.hpp"

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

std::string fed_name(const std::string& input) { return input + "_fed"; }

}  // namespace

OperatorModel::OperatorModel(std::string_view domain, std::string_view op, int opset,
                             std::string_view variant, Feeding feeding)
    : title_(op),
      domain_(domain),
      op_(op),
      feeding_(feeding),
      builder_(domain.empty() ? opset : kOpsetBesideOthers) {
  if (!variant.empty()) title_ += " (" + std::string(variant) + ")";
  if (!domain.empty()) builder_.import_domain(domain, opset);
  if (feeding == Feeding::Watched) builder_.import_domain(kWatchDomain, 1);
}

void OperatorModel::watch(const std::string& from, const std::string& to, DataType type,
                          std::int64_t place) {
  builder_.node(watching_op(type), {from}, {to}).domain(kWatchDomain).integer(kWatchedPlace, place);
}

std::string OperatorModel::next_input() {
  return inputs_.emplace_back("x" + std::to_string(inputs_.size()));
}

OperatorModel& OperatorModel::input(const Dims& dims, DataType type) {
  const std::string name = next_input();
  if (feeding_ == Feeding::Direct) {
    builder_.input(name, type, dims);
  } else {
    builder_.input(fed_name(name), type, dims).value_info(name, type, dims);
    watch(fed_name(name), name, type, static_cast<std::int64_t>(inputs_.size()) - 1);
  }
  return *this;
}

OperatorModel& OperatorModel::input(const Dims& dims, DataType type,
                                    const std::vector<double>& elements) {
  input(dims, type);
  const std::string& name = inputs_.back();
  request_.values[feeding_ == Feeding::Direct ? name : fed_name(name)] = elements;
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
  const std::string name = outputs_.emplace_back("y" + std::to_string(outputs_.size()));
  if (feeding_ == Feeding::Direct) {
    builder_.output(name, type);
  } else {
    watch(name, name + "_seen", type, -static_cast<std::int64_t>(outputs_.size()));
    builder_.output(name + "_seen", type);
  }
  return *this;
}

OperatorModel& OperatorModel::absent_output() {
  outputs_.emplace_back();
  return *this;
}

model::OnnxNode& OperatorModel::node() {
  model::OnnxNode& node = builder_.node(op_, inputs_, outputs_);
  return domain_.empty() ? node : node.domain(domain_);
}

OperatorModel& OperatorModels::standard(std::string_view op, int opset, std::string_view variant) {
  return models_.emplace_back("", op, opset, variant, feeding_);
}

OperatorModel& OperatorModels::microsoft(std::string_view op, std::string_view variant) {
  return models_.emplace_back("com.microsoft", op, 1, variant, feeding_);
}

OperatorModel& OperatorModels::classical(std::string_view op, std::string_view variant) {
  return models_.emplace_back("ai.onnx.ml", op, kClassicalOpset, variant, feeding_);
}

OperatorModels operator_models(Feeding feeding) {
  OperatorModels models(feeding);
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
