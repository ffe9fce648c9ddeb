#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "engine_inputs.hpp"
#include "model/onnx/onnx_builder.hpp"

namespace jouletree::test {

/// Whether operators read and write the inputs and outputs of the model themselves, or memory of
/// the engine's own, see memory_watch.hpp.
enum class Feeding { Direct, Watched };

/// A small model around one operator. Inputs and outputs are added in the order of the operator;
/// node() closes the list and returns the node, whose attributes may then be set.
class OperatorModel {
 public:
  /// The opset is that of the operator's domain; "" is the standard domain.
  OperatorModel(std::string_view domain, std::string_view op, int opset, std::string_view variant,
                Feeding feeding = Feeding::Direct);

  /// Fed with random elements.
  OperatorModel& input(const Dims& dims, DataType type = DataType::Float32);
  /// Fed with these elements, or with one in every place.
  OperatorModel& input(const Dims& dims, DataType type, const std::vector<double>& elements);
  /// An int64 list that is fed.
  OperatorModel& list(const std::vector<double>& elements);
  /// An initializer with one number in every place; types below a byte take zero only.
  OperatorModel& constant(const Dims& dims, DataType type = DataType::Float32, int element = 0);
  OperatorModel& absent_input();
  OperatorModel& output(DataType type = DataType::Float32);
  OperatorModel& absent_output();
  model::OnnxNode& node();

  /// For models that need further nodes. Inputs are named "x0", "x1", ..., outputs "y0", ...
  [[nodiscard]] model::OnnxBuilder& builder() { return builder_; }
  /// The operator and what is special about the model.
  [[nodiscard]] const std::string& title() const { return title_; }
  [[nodiscard]] const std::string& domain() const { return domain_; }
  [[nodiscard]] const std::string& op() const { return op_; }
  [[nodiscard]] std::string bytes() const { return builder_.model_bytes(); }
  [[nodiscard]] const InputRequest& request() const { return request_; }

 private:
  std::string next_input();
  void watch(const std::string& from, const std::string& to, DataType type, std::int64_t place);

  std::string title_;
  std::string domain_;
  std::string op_;
  Feeding feeding_;
  model::OnnxBuilder builder_;
  InputRequest request_;
  std::vector<std::string> inputs_;
  std::vector<std::string> outputs_;
};

/// The models that are compared. References stay valid while models are added.
class OperatorModels {
 public:
  explicit OperatorModels(Feeding feeding) : feeding_(feeding) {}

  OperatorModel& standard(std::string_view op, int opset, std::string_view variant = {});
  OperatorModel& microsoft(std::string_view op, std::string_view variant = {});
  OperatorModel& classical(std::string_view op, std::string_view variant = {});

  [[nodiscard]] const std::deque<OperatorModel>& all() const { return models_; }

 private:
  Feeding feeding_;
  std::deque<OperatorModel> models_;
};

void add_attention_models(OperatorModels& models);
void add_classical_models(OperatorModels& models);
void add_corner_models(OperatorModels& models);
void add_control_flow_models(OperatorModels& models);
void add_fused_models(OperatorModels& models);
void add_layout_models(OperatorModels& models);
void add_quantized_models(OperatorModels& models);
void add_window_models(OperatorModels& models);

/// Operators that the engine runs and that the test suite of ONNX 1.12 lacks, or has in old forms
/// only. Left out, as of ONNX Runtime 1.30 on the CPU:
/// - replaced by their body before they run: Bernoulli, CenterCropPad, GroupNormalization,
/// HardSwish,
///   Mish, SequenceMap, Swish;
/// - without a kernel: BiasAdd, QLinearReduceMean, Rfft, packed inputs of MultiHeadAttention, a
///   growing past of DecoderMaskedMultiHeadAttention;
/// - not possible here: SparseAttention writes to the memory of its inputs, the text generation
///   operators run whole decoders, string operators need strings to be fed.
[[nodiscard]] OperatorModels operator_models(Feeding feeding = Feeding::Direct);

}  // namespace jouletree::test
