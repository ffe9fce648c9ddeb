#include "campaign/plan_parts.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>

#include <fmt/format.h>

#include "base/display_width.hpp"
#include "campaign/plan_training.hpp"
#include "jouletree/error.hpp"
#include "jouletree/value_type.hpp"
#include "zoo/catalogue.hpp"
#include "zoo/named_model.hpp"

namespace jouletree::campaign {
namespace {

bool is_number(const std::string& text) {
  return !text.empty() && std::all_of(text.begin(), text.end(),
                                      [](unsigned char letter) { return std::isdigit(letter); });
}

/// "1x3x224x224", "128:int64": sizes in one text.
std::optional<PlannedShape> joined_shape(const std::string& text) {
  PlannedShape shape;
  const std::size_t colon = std::min(text.find(':'), text.size());
  if (colon < text.size()) shape.type = text.substr(colon + 1);
  std::size_t begin = 0;
  while (begin <= colon) {
    const std::size_t end = std::min(text.find('x', begin), colon);
    shape.sizes.push_back(text.substr(begin, end - begin));
    if (!is_number(shape.sizes.back())) return std::nullopt;
    begin = end + 1;
  }
  return shape;
}

std::string element_type(const Field& field, const std::string& name) {
  if (!data_type_from_name(name))
    field.fail(fmt::format("there is no element type '{}'", printable(name)));
  return name;
}

/// Beyond these no tensor is.
void refuse_sizes_of_none(const Field& field, const PlannedShape& shape) {
  constexpr std::size_t kMostAxes = 64;
  constexpr std::int64_t kLargestSize = std::int64_t{1} << 40U;
  if (shape.sizes.size() > kMostAxes)
    field.fail(fmt::format("has {} sizes; a shape has {} at most", shape.sizes.size(), kMostAxes));
  for (const std::string& size : shape.sizes) {
    if (!is_number(size)) continue;
    std::int64_t number = 0;
    const auto parsed = std::from_chars(size.data(), size.data() + size.size(), number);
    if (parsed.ec != std::errc() || number > kLargestSize)
      field.fail(fmt::format("{} is larger than a size can be, which is {}", size, kLargestSize));
  }
}

PlannedShape listed_shape(const Field& field) {
  PlannedShape shape;
  for (const Field& size : field.each()) shape.sizes.push_back(size.text());
  return shape;
}

/// {shape: [batch, 128], type: int64}
PlannedShape typed_shape(const Field& field) {
  static constexpr std::array<std::string_view, 2> kShapeKeys = {"shape", "type"};
  std::optional<PlannedShape> shape;
  std::string type;
  for (const Field& member : field.members(kShapeKeys)) {
    if (member.name() == "type") type = element_type(member, member.text());
    if (member.name() == "shape") shape = shape_of(member);
  }
  if (!shape) field.fail("say which shape, as {shape: [batch, 128], type: int64}");
  if (!type.empty()) shape->type = type;
  return *shape;
}

/// A list of sizes is one shape, a list of shapes are several.
bool is_one_shape(const YamlNode& node) {
  if (node.kind != YamlNode::Kind::List) return true;
  return std::none_of(node.items.begin(), node.items.end(), [](const YamlNode& item) {
    const auto joined = joined_shape(item.text);
    return item.kind == YamlNode::Kind::List || item.kind == YamlNode::Kind::Map ||
           (joined && (joined->sizes.size() > 1 || !joined->type.empty()));
  });
}

std::string function_of(const Field& field) {
  std::string name = field.text();
  if (!is_function(name)) field.fail("give package.module:function");
  return name;
}

/// What the zoo says against something becomes an error that names its place in the plan.
template <class Call>
auto with_place(const Field& field, Call call) {
  try {
    return call();
  } catch (const Error& error) {
    field.fail(error.what());
  }
}

void check_zoo(const Field& field, const std::string& name) {
  with_place(field, [&] { (void)zoo::find_architecture(name); });
}

void check_file(const Field& field, const std::string& name, const Plan& plan) {
  std::error_code unreadable;
  if (std::filesystem::exists(plan.folder / name, unreadable)) return;
  field.fail(fmt::format("{}: there is no such file, seen from the folder of the plan", name));
}

/// What a row is that is only a text.
PlannedModel short_row(const Field& field, const Plan& plan) {
  PlannedModel model;
  model.place = field.place();
  model.target = field.text();
  std::error_code unreadable;
  if (std::filesystem::exists(plan.folder / model.target, unreadable)) {
    model.kind = PlannedModel::Kind::File;
  } else if (is_function(model.target)) {
    model.kind = PlannedModel::Kind::Python;
  } else {
    with_place(field, [&] { zoo::refuse_unknown_name(model.target); });
  }
  return model;
}

/// A text, a number, or a range of numbers.
std::vector<zoo::SettingValue> setting_values(const Field& field, bool are_texts) {
  if (are_texts) return {field.text()};
  const std::vector<std::int64_t> numbers = field.numbers();
  return {numbers.begin(), numbers.end()};
}

Choices<zoo::SettingValue> settings_of(const Field& field, const std::string& name) {
  Choices<zoo::SettingValue> settings;
  zoo::Settings known = zoo::find_architecture(name).settings;
  for (const Field& member : field.members()) {
    const std::string key = member.name();
    auto& values = settings.emplace_back(key, std::vector<zoo::SettingValue>{}).second;
    const bool are_texts = with_place(member, [&] { return known.has_text(key); });
    for (const Field& one : member.each()) {
      for (zoo::SettingValue& value : setting_values(one, are_texts)) {
        with_place(one, [&] { known.set(key, value); });
        values.push_back(std::move(value));
      }
      member.refuse_too_many(values.size());
    }
  }
  return settings;
}

PlannedModel row_of(const Field& field, const Plan& plan) {
  if (field.node().kind != YamlNode::Kind::Map) return short_row(field, plan);
  static constexpr std::array<std::string_view, 8> kModelKeys = {
      "zoo", "file", "python", "set", "arguments", "inputs", "dims", "training"};
  PlannedModel model;
  model.place = field.place();
  const std::vector<Field> members = field.members(kModelKeys);
  for (const Field& member : members) {
    const std::string name = member.name();
    if (name != "zoo" && name != "file" && name != "python") continue;
    if (!model.target.empty()) member.fail("a model is one of zoo, file and python");
    model.target = name == "python" ? function_of(member) : member.text();
    if (name == "zoo") check_zoo(member, model.target);
    if (name == "file") check_file(member, model.target, plan);
    model.kind = name == "zoo"    ? PlannedModel::Kind::Zoo
                 : name == "file" ? PlannedModel::Kind::File
                                  : PlannedModel::Kind::Python;
  }
  if (model.target.empty()) field.fail("say which model: zoo, file or python");
  for (const Field& member : members) {
    const std::string name = member.name();
    const bool for_zoo = name == "set";
    const bool for_python = name == "arguments";
    if (for_zoo && model.kind != PlannedModel::Kind::Zoo) member.fail("is for models of the zoo");
    if (for_python && model.kind != PlannedModel::Kind::Python)
      member.fail("is for functions of Python");
    if (name == "set") model.settings = settings_of(member, model.target);
    if (name == "set") model.settings_place = member.place();
    if (name == "inputs") model.inputs = inputs_of(member);
    if (name == "dims") model.dims = dims_of(member);
    if (name == "training" && model.kind == PlannedModel::Kind::Zoo)
      member.fail("is for models that PyTorch runs; those of the zoo run in ONNX Runtime");
    if (name == "training") model.training = training_of(member);
    if (name != "arguments") continue;
    for (const Field& argument : member.members()) {
      std::vector<nlohmann::json> values;
      for (const Field& value : argument.each()) values.push_back(value.value());
      model.arguments.emplace_back(argument.name(), std::move(values));
    }
  }
  return model;
}

std::vector<SizeText> sizes_of(const Field& field) {
  std::vector<SizeText> sizes;
  for (const Field& size : field.each()) {
    std::string text = size.text();
    std::erase(text, ' ');
    sizes.push_back(std::move(text));
  }
  return sizes;
}

std::vector<std::vector<SizeText>> size_lists_of(const Field& field) {
  std::vector<std::vector<SizeText>> lists;
  for (const Field& shape : field.each()) {
    if (shape.node().kind != YamlNode::Kind::List)
      shape.fail("give a list of shapes, like [[batch, channels, size, size]]");
    lists.push_back(sizes_of(shape));
  }
  return lists;
}

RandomOperators::NamedAttribute attribute_of(const Field& field, const RandomOperators& row) {
  using Kind = RandomOperators::NamedAttribute::Kind;
  if (field.node().kind == YamlNode::Kind::List)
    return {field.name(), Kind::Sizes, sizes_of(field)};
  std::string text = field.text();
  double real = 0;
  const auto parsed = std::from_chars(text.data(), text.data() + text.size(), real);
  const bool is_real =
      parsed.ec == std::errc() && parsed.ptr == text.data() + text.size() && std::isfinite(real);
  if (is_real && !is_number(text)) return {field.name(), Kind::Real, {}, real};
  // What begins with a name under draw is computed from it.
  const std::string first = text.substr(0, text.find_first_of("*/ "));
  const bool is_size = is_number(first) || row.draw.contains(first);
  if (is_size) std::erase(text, ' ');
  return {field.name(), is_size ? Kind::Size : Kind::Text, {text}};
}

RandomOperators random_row(const Field& field) {
  static constexpr std::array<std::string_view, 7> kRandomKeys = {
      "op", "count", "seed", "draw", "inputs", "weights", "attributes"};
  RandomOperators row;
  row.place = field.place();
  const std::vector<Field> members = field.members(kRandomKeys);
  for (const Field& member : members) {
    constexpr std::int64_t kMostOperators = 100'000;
    const std::string name = member.name();
    if (name == "op") row.op = member.text();
    if (name == "count") row.count = member.whole(1, kMostOperators);
    if (name == "seed") row.seed = static_cast<std::uint64_t>(member.whole(0, INT64_MAX));
    if (name == "inputs") row.inputs = size_lists_of(member);
    if (name == "weights") row.weights = size_lists_of(member);
    if (name != "draw") continue;
    for (const Field& range : member.members()) row.draw[range.name()] = range.numbers();
  }
  for (const Field& member : members) {
    if (member.name() != "attributes") continue;
    for (const Field& attribute : member.members())
      row.attributes.push_back(attribute_of(attribute, row));
  }
  if (row.op.empty()) field.fail("say which operator of ONNX: op");
  if (row.inputs.empty()) field.fail("say which shapes it gets: inputs");
  return row;
}

}  // namespace

std::vector<PlannedModel> models_of(const Field& field, const Plan& plan) {
  std::vector<PlannedModel> models;
  for (const Field& row : field.each()) models.push_back(row_of(row, plan));
  return models;
}

Choices<std::int64_t> dims_of(const Field& field) {
  Choices<std::int64_t> dims;
  for (const Field& member : field.members()) dims.emplace_back(member.name(), member.numbers());
  return dims;
}

Choices<PlannedShape> inputs_of(const Field& field) {
  Choices<PlannedShape> inputs;
  for (const Field& member : field.members()) {
    std::vector<PlannedShape>& shapes =
        inputs.emplace_back(member.name(), std::vector<PlannedShape>{}).second;
    if (is_one_shape(member.node())) {
      shapes.push_back(shape_of(member));
    } else {
      for (const Field& shape : member.each()) shapes.push_back(shape_of(shape));
    }
  }
  return inputs;
}

PlannedShape shape_of(const Field& field) {
  if (field.node().kind == YamlNode::Kind::Map) return typed_shape(field);
  if (field.node().kind == YamlNode::Kind::List) {
    PlannedShape listed = listed_shape(field);
    refuse_sizes_of_none(field, listed);
    return listed;
  }
  const auto shape = joined_shape(field.text());
  if (!shape) field.fail("give a shape like 1x3x224x224, 1x128:int64 or [batch, 3, 224, 224]");
  if (!shape->type.empty()) (void)element_type(field, shape->type);
  refuse_sizes_of_none(field, *shape);
  return *shape;
}

bool is_function(const std::string& text) {
  const std::size_t colon = text.find(':');
  const auto is_path = [](std::string_view path) {
    return !path.empty() && std::all_of(path.begin(), path.end(), [](unsigned char letter) {
      return std::isalnum(letter) != 0 || letter == '_' || letter == '.';
    });
  };
  return colon != std::string::npos && is_path(text.substr(0, colon)) &&
         is_path(text.substr(colon + 1)) && std::isdigit(text[0]) == 0;
}

std::vector<RandomOperators> random_operators_of(const Field& field) {
  std::vector<RandomOperators> rows;
  for (const Field& row : field.each()) rows.push_back(random_row(row));
  return rows;
}

}  // namespace jouletree::campaign
