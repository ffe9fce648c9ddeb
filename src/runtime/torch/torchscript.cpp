#include "runtime/torch/torchscript.hpp"

#include <algorithm>
#include <optional>
#include <stdexcept>

#include <ATen/Context.h>
#include <ATen/Functions.h>
#include <torch/csrc/jit/passes/inliner.h>
#include <torch/csrc/jit/runtime/graph_executor.h>
#include <torch/csrc/jit/runtime/jit_exception.h>
#include <torch/csrc/jit/serialization/import.h>
#include <torch/version.h>

#include "runtime/torch/call_recorder.hpp"

namespace jouletree::runtime::libtorch {
namespace {

/// What the user can mend.
struct RequestError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

Json error_answer(const char* kind, const std::string& text) {
  return {{"error", {{"kind", kind}, {"text", text}}}};
}

/// The interpreter prints pages of its own stack; the reason stands in the last part of them.
std::string reason_in(const std::string& text) {
  static const std::string marks[] = {"RuntimeError: ", "Error: "};
  std::string reason = text;
  for (const std::string& mark : marks) {
    if (const auto at = reason.rfind(mark); at != std::string::npos) {
      reason = reason.substr(at + mark.size());
      break;
    }
  }
  std::string line;
  for (const char c : reason) {
    if (c == '\n' && !line.empty()) break;
    if (c != '\n') line += c;
  }
  // PyTorch asks for reports of bad messages; the reader cannot do anything about that.
  line = line.substr(0, line.find("  (Could this error message be improved?"));
  return line.empty() ? text : line;
}

c10::ScalarType scalar_type(const std::string& name) {
  static const std::pair<const char*, c10::ScalarType> types[] = {
      {"uint8", c10::kByte},       {"int8", c10::kChar},      {"int16", c10::kShort},
      {"int32", c10::kInt},        {"int64", c10::kLong},     {"float16", c10::kHalf},
      {"float32", c10::kFloat},    {"float64", c10::kDouble}, {"bool", c10::kBool},
      {"bfloat16", c10::kBFloat16}};
  for (const auto& [known, type] : types)
    if (name == known) return type;
  throw RequestError("LibTorch has no inputs of type " + name);
}

/// Inputs of the model as the request describes them.
class InputMaker {
 public:
  explicit InputMaker(const Json& request)
      : shapes_(request.at("shapes")), types_(request.at("types")), values_(request.at("values")) {}

  [[nodiscard]] std::vector<c10::IValue> make(const c10::FunctionSchema& schema) {
    std::vector<c10::IValue> inputs;
    for (const c10::Argument& argument : schema.arguments()) {
      if (argument.name() == "self") continue;
      inputs.push_back(make(argument.name(), argument.type(), argument.default_value()));
    }
    if (!missing_.empty()) throw RequestError(missing_text());
    return inputs;
  }

  /// Tensors and numbers that the request gave, by name.
  [[nodiscard]] const std::vector<std::pair<std::string, c10::IValue>>& named() const {
    return named_;
  }

 private:
  c10::IValue make(const std::string& name, const c10::TypePtr& type,
                   const c10::optional<c10::IValue>& fallback) {
    if (type->kind() == c10::TypeKind::TensorType && (shapes_.contains(name) || !fallback))
      return make_tensor(name);
    if (const auto optional = type->cast<c10::OptionalType>()) {
      if (is_named(name)) return make(name, optional->getElementType(), c10::nullopt);
      return fallback ? *fallback : c10::IValue();
    }
    if (const auto list = type->cast<c10::ListType>(); list && is_named(name + ".0"))
      return make_list(name, *list);
    if (const auto tuple = type->cast<c10::TupleType>()) return make_tuple(name, *tuple);
    if (values_.contains(name)) {
      named_.emplace_back(name, make_number(name, type));
      return named_.back().second;
    }
    if (fallback) return *fallback;
    missing_.emplace_back(name, type->annotation_str());
    return {};
  }

  [[nodiscard]] bool is_named(const std::string& name) const {
    return shapes_.contains(name) || values_.contains(name) || shapes_.contains(name + ".0");
  }

  c10::IValue make_tensor(const std::string& name) {
    if (!shapes_.contains(name)) {
      missing_.emplace_back(name, "Tensor");
      return at::Tensor();
    }
    const auto dims = shapes_.at(name).get<std::vector<std::int64_t>>();
    const c10::ScalarType type = scalar_type(types_.value(name, "float32"));
    at::Tensor tensor;
    if (c10::isFloatingType(type)) {
      tensor = at::rand(dims, at::kFloat).to(type);
    } else {
      // Index 0 is in every vocabulary.
      tensor = at::zeros(dims, type);
    }
    if (values_.contains(name)) {
      const auto numbers = values_.at(name).get<std::vector<double>>();
      if (numbers.size() != 1 && static_cast<std::int64_t>(numbers.size()) != tensor.numel())
        throw RequestError("input '" + name + "' cannot hold the values given");
      const at::Tensor given = at::tensor(numbers, at::kDouble).to(type);
      tensor.copy_(numbers.size() == 1 ? given.expand(dims) : given.reshape(dims));
    }
    named_.emplace_back(name, tensor);
    return tensor;
  }

  c10::IValue make_number(const std::string& name, const c10::TypePtr& type) {
    const double number = values_.at(name).at(0).get<double>();
    switch (type->kind()) {
      case c10::TypeKind::IntType: return static_cast<std::int64_t>(number);
      case c10::TypeKind::BoolType: return number != 0;
      case c10::TypeKind::FloatType: return number;
      default: throw RequestError("argument '" + name + "' is a " + type->annotation_str());
    }
  }

  c10::IValue make_list(const std::string& name, const c10::ListType& type) {
    c10::impl::GenericList list(type.getElementType());
    for (int i = 0; is_named(name + "." + std::to_string(i)); ++i)
      list.push_back(make(name + "." + std::to_string(i), type.getElementType(), c10::nullopt));
    return list;
  }

  c10::IValue make_tuple(const std::string& name, const c10::TupleType& type) {
    std::vector<c10::IValue> items;
    for (std::size_t i = 0; i < type.elements().size(); ++i)
      items.push_back(make(name + "." + std::to_string(i), type.elements()[i], c10::nullopt));
    return c10::ivalue::Tuple::create(std::move(items));
  }

  [[nodiscard]] std::string missing_text() const {
    std::string text = "the file does not say how large its inputs are; give";
    for (const auto& [name, type] : missing_) {
      const bool shaped = type == "Tensor" || type.find("Tensor]") != std::string::npos;
      const std::string item = type.rfind("List[", 0) == 0 ? name + ".0" : name;
      text += shaped ? " --input " + item + "=SHAPE" : " --value " + name + "=NUMBER";
    }
    return text;
  }

  const Json& shapes_;
  const Json& types_;
  const Json& values_;
  std::vector<std::pair<std::string, c10::IValue>> named_;
  std::vector<std::pair<std::string, std::string>> missing_;
};

bool has_whole_numbers(const at::Tensor& tensor) {
  if (!tensor.defined() || tensor.is_quantized() || tensor.is_complex()) return false;
  return !tensor.is_floating_point() || tensor.eq(tensor.round()).all().item<bool>();
}

/// Everything the file stores, by name.
Json contents_of(const torch::jit::Module& module, const torch::jit::Method& forward,
                 ValueDescriber& describer) {
  Json stored = Json::array();
  const auto add = [&](const std::string& name, const char* kind, const at::Tensor& tensor) {
    if (!tensor.defined()) return;
    stored.push_back({{"name", name},
                      {"kind", kind},
                      {"trainable", tensor.requires_grad()},
                      {"tensor", describer.tensor(tensor)}});
  };
  for (const auto& item : module.named_parameters()) add(item.name, "parameter", item.value);
  for (const auto& item : module.named_buffers()) add(item.name, "buffer", item.value);
  for (const auto& item : module.named_attributes())
    if (item.value.isTensor()) add(item.name, "attribute", item.value.toTensor());

  const auto graph = forward.graph()->copy();
  torch::jit::Inline(*graph);
  std::vector<torch::jit::Block*> blocks{graph->block()};
  int constants = 0;
  while (!blocks.empty()) {
    torch::jit::Block* block = blocks.back();
    blocks.pop_back();
    for (torch::jit::Node* node : block->nodes()) {
      for (torch::jit::Block* nested : node->blocks()) blocks.push_back(nested);
      if (node->kind() != c10::prim::Constant) continue;
      const auto value = torch::jit::toIValue(node->output());
      if (!value || !value->isTensor()) continue;
      add("CONSTANTS.c" + std::to_string(constants++), "constant", value->toTensor());
      stored.back()["whole_numbers"] = has_whole_numbers(value->toTensor());
    }
  }
  return stored;
}

Json record(const Json& request) {
  torch::jit::Module module = torch::jit::load(request.at("file").get<std::string>(), c10::kCPU);
  module.eval();
  const auto forward = module.find_method("forward");
  if (!forward) throw RequestError("the file has no method 'forward', so there is nothing to run");
  const c10::InferenceMode no_gradients;
  at::globalContext().setDeterministicCuDNN(true);
  at::manual_seed(1);
  // Fusion would hide the operators that the model is made of.
  torch::jit::setGraphExecutorOptimize(false);
  InputMaker inputs(request);
  std::vector<c10::IValue> arguments = inputs.make(forward->function().getSchema());
  ValueDescriber describer;
  Json answer;
  answer["stored"] = contents_of(module, *forward, describer);
  answer["engine"] = std::string("LibTorch ") + TORCH_VERSION;
  answer["inputs"] = Json::array();
  for (const auto& [name, value] : inputs.named())
    answer["inputs"].push_back({{"name", name}, {"value", describer.value(value)}});
  CallRecorder recorder(describer);
  const c10::IValue result = (*forward)(std::move(arguments));
  answer["calls"] = recorder.take_calls();
  answer["outputs"] = describer.value(result);
  return answer;
}

}  // namespace

Json record_torchscript(const Json& request) try {
  return record(request);
} catch (const RequestError& error) {
  return error_answer("bad_input", error.what());
} catch (const c10::Error& error) {
  const std::string text = error.what_without_backtrace();
  if (const auto at = text.find("Unknown builtin op: "); at != std::string::npos) {
    return error_answer(
        "missing", "plain LibTorch does not know the operator " + reason_in(text.substr(at + 20)));
  }
  return error_answer("bad_input", "LibTorch says: " + reason_in(text));
} catch (const std::bad_alloc&) {
  return error_answer("missing", "not enough memory to run the model once");
} catch (const std::exception& error) {
  return error_answer("bad_input", "LibTorch says: " + reason_in(error.what()));
}

}  // namespace jouletree::runtime::libtorch
