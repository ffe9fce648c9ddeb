#include "runtime/torch/call_recorder.hpp"

#include <cmath>

#include <ATen/core/Tensor.h>
#include <ATen/core/class_type.h>
#include <ATen/core/function.h>
#include <ATen/core/function_schema.h>
#include <torch/csrc/jit/runtime/interpreter.h>

namespace jouletree::runtime::libtorch {
namespace {

thread_local CallRecorder* current = nullptr;

/// Names as JouleTree writes them.
const char* type_name(c10::ScalarType type) {
  switch (type) {
    case c10::ScalarType::Byte:
    case c10::ScalarType::QUInt8: return "uint8";
    case c10::ScalarType::Char:
    case c10::ScalarType::QInt8: return "int8";
    case c10::ScalarType::Short: return "int16";
    case c10::ScalarType::Int:
    case c10::ScalarType::QInt32: return "int32";
    case c10::ScalarType::Long: return "int64";
    case c10::ScalarType::Half: return "float16";
    case c10::ScalarType::Float: return "float32";
    case c10::ScalarType::Double: return "float64";
    case c10::ScalarType::ComplexFloat: return "complex64";
    case c10::ScalarType::ComplexDouble: return "complex128";
    case c10::ScalarType::Bool: return "bool";
    case c10::ScalarType::BFloat16: return "bfloat16";
    default: return "undefined";
  }
}

/// JSON has no infinity.
Json real(double number) {
  if (std::isfinite(number)) return number;
  if (std::isnan(number)) return "nan";
  return number > 0 ? "inf" : "-inf";
}

bool writes(const c10::FunctionSchema& schema) {
  for (const c10::Argument& argument : schema.arguments())
    if (argument.alias_info() != nullptr && argument.alias_info()->isWrite()) return true;
  return false;
}

Json module_path() {
  Json path = Json::array();
  for (const std::string& step : torch::jit::currentModuleHierarchy()) path.push_back(step);
  return path;
}

template <class Values>
void describe_last(const Values& values, std::size_t wanted, ValueDescriber& describer,
                   Json& into) {
  // The interpreter hands over its whole stack; what belongs to the call is on top.
  const std::size_t first = values.size() > wanted ? values.size() - wanted : 0;
  for (std::size_t i = first; i < values.size(); ++i) into.push_back(describer.value(values[i]));
}

}  // namespace

Json ValueDescriber::tensor(const at::Tensor& tensor) {
  if (!tensor.defined()) return nullptr;
  const auto [entry, added] =
      numbers_.try_emplace(tensor.unsafeGetTensorImpl(), numbers_.size() + 1);
  if (added) headers_.emplace_back(tensor.getIntrusivePtr());
  const void* storage = tensor.has_storage() ? tensor.storage().unsafeGetStorageImpl() : nullptr;
  Json dims = Json::array();
  if (tensor.layout() == c10::kStrided || tensor.is_sparse())
    for (const std::int64_t size : tensor.sizes()) dims.push_back(size);
  return {entry->second, type_name(tensor.scalar_type()), std::move(dims),
          reinterpret_cast<std::uintptr_t>(storage)};
}

Json ValueDescriber::packed(const c10::IValue& value) {
  const auto object = value.toObject();
  if (const auto known = packed_.find(object.get()); known != packed_.end()) return known->second;
  const auto* getter = object->type()->findMethod("__getstate__");
  Json described = nullptr;
  if (getter != nullptr) {
    // Calling a method changes nothing that it shows, but LibTorch does not say so.
    auto* method =
        const_cast<torch::jit::Function*>(  // NOLINT(cppcoreguidelines-pro-type-const-cast)
            getter);
    described = Json{{"packed", this->value((*method)({value}))}};
  }
  packed_.emplace(object.get(), described);
  return described;
}

Json ValueDescriber::value(const c10::IValue& value) {
  if (value.isTensor()) return Json{{"tensor", tensor(value.toTensor())}};
  if (value.isInt()) return value.toInt();
  if (value.isDouble()) return real(value.toDouble());
  if (value.isBool()) return value.toBool();
  if (value.isString()) return value.toStringRef();
  if (value.isScalar()) {
    const at::Scalar scalar = value.toScalar();
    return scalar.isIntegral(true) ? Json(scalar.toLong()) : real(scalar.toDouble());
  }
  Json list = Json::array();
  if (value.isList()) {
    for (const c10::IValue& item : value.toListRef()) list.push_back(this->value(item));
    return list;
  }
  if (value.isTuple()) {
    for (const c10::IValue& item : value.toTupleRef().elements()) list.push_back(this->value(item));
    return list;
  }
  if (value.isGenericDict()) {
    for (const auto& entry : value.toGenericDict()) list.push_back(this->value(entry.value()));
    return list;
  }
  if (value.isObject()) return packed(value);
  return nullptr;
}

CallRecorder::CallRecorder(ValueDescriber& describer) : describer_(describer) {
  current = this;
  handle_ = at::addThreadLocalCallback(at::RecordFunctionCallback(&on_begin, &on_end)
                                           .needsInputs(true)
                                           .needsOutputs(true)
                                           .scopes({at::RecordScope::FUNCTION}));
}

CallRecorder::~CallRecorder() {
  at::removeCallback(handle_);
  current = nullptr;
}

std::unique_ptr<at::ObserverContext> CallRecorder::on_begin(const at::RecordFunction& function) {
  if (current != nullptr) current->begin(function);
  return nullptr;
}

void CallRecorder::on_end(const at::RecordFunction& function, at::ObserverContext* /*context*/) {
  if (current != nullptr) current->end(function);
}

void CallRecorder::begin(const at::RecordFunction& function) {
  if (paused_) return;
  paused_ = true;
  Json call{{"op", function.name()}, {"args", Json::array()}};
  if (const auto schema = function.operator_schema()) {
    call["writes"] = writes(*schema);
    describe_last(function.inputs(), schema->arguments().size(), describer_, call["args"]);
  }
  if (open_.empty()) call["path"] = module_path();
  open_.push_back(std::move(call));
  paused_ = false;
}

void CallRecorder::end(const at::RecordFunction& function) {
  if (paused_ || open_.empty()) return;
  paused_ = true;
  Json call = std::move(open_.back());
  open_.pop_back();
  Json outputs = Json::array();
  if (const auto schema = function.operator_schema())
    describe_last(function.outputs(), schema->returns().size(), describer_, outputs);
  call["outputs"] = std::move(outputs);
  Json& siblings = open_.empty() ? calls_ : open_.back()["inner"];
  siblings.push_back(std::move(call));
  paused_ = false;
}

}  // namespace jouletree::runtime::libtorch
