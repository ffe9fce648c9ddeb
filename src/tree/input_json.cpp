#include "tree/input_json.hpp"

namespace jouletree::tree {
namespace {

using Json = nlohmann::ordered_json;

Json dim_json(const InputDim& dim) {
  return {{"name", dim.name.empty() ? Json(nullptr) : Json(dim.name)},
          {"size", dim.size == kUnknownDim ? Json(nullptr) : Json(dim.size)},
          {"open", dim.open},
          {"from", name_of(dim.origin)}};
}

SizeOrigin origin_of(const std::string& name) {
  for (const SizeOrigin origin :
       {SizeOrigin::Given, SizeOrigin::Data, SizeOrigin::Expression, SizeOrigin::Graph,
        SizeOrigin::Usual, SizeOrigin::Example, SizeOrigin::EmptyCache, SizeOrigin::Default})
    if (name == name_of(origin)) return origin;
  return SizeOrigin::File;
}

InputDim dim_of(const Json& json) {
  const Json& name = json.at("name");
  const Json& size = json.at("size");
  return {name.is_null() ? "" : name.get<std::string>(),
          size.is_null() ? kUnknownDim : size.get<Dim>(),
          origin_of(json.at("from").get<std::string>()), json.at("open").get<bool>()};
}

}  // namespace

Json inputs_json(const std::vector<InputShape>& inputs) {
  Json list = Json::array();
  for (const InputShape& input : inputs) {
    Json shape = nullptr;
    Json dims = nullptr;
    if (input.dims) {
      shape = Json::array();
      dims = Json::array();
      for (const InputDim& dim : *input.dims) {
        shape.push_back(dim.size);
        dims.push_back(dim_json(dim));
      }
    }
    list.push_back({{"name", input.name},
                    {"type", name_of(input.type)},
                    {"shape", std::move(shape)},
                    {"dims", std::move(dims)}});
  }
  return list;
}

std::vector<InputShape> inputs_of(const Json& json) {
  std::vector<InputShape> inputs;
  for (const Json& entry : json) {
    InputShape& input = inputs.emplace_back();
    input.name = entry.at("name").get<std::string>();
    input.type =
        data_type_from_name(entry.at("type").get<std::string>()).value_or(DataType::Undefined);
    if (entry.at("dims").is_null()) continue;
    input.dims.emplace();
    for (const Json& dim : entry.at("dims")) input.dims->push_back(dim_of(dim));
  }
  return inputs;
}

}  // namespace jouletree::tree
