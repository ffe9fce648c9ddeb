#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include <ATen/core/ivalue.h>
#include <ATen/record_function.h>
#include <nlohmann/json.hpp>

namespace jouletree::runtime::libtorch {

using Json = nlohmann::json;

/// Gives tensors numbers and describes values. A number is never used twice, although the memory of
/// tensors is: the recorder holds on to their headers, not to their data.
class ValueDescriber {
 public:
  /// [number, type, dims, storage]; null for an undefined tensor.
  [[nodiscard]] Json tensor(const at::Tensor& tensor);
  /// Numbers, texts and lists as they are, tensors as {"tensor": …}, packed weights as
  /// {"packed": …} with what they were packed from.
  [[nodiscard]] Json value(const c10::IValue& value);

 private:
  [[nodiscard]] Json packed(const c10::IValue& value);

  using Header = c10::weak_intrusive_ptr<c10::TensorImpl, c10::UndefinedTensorImpl>;
  std::unordered_map<const c10::TensorImpl*, std::uint64_t> numbers_;
  std::vector<Header> headers_;
  std::unordered_map<const void*, Json> packed_;
};

/// Records every ATen call of this thread while it lives, calls inside calls included.
class CallRecorder {
 public:
  explicit CallRecorder(ValueDescriber& describer);
  CallRecorder(const CallRecorder&) = delete;
  CallRecorder& operator=(const CallRecorder&) = delete;
  ~CallRecorder();

  /// The outermost calls in the order in which they began.
  [[nodiscard]] Json take_calls() { return std::move(calls_); }

 private:
  static std::unique_ptr<at::ObserverContext> on_begin(const at::RecordFunction& function);
  static void on_end(const at::RecordFunction& function, at::ObserverContext* context);

  void begin(const at::RecordFunction& function);
  void end(const at::RecordFunction& function);

  ValueDescriber& describer_;
  Json calls_ = Json::array();
  std::vector<Json> open_;
  bool paused_ = false;  ///< Describing a value may call ATen itself.
  at::CallbackHandle handle_ = 0;
};

}  // namespace jouletree::runtime::libtorch
