#include <fmt/format.h>

#include "base/bounded_json.hpp"
#include "base/json_or_null.hpp"
#include "campaign/item.hpp"
#include "jouletree/error.hpp"

namespace jouletree::campaign {
namespace {

using nlohmann::ordered_json;

struct AttributeToJson {
  ordered_json operator()(std::int64_t value) const { return value; }
  ordered_json operator()(double value) const { return value; }
  ordered_json operator()(const zoo::Ints& value) const { return value; }
  ordered_json operator()(const std::string& value) const { return value; }
};

ordered_json operator_json(const zoo::SingleOperator& one) {
  ordered_json attributes = ordered_json::object();
  for (const auto& [name, value] : one.attributes)
    attributes[name] = std::visit(AttributeToJson{}, value);
  return {
      {"op", one.op}, {"inputs", one.inputs}, {"weights", one.weights}, {"attributes", attributes}};
}

zoo::SingleOperator operator_in(const ordered_json& json) {
  zoo::SingleOperator one;
  one.op = json.at("op");
  one.inputs = json.at("inputs").get<std::vector<Dims>>();
  one.weights = json.at("weights").get<std::vector<Dims>>();
  for (const auto& [name, value] : json.at("attributes").items()) {
    zoo::SingleOperator::Attribute attribute;
    if (value.is_string()) attribute = value.get<std::string>();
    if (value.is_array()) attribute = value.get<zoo::Ints>();
    if (value.is_number_float()) attribute = value.get<double>();
    if (value.is_number_integer()) attribute = value.get<std::int64_t>();
    one.attributes.emplace_back(name, std::move(attribute));
  }
  return one;
}

ordered_json model_json(const Item& item) {
  switch (item.kind) {
    case Item::Kind::Zoo: {
      ordered_json settings = ordered_json::object();
      for (const auto& [key, value] : item.settings)
        std::visit([&json = settings[key]](const auto& one) { json = one; }, value);
      return {{"zoo", item.target}, {"set", settings}};
    }
    case Item::Kind::File: return {{"file", item.target}};
    case Item::Kind::Operator:
      return {{"label", item.target}, {"operator", operator_json(item.one)}};
    case Item::Kind::Python: break;
  }
  return {{"python", item.target}, {"arguments", item.arguments}};
}

zoo::SettingValue setting_value(const ordered_json& json) {
  if (json.is_string()) return json.get<std::string>();
  return json.get<std::int64_t>();
}

void read_model_json(const ordered_json& json, Item& item) {
  if (json.contains("zoo")) {
    item.target = json.at("zoo");
    for (const auto& [key, value] : json.at("set").items())
      item.settings.emplace_back(key, setting_value(value));
  } else if (json.contains("file")) {
    item.kind = Item::Kind::File;
    item.target = json.at("file");
  } else if (json.contains("operator")) {
    item.kind = Item::Kind::Operator;
    item.target = json.at("label");
    item.one = operator_in(json.at("operator"));
  } else {
    item.kind = Item::Kind::Python;
    item.target = json.at("python");
    item.arguments = json.at("arguments");
  }
}

std::optional<double> number_or_nothing(const ordered_json& json) {
  return json.is_null() ? std::nullopt : std::optional(json.get<double>());
}

ordered_json training_spec(const ItemTraining& training) {
  return {{"loss", training.loss},
          {"target", training.target},
          {"optimizer", training.optimizer},
          {"learning_rate", or_null(training.learning_rate)},
          {"momentum", or_null(training.momentum)}};
}

ItemTraining training_in(const ordered_json& json) {
  return {json.at("loss"), json.at("target"), json.at("optimizer"),
          number_or_nothing(json.at("learning_rate")), number_or_nothing(json.at("momentum"))};
}

}  // namespace

std::string Item::spec() const {
  ordered_json json;
  json["model"] = model_json(*this);
  json["inputs"] = ordered_json::object();
  for (const auto& [name, shape] : inputs) json["inputs"][name] = shape;
  json["dims"] = ordered_json::object();
  for (const auto& [name, size] : dims) json["dims"][name] = size;
  json["engine"] = engine;
  json["device"] = device;
  json["threads"] = threads;
  json["mode"] = mode;
  json["level"] = level;
  json["cache"] = cache;
  json["precision"] = precision;
  json["budget_s"] = or_null(budget_s);
  json["target"] = or_null(target_share);
  json["baseline_s"] = baseline_s;
  json["modules"] = modules;
  json["include"] = include;
  json["leave_out"] = leave_out;
  json["python"] = python;
  // The last, and only there: items of older databases stay as they are.
  if (training) json["training"] = training_spec(*training);
  return json.dump(-1, ' ', false, ordered_json::error_handler_t::replace);
}

Item Item::parse(const std::string& spec) {
  try {
    const ordered_json json = parse_json<ordered_json>(spec);
    Item item;
    read_model_json(json.at("model"), item);
    for (const auto& [name, shape] : json.at("inputs").items())
      item.inputs.emplace_back(name, shape);
    for (const auto& [name, size] : json.at("dims").items()) item.dims.emplace_back(name, size);
    item.engine = json.at("engine");
    item.device = json.at("device");
    item.threads = json.at("threads");
    item.mode = json.at("mode");
    item.level = json.at("level");
    item.cache = json.at("cache");
    item.precision = json.at("precision");
    item.budget_s = number_or_nothing(json.at("budget_s"));
    item.target_share = number_or_nothing(json.at("target"));
    item.baseline_s = json.at("baseline_s");
    item.modules = json.at("modules");
    item.include = json.at("include").get<std::vector<std::string>>();
    item.leave_out = json.at("leave_out").get<std::vector<std::string>>();
    item.python = json.at("python");
    if (json.contains("training")) item.training = training_in(json.at("training"));
    return item;
  } catch (const nlohmann::json::exception&) {
    throw Error(ErrorKind::BadInput,
                "an item of the campaign cannot be read: it was written by another version of "
                "JouleTree; use that version, or give the campaign another name");
  }
}

}  // namespace jouletree::campaign
