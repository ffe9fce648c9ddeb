#include "model/torchscript/node_draft.hpp"

namespace jouletree::model::torchscript {
namespace {

const runtime::Argument kNoArgument;
const Dims kNoDims;

void collect(const runtime::Argument& argument, std::vector<const runtime::Argument*>& into) {
  if (argument.is_tensor()) into.push_back(&argument);
  for (const runtime::Argument& item : argument.items) collect(item, into);
}

}  // namespace

const runtime::Argument& NodeDraft::argument(std::size_t position) const {
  return position < call_.arguments.size() ? call_.arguments[position] : kNoArgument;
}

const Dims& NodeDraft::dims(std::size_t position) const {
  const runtime::Argument& found = argument(position);
  return found.is_tensor() ? found.tensor.dims : kNoDims;
}

const Dims& NodeDraft::output_dims() const {
  const bool has_tensor = !call_.outputs.empty() && call_.outputs[0].is_tensor();
  return has_tensor ? call_.outputs[0].tensor.dims : kNoDims;
}

void NodeDraft::take_all_tensors() {
  for (const runtime::Argument& argument : call_.arguments) collect(argument, inputs);
}

void NodeDraft::take_tensors(const runtime::Argument& argument,
                             const std::function<bool(const runtime::RecordedTensor&)>& wanted) {
  std::vector<const runtime::Argument*> found;
  collect(argument, found);
  for (const runtime::Argument* one : found)
    if (wanted(one->tensor)) inputs.push_back(one);
}

void NodeDraft::take(const std::vector<std::size_t>& positions) {
  for (const std::size_t position : positions) take(argument(position));
}

void NodeDraft::take(const runtime::Argument& argument) {
  inputs.push_back(argument.is_tensor() ? &argument : nullptr);
}

Attribute& NodeDraft::add(std::string_view name, AttributeKind kind) {
  Attribute& attribute = attributes.emplace_back();
  attribute.name = name;
  attribute.kind = kind;
  return attribute;
}

void NodeDraft::set(std::string_view name, std::int64_t number) {
  add(name, AttributeKind::Int).integer = number;
}

void NodeDraft::set(std::string_view name, double number) {
  add(name, AttributeKind::Float).real = static_cast<float>(number);
}

void NodeDraft::set(std::string_view name, const std::string& text) {
  add(name, AttributeKind::String).text = texts_.emplace_back(text);
}

void NodeDraft::set(std::string_view name, std::vector<std::int64_t> numbers) {
  add(name, AttributeKind::Ints).integers = std::move(numbers);
}

void NodeDraft::add_block(std::string_view name, std::shared_ptr<Block> block) {
  for (Attribute& attribute : attributes) {
    if (attribute.name != name) continue;
    attribute.kind = AttributeKind::Blocks;
    attribute.blocks.push_back(std::move(block));
    return;
  }
  add(name, AttributeKind::Block).blocks.push_back(std::move(block));
}

std::optional<std::vector<std::int64_t>> NodeDraft::integers(const runtime::Argument& argument,
                                                             std::size_t length) {
  using Numbers = std::vector<std::int64_t>;
  if (argument.kind == runtime::Argument::Kind::Integer) return Numbers(length, argument.integer);
  if (argument.kind != runtime::Argument::Kind::List) return std::nullopt;
  if (argument.items.size() == 1) return integers(argument.items[0], length);
  if (argument.items.size() != length) return std::nullopt;
  Numbers numbers;
  for (const runtime::Argument& item : argument.items) {
    if (item.kind != runtime::Argument::Kind::Integer) return std::nullopt;
    numbers.push_back(item.integer);
  }
  return numbers;
}

}  // namespace jouletree::model::torchscript
