#include "campaign/item.hpp"

#include <charconv>

#include <fmt/format.h>

#include "jouletree/error.hpp"
#include "model/refused_sizes.hpp"
#include "zoo/build_model.hpp"
#include "zoo/catalogue.hpp"
#include "zoo/weightless_graph.hpp"

namespace jouletree::campaign {
namespace {

CacheMode cache_mode(const std::string& name) {
  if (name == "hot") return CacheMode::Hot;
  return name == "cold" ? CacheMode::Cold : CacheMode::Model;
}

zoo::Settings zoo_settings(const Item& item, const zoo::Architecture& architecture) {
  zoo::Settings settings = architecture.settings;
  for (const auto& [key, value] : item.settings) settings.set(key, value);
  return settings;
}

/// What is not as usual.
std::string training_label(const ItemTraining& training) {
  std::string text;
  if (!training.loss.empty()) text += " loss=" + training.loss;
  if (!training.target.empty()) text += " target=" + training.target;
  if (training.optimizer != "sgd") text += " optimizer=" + training.optimizer;
  if (training.learning_rate) text += fmt::format(" learning_rate={}", *training.learning_rate);
  if (training.momentum) text += fmt::format(" momentum={}", *training.momentum);
  return text;
}

}  // namespace

Dims dims_in(const std::string& shape) {
  Dims dims;
  std::size_t begin = 0;
  while (begin < shape.size()) {
    const std::size_t end = std::min(shape.find('x', begin), shape.size());
    Dim size = 0;
    std::from_chars(shape.data() + begin, shape.data() + end, size);
    dims.push_back(size);
    begin = end + 1;
  }
  return dims;
}

std::string Item::model_label() const {
  if (kind == Kind::Operator) return target;
  std::string text = target;
  for (const auto& [key, value] : settings) text += fmt::format(" {}={}", key, zoo::text_of(value));
  for (const auto& [key, value] : arguments.items())
    text += fmt::format(" {}={}", key, value.is_string() ? value.get<std::string>() : value.dump());
  return text;
}

std::string Item::label() const {
  std::string text = model_label();
  for (const auto& [name, size] : dims) text += fmt::format(" {}={}", name, size);
  for (const auto& [name, shape] : inputs) text += fmt::format(" {}={}", name, shape);
  if (mode != "inference") text += ", " + mode;
  if (training) text += training_label(*training);
  if (threads != 1) text += fmt::format(", {} threads", threads);
  if (device != "cpu") text += ", " + device;
  if (level != "all") text += ", level " + level;
  if (cache != "model") text += ", cache " + cache;
  return text;
}

InputSettings Item::input_settings() const {
  InputSettings result;
  for (const auto& [name, shape] : inputs) {
    const std::size_t colon = std::min(shape.find(':'), shape.size());
    result.shapes[name] = dims_in(shape.substr(0, colon));
    if (colon == shape.size()) continue;
    if (const auto type = data_type_from_name(shape.substr(colon + 1))) result.types[name] = *type;
  }
  for (const auto& [name, size] : dims) result.symbols[name] = size;
  return result;
}

ProfileSettings Item::profile_settings() const {
  ProfileSettings result;
  result.inputs = input_settings();
  result.threads = threads;
  result.level = level;
  result.device = device;
  // The key is for those models of a plan that PyTorch runs.
  if (engine != "onnxruntime") result.python = python;
  result.cache = cache_mode(cache);
  result.precision = precision;
  if (budget_s) result.budget = std::chrono::duration<double>(*budget_s);
  result.target = target_share;
  result.baseline = std::chrono::duration<double>(baseline_s);
  result.modules = modules;
  result.only_types = include;
  result.without_types = leave_out;
  if (kind != Kind::File) result.told_as = (kind == Kind::Zoo ? "zoo: " : "") + model_label();
  return result;
}

std::shared_ptr<const Graph> graph_of(const Item& item, const std::filesystem::path& folder) {
  if (item.kind == Item::Kind::File)
    return std::make_shared<const Graph>(read_model(folder / item.target, item.input_settings()));
  if (item.kind == Item::Kind::Operator) {
    zoo::ModelWriter writer(1);
    zoo::write_operator(writer, item.one);
    return zoo::weightless_graph(writer, item.one.op);
  }
  const zoo::Architecture& architecture = zoo::find_architecture(item.target);
  return zoo::weightless_graph(architecture, zoo_settings(item, architecture));
}

void refuse_sizes(const Item& item, const std::filesystem::path& folder) {
  if (item.kind == Item::Kind::File && item.engine != "onnxruntime")
    model::refuse_sizes(folder / item.target, item.input_settings());
}

std::filesystem::path model_file_of(const Item& item, const std::filesystem::path& folder,
                                    const std::filesystem::path& scratch) {
  if (item.kind == Item::Kind::File) return folder / item.target;
  if (item.kind == Item::Kind::Operator) {
    const std::filesystem::path file = scratch / "operator.onnx";
    zoo::ModelWriter writer(1);
    zoo::write_operator(writer, item.one);
    zoo::build_model(writer, file);
    return file;
  }
  const zoo::Architecture& architecture = zoo::find_architecture(item.target);
  const std::filesystem::path file = scratch / (item.target + ".onnx");
  zoo::build_model(architecture, zoo_settings(item, architecture), 1, file);
  return file;
}

}  // namespace jouletree::campaign
