#include "model/pt2/stored_weights.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace jouletree::model::pt2 {

StoredWeights::StoredWeights(const std::optional<dom::object>& config, SizeTable& sizes,
                             Numbering& numbers)
    : sizes_(sizes), numbers_(numbers) {
  if (!config) return;
  for (const auto [name, element] : *config) config_.emplace(name, element);
}

StoredWeights::Place StoredWeights::place_of(std::string_view name) {
  const auto found = config_.find(name);
  if (found == config_.end()) return {};
  const std::string where = fmt::format("the weights '{}'", name);
  const dom::object entry = as_object(found->second, where);
  Place place;
  place.file = text_at(entry, "path_name", where);
  const auto meta = find_field(entry, "tensor_meta");
  if (!meta) return {};
  const dom::object object = as_object(*meta, where);
  const TensorFacts facts = tensor_facts(object, name, sizes_);
  std::int64_t offset = 0;
  if (const auto stated = find_field(object, "storage_offset"))
    offset = stated_size(*stated, where).number.value_or(0);
  place.way = fmt::format("{}|{}|{}|{}|{}", place.file, static_cast<int>(facts.type),
                          fmt::join(facts.dims, "x"), fmt::join(facts.strides, "x"), offset);
  place.trainable = facts.trainable;
  place.is_known = true;
  return place;
}

void StoredWeights::add(const dom::element& input_spec, ValueScope& scope) {
  constexpr std::string_view kWhere = "an input";
  const auto [kind, value] = tagged(input_spec, kWhere);
  const bool is_parameter = kind == "parameter";
  std::string_view key;
  if (is_parameter) key = "parameter_name";
  if (kind == "buffer") key = "buffer_name";
  if (kind == "tensor_constant") key = "tensor_constant_name";
  if (key.empty()) return;
  const dom::object spec = as_object(value, kWhere);
  const std::string_view name = text_at(spec, key, kWhere);
  KnownValue& tensor = scope.make_tensor(text_at(object_at(spec, "arg", kWhere), "name", kWhere));
  const Place place = place_of(name);
  if (place.is_known) {
    tensor.argument.tensor.number =
        tensors_.try_emplace(place.way, tensor.argument.tensor.number).first->second;
    tensor.argument.tensor.storage =
        storages_.try_emplace(place.file, tensor.argument.tensor.storage).first->second;
  }
  const bool trainable =
      is_parameter && (place.is_known ? place.trainable : tensor.facts.trainable);
  stored_.push_back({std::string(name),
                     is_parameter ? runtime::StoredKind::Parameter : runtime::StoredKind::Buffer,
                     trainable, false, tensor.argument.tensor});
}

}  // namespace jouletree::model::pt2
