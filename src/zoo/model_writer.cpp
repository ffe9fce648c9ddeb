#include "zoo/model_writer.hpp"

#include <cstring>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/number_format.hpp"
#include "jouletree/error.hpp"

namespace jouletree::zoo {
namespace {

constexpr std::string_view kMicrosoft = "com.microsoft";
constexpr std::string_view kMicrosoftMark = "com.microsoft.";
/// Beyond this there is no disk for a model, and sums of sizes stay far below 64 bits.
constexpr std::int64_t kMostWeightBytes = std::int64_t{1} << 50U;
/// 256 MiB of memory.
constexpr std::int64_t kMostTableNumbers = std::int64_t{1} << 26U;

template <class Number>
std::string bytes_of(const Number* values, std::size_t count) {
  std::string bytes(count * sizeof(Number), '\0');
  if (count > 0) std::memcpy(bytes.data(), values, bytes.size());
  return bytes;
}

struct AttributeAdder {
  model::OnnxNode& node;
  std::string_view name;
  void operator()(std::int64_t value) const { node.integer(name, value); }
  void operator()(float value) const { node.real(name, value); }
  void operator()(const Ints& value) const { node.ints(name, value); }
  void operator()(std::string_view value) const { node.text(name, value); }
};

}  // namespace

Scope::Scope(std::string path, std::string dotted, std::string last)
    : path_(std::move(path)), dotted_(std::move(dotted)), last_(std::move(last)) {}

Scope Scope::child(std::string_view name) const {
  return {fmt::format("{}/{}", path_, name),
          fmt::format("{}{}{}", dotted_, dotted_.empty() ? "" : ".", name), std::string(name)};
}

Scope Scope::element(std::string_view list, std::int64_t index) const {
  return child(fmt::format("{}.{}", list, index));
}

Scope Scope::member(std::int64_t index) const {
  const std::string last = fmt::format("{}.{}", last_, index);
  return {fmt::format("{}/{}", path_, last), fmt::format("{}.{}", dotted_, index), last};
}

std::string Scope::node_name(std::string_view op) const { return fmt::format("{}/{}", path_, op); }

std::string Scope::weight_name(std::string_view leaf) const {
  return fmt::format("{}{}{}", dotted_, dotted_.empty() ? "" : ".", leaf);
}

Value ModelWriter::input(std::string_view name, DataType type,
                         const std::vector<std::string>& dims) {
  constants_and_inputs_.symbolic_input(name, type, dims);
  return Value(name);
}

void ModelWriter::output(std::string_view name, const Value& value,
                         const std::vector<std::string>& dims) {
  constants_and_inputs_.symbolic_output(name, DataType::Float32, dims);
  outputs_[value] = name;
}

void ModelWriter::output(std::string_view name, const Value& value) {
  constants_and_inputs_.output(name, DataType::Float32);
  outputs_[value] = name;
}

std::string ModelWriter::unique(const std::string& name) {
  const int before = used_names_[name]++;
  return before == 0 ? name : fmt::format("{}_{}", name, before);
}

Value ModelWriter::node(const Scope& scope, std::string_view op, const std::vector<Value>& inputs,
                        NodeAttributes attributes) {
  return node_with_outputs(scope, op, inputs, 1, std::move(attributes)).front();
}

std::vector<Value> ModelWriter::node_with_outputs(const Scope& scope, std::string_view op,
                                                  const std::vector<Value>& inputs,
                                                  std::size_t outputs, NodeAttributes attributes) {
  PendingNode pending{
      unique(scope.node_name(op)), std::string(op), inputs, {}, std::move(attributes)};
  for (std::size_t i = 0; i < outputs; ++i)
    pending.outputs.push_back(fmt::format("{}_output_{}", pending.name, i));
  return nodes_.emplace_back(std::move(pending)).outputs;
}

Value ModelWriter::weight(const Scope& scope, std::string_view leaf, const Dims& dims, Fill fill) {
  std::string name = scope.weight_name(leaf);
  if (!is_new_weight(name, dims)) return name;
  const auto count = static_cast<std::size_t>(elements_of(dims).value());
  add_weight({name, DataType::Float32, dims,
              [seed = seed_, name, fill, count](const model::ByteSink& out) {
                write_random(seed, name, fill, count, out);
              }});
  return name;
}

void ModelWriter::add_weight(model::StreamedTensor weight) {
  const Count bytes = weight.size();
  if (!bytes.known() || bytes.value() > kMostWeightBytes - weight_bytes_) {
    throw Error(ErrorKind::BadInput,
                fmt::format("the weights take more than {}: {} alone is {}; give smaller sizes",
                            shortened_bytes(static_cast<double>(kMostWeightBytes)), weight.name,
                            fmt::join(weight.dims, "x")));
  }
  weight_bytes_ += bytes.value();
  weights_.push_back(std::move(weight));
}

bool ModelWriter::is_new_weight(const std::string& name, const Dims& dims) {
  const auto [known, is_new] = weight_dims_.try_emplace(name, dims);
  if (known->second != dims) throw std::logic_error(name + " has two shapes");
  return is_new;
}

Value ModelWriter::bytes(const Scope& scope, std::string_view leaf, const Dims& dims,
                         DataType type) {
  std::string name = scope.weight_name(leaf);
  if (!is_new_weight(name, dims)) return name;
  const auto count = static_cast<std::size_t>(elements_of(dims).value());
  add_weight({name, type, dims, [seed = seed_, name, count](const model::ByteSink& out) {
                write_random_bytes(seed, name, count, out);
              }});
  return name;
}

Value ModelWriter::byte(const Scope& scope, std::string_view leaf, DataType type, int value) {
  std::string name = scope.weight_name(leaf);
  if (is_new_weight(name, {}))
    constants_and_inputs_.initializer(name, type, {}, std::string(1, static_cast<char>(value)));
  return name;
}

Value ModelWriter::integers(const Ints& values) {
  Value& name = integer_lists_[values];
  if (name.empty()) {
    name = unique("constant_integers");
    constants_and_inputs_.integers(name, values);
  }
  return name;
}

Value ModelWriter::integer(std::int64_t value) {
  Value& name = integers_[value];
  if (name.empty()) {
    name = unique("constant_integer");
    constants_and_inputs_.initializer(name, DataType::Int64, {}, bytes_of(&value, 1));
  }
  return name;
}

Value ModelWriter::real(float value) {
  Value& name = reals_[value];
  if (name.empty()) {
    name = unique("constant_real");
    constants_and_inputs_.initializer(name, DataType::Float32, {}, bytes_of(&value, 1));
  }
  return name;
}

Value ModelWriter::table(const Scope& scope, const Dims& dims, const std::vector<float>& values) {
  const std::string name = unique(scope.node_name("Constant"));
  tables_.push_back({name, dims, values});
  return name + "_output_0";
}

void refuse_large_table(const Dims& dims, std::string_view what) {
  const Count numbers = elements_of(dims);
  if (numbers.known() && numbers.value() <= kMostTableNumbers) return;
  throw Error(ErrorKind::BadInput,
              fmt::format("{} are a table of {}, which may have {} numbers; give smaller ones",
                          what, fmt::join(dims, "x"), with_separators(kMostTableNumbers)));
}

const std::string& ModelWriter::public_name(const Value& value) const {
  const auto found = outputs_.find(value);
  return found == outputs_.end() ? value : found->second;
}

void ModelWriter::add_node(model::OnnxBuilder& model, const PendingNode& pending) const {
  std::vector<std::string> inputs;
  for (const Value& value : pending.inputs) inputs.push_back(public_name(value));
  std::vector<std::string> outputs;
  for (const Value& value : pending.outputs) outputs.push_back(public_name(value));
  const std::string_view op = pending.op;
  const bool is_microsofts = op.starts_with(kMicrosoftMark);
  if (is_microsofts) model.import_domain(kMicrosoft, 1);
  model::OnnxNode& node =
      model.node(is_microsofts ? op.substr(kMicrosoftMark.size()) : op, inputs, outputs)
          .name(pending.name);
  if (is_microsofts) node.domain(kMicrosoft);
  for (const NodeAttribute& attribute : pending.attributes)
    std::visit(AttributeAdder{node, attribute.name}, attribute.value);
}

model::OnnxBuilder ModelWriter::graph() const {
  model::OnnxBuilder model = constants_and_inputs_;
  for (const Table& table : tables_) {
    model.node("Constant", {}, {table.name + "_output_0"})
        .name(table.name)
        .tensor("value", DataType::Float32, table.dims,
                bytes_of(table.values.data(), table.values.size()));
  }
  for (const PendingNode& pending : nodes_) add_node(model, pending);
  return model;
}

}  // namespace jouletree::zoo
