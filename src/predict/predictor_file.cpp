#include <array>
#include <limits>

#include <fmt/format.h>

#include "base/bounded_json.hpp"
#include "base/json_problem.hpp"
#include "base/mapped_file.hpp"
#include "jouletree/error.hpp"
#include "predict/methods.hpp"
#include "predict/predictor_state.hpp"
#include "predict/stored_fits.hpp"
#include "predict/trained_places.hpp"

namespace jouletree {
namespace predict {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kFormat = "jouletree predictor";
constexpr int kVersion = 3;

constexpr std::array<NodeLevel, kLevels> kAllLevels = {NodeLevel::Operator, NodeLevel::Module,
                                                       NodeLevel::Model};

Json half_widths_json(const Ensemble& ensemble) {
  Json all = Json::object();
  for (const FeatureSet features : feature_sets_within(FeatureSet::All)) {
    Json levels = Json::object();
    for (const NodeLevel level : kAllLevels) {
      if (const auto& width =
              ensemble.half_widths[static_cast<std::size_t>(features)][index_of(level)])
        levels[std::string(name_of(level))] = *width;
    }
    if (!levels.empty()) all[std::string(name_of(features))] = std::move(levels);
  }
  return all;
}

Json error_json(const GroupError& error) { return {{"sum", error.sum}, {"single", error.single}}; }

Json spread_json(const GroupSpread& spread) {
  Json json;
  json["model_quantile"] = spread.model_quantile;
  json["operator_quantile"] = spread.operator_quantile;
  json["others"] = error_json(spread.others);
  Json& groups = json["groups"] = Json::object();
  for (const auto& [name, error] : spread.groups) groups[name] = error_json(error);
  return json;
}

GroupError read_error(const Json& json) {
  return {stored_size(json.at("sum"), "an error of sums"),
          stored_size(json.at("single"), "an error of operators")};
}

GroupSpread read_spread(const Json& json) {
  GroupSpread spread;
  spread.model_quantile = stored_size(json.at("model_quantile"), "the quantile of models");
  spread.operator_quantile = stored_size(json.at("operator_quantile"), "the quantile of operators");
  spread.others = read_error(json.at("others"));
  for (const auto& [name, error] : json.at("groups").items())
    spread.groups.emplace(name, read_error(error));
  return spread;
}

Json ensemble_json(const std::optional<Ensemble>& ensemble, const char* unit) {
  if (!ensemble) return nullptr;
  Json json;
  json["unit"] = unit;
  json["fit"] = ensemble->fit->to_json();
  json["log_half_widths"] = half_widths_json(*ensemble);
  if (ensemble->spread) json["spread"] = spread_json(*ensemble->spread);
  Json& members = json["members"] = Json::array();
  for (std::size_t i = 0; i < ensemble->members.size(); ++i) {
    members.push_back(
        {{"left_out", ensemble->left_out[i]}, {"fit", ensemble->members[i]->to_json()}});
  }
  return json;
}

std::optional<Ensemble> read_ensemble(const Json& json, std::string_view method, Target target) {
  if (json.is_null()) return std::nullopt;
  Ensemble ensemble;
  ensemble.fit = fitted_from_json(method, target, json.at("fit"));
  for (const Json& member : json.at("members")) {
    ensemble.left_out.push_back(member.at("left_out"));
    ensemble.members.push_back(fitted_from_json(method, target, member.at("fit")));
  }
  if (const auto spread = json.find("spread"); spread != json.end())
    ensemble.spread = read_spread(*spread);
  const Json& widths = json.at("log_half_widths");
  for (const FeatureSet features : feature_sets_within(FeatureSet::All)) {
    const auto levels = widths.find(std::string(name_of(features)));
    if (levels == widths.end()) continue;
    for (const NodeLevel level : kAllLevels) {
      if (const auto width = levels->find(std::string(name_of(level))); width != levels->end()) {
        ensemble.half_widths[static_cast<std::size_t>(features)][index_of(level)] =
            stored_size(*width, "a half-width");
      }
    }
  }
  return ensemble;
}

template <class Choice, std::size_t N>
Choice read_word(const Json& json, const char* key, const std::array<Choice, N>& choices) {
  const auto word = json.get<std::string>();
  for (const Choice choice : choices)
    if (name_of(choice) == word) return choice;
  throw Error(ErrorKind::BadInput, fmt::format("has the unknown {} '{}'", key, word));
}

template <class Choice, std::size_t N>
Choice read_choice(const Json& json, const char* key, const std::array<Choice, N>& choices) {
  return read_word(json.at(key), key, choices);
}

std::size_t number_in(const Json& json, const char* key) {
  return static_cast<std::size_t>(
      stored_count(json.at(key), key, 0, std::numeric_limits<std::int64_t>::max()));
}

PredictorInfo read_info(const Json& json) {
  PredictorInfo info;
  info.method = json.at("method").get<std::string>();
  const Method* const method = find_method(info.method);
  if (method == nullptr)
    throw Error(ErrorKind::BadInput, fmt::format("has the unknown method '{}'", info.method));
  info.priced_by_work = method->prices_work;
  info.features = read_choice(json, "features",
                              std::array{FeatureSet::All, FeatureSet::Leaves, FeatureSet::Specs});
  info.level = json.at("level");
  check_level(info.level);
  info.config = json.at("config").dump();
  const Json& data = json.at("trained_on");
  info.models = data.at("models").get<std::vector<std::string>>();
  info.devices = data.at("devices").get<std::vector<std::string>>();
  info.operators = data.contains("operators") ? number_in(data, "operators") : 0;
  info.runs = number_in(data, "runs");
  info.nodes = number_in(data, "nodes");
  info.fused = data.at("fused");
  // Predictors of older versions do not say.
  if (data.contains("layout")) {
    info.layout =
        read_choice(data, "layout", std::array{ChannelLayout::Blocked, ChannelLayout::Plain});
  }
  info.energy =
      read_choice(data, "energy", std::array{Provenance::Measured, Provenance::Estimated});
  for (const Json& name : data.at("vocabularies")) {
    info.vocabularies.push_back(read_word(name, "vocabulary",
                                          std::array{Vocabulary::Onnx, Vocabulary::Aten,
                                                     Vocabulary::TorchModules, Vocabulary::Other}));
  }
  // So do those of places.
  if (data.contains("measured_on")) info.measured_on = read_places(data["measured_on"]);
  if (data.contains("adapted_from")) info.adapted_from = read_places(data["adapted_from"]);
  if (data.contains("median_error_percent"))
    info.median_error = stored_size(data["median_error_percent"], "the median error");
  return info;
}

void check_format(const Json& json) {
  if (!json.is_object() || json.value("format", "") != kFormat)
    throw Error(ErrorKind::BadInput, "is not a predictor; make one with jouletree train");
  const auto version = stored_count(json.at("version"), "the version", 0, 1000000);
  if (version != kVersion) {
    throw Error(ErrorKind::BadInput,
                fmt::format("is a predictor of version {}, but this program reads version {}; "
                            "train it anew",
                            version, kVersion));
  }
}

}  // namespace
}  // namespace predict

std::string Predictor::text() const {
  const PredictorInfo& info = state_->info;
  predict::Json json;
  json["format"] = predict::kFormat;
  json["version"] = predict::kVersion;
  json["method"] = info.method;
  json["features"] = name_of(info.features);
  json["level"] = info.level;
  json["config"] = parse_json<predict::Json>(info.config);
  json["trained_on"] = {{"runs", info.runs},     {"operators", info.operators},
                        {"nodes", info.nodes},   {"energy", name_of(info.energy)},
                        {"fused", info.fused},   {"layout", name_of(info.layout)},
                        {"models", info.models}, {"devices", info.devices}};
  predict::Json& vocabularies = json["trained_on"]["vocabularies"] = predict::Json::array();
  for (const Vocabulary vocabulary : info.vocabularies) vocabularies.push_back(name_of(vocabulary));
  predict::Json& trained_on = json["trained_on"];
  trained_on["measured_on"] = predict::places_json(info.measured_on);
  if (!info.adapted_from.empty())
    trained_on["adapted_from"] = predict::places_json(info.adapted_from);
  if (info.median_error) trained_on["median_error_percent"] = *info.median_error;
  json["trained_ranges"] = state_->ranges.to_json();
  json["energy"] = predict::ensemble_json(state_->energy, "J");
  json["time"] = predict::ensemble_json(state_->time, "s");
  return json.dump(1, ' ', false, predict::Json::error_handler_t::replace) + "\n";
}

Predictor Predictor::parse(std::string_view text, const std::string& name) {
  try {
    const auto json = parse_json<predict::Json>(text);
    predict::check_format(json);
    auto state = std::make_shared<State>();
    state->info = predict::read_info(json);
    state->ranges = predict::TrainedRanges::from_json(json.at("trained_ranges"));
    state->energy =
        predict::read_ensemble(json.at("energy"), state->info.method, predict::Target::Energy);
    state->time =
        predict::read_ensemble(json.at("time"), state->info.method, predict::Target::Time);
    return Predictor(std::move(state));
  } catch (const predict::Json::exception& problem) {
    throw Error(ErrorKind::BadInput,
                fmt::format("{}: is not a predictor, or a damaged one: {}; make one with jouletree "
                            "train",
                            name, json_problem(problem, text)));
  } catch (const Error& problem) {
    throw Error(problem.kind(), fmt::format("{}: {}", name, problem.what()));
  }
}

Predictor Predictor::read(const std::filesystem::path& path) {
  const MappedFile file(path);
  return parse(file.bytes(), path.string());
}

}  // namespace jouletree
