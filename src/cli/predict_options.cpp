#include "cli/predict_options.hpp"

#include <iostream>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/bounded_json.hpp"
#include "base/display_width.hpp"
#include "base/json_problem.hpp"
#include "base/mapped_file.hpp"
#include "base/message.hpp"
#include "cli/choice.hpp"
#include "jouletree/error.hpp"

namespace jouletree::cli {
namespace {

const std::vector<std::pair<std::string, FeatureSet>> kFeatureWords = {
    {"all", FeatureSet::All}, {"leaves", FeatureSet::Leaves}, {"specs", FeatureSet::Specs}};

std::vector<std::pair<std::string, std::string>> method_words() {
  std::vector<std::pair<std::string, std::string>> words;
  for (const std::string_view name : prediction_methods()) words.emplace_back(name, name);
  return words;
}

}  // namespace

void FitOptions::add_to(CLI::App& command) {
  add_choice<std::string>(command, "--method", train.method, method_words(),
                          fmt::format("How to predict (default: {})", train.method));
  add_choice<FeatureSet>(command, "--features", train.features, kFeatureWords,
                         "What to predict from: measured time and GPU energy of operators and of "
                         "the children of a module (all, the default), of operators only "
                         "(leaves), nothing measured (specs)");
  command.add_option("--level", train.level, "Share of true values that intervals should hold")
      ->type_name("SHARE")
      ->check([](const std::string& text) {
        // Nothing is smaller or larger than "nan".
        return CLI::detail::to_lower(text).find("nan") == std::string::npos
                   ? ""
                   : fmt::format("'{}' is not a number", printable(text));
      })
      ->check(CLI::Range(0.5, 0.999));
  command.add_option("--config", config_file, "JSON file with settings of the method")
      ->type_name("FILE");
  add_place_options(command, place);
  add_table_settings(command, tables);
  add_choice<std::optional<ChannelLayout>>(
      command, "--layout", tables.layout,
      {{"auto", std::nullopt},
       {"blocked", ChannelLayout::Blocked},
       {"plain", ChannelLayout::Plain}},
      "Of tables of whole models: how ONNX Runtime kept maps of images on the machine, with their "
      "channels in blocks (blocked, on x86-64) or not (plain, on ARM); auto takes what predicts "
      "better (the default)");
}

void add_table_settings(CLI::App& command, report::TableChoice& tables) {
  command
      .add_option("--set", tables.settings,
                  "Of tables of whole models: a setting of the zoo's models, e.g. classes=100, "
                  "where the table has no such column (repeatable)")
      ->type_name("KEY=VALUE")
      ->allow_extra_args(false);
}

void add_place_options(CLI::App& command, store::PlaceChoice& place) {
  command
      .add_option("--machine", place.machine,
                  "Of several machines in a database, the one whose name holds this text")
      ->type_name("TEXT");
  command
      .add_option(
          "--engine", place.engine,
          "Of several engines in a database, the one whose name holds this text, or several "
          "with commas between them")
      ->type_name("TEXT");
}

TrainOptions FitOptions::settled() const {
  TrainOptions result = train;
  if (config_file.empty()) return result;
  const MappedFile file(config_file);
  const auto refuse = [&](const std::string& problem) {
    throw Error(ErrorKind::BadInput,
                fmt::format("{}: {}; write the settings as a JSON object, like {{\"seed\": 1}}",
                            config_file, problem));
  };
  try {
    const auto json = parse_json<nlohmann::json>(file.bytes());
    if (!json.is_object()) refuse("is not a JSON object");
    result.config = json.dump();
  } catch (const nlohmann::json::exception& error) {
    refuse(json_problem(error, file.bytes()));
  }
  return result;
}

void add_features_option(CLI::App& command, std::optional<FeatureSet>& features) {
  std::string words;
  command
      .add_option_function<std::string>(
          "--features",
          [&features](const std::string& text) {
            for (const auto& [word, value] : kFeatureWords)
              if (word == text) features = value;
            if (!features) {
              throw CLI::ValidationError("--features",
                                         fmt::format("'{}' is not one of all|leaves|specs", text));
            }
          },
          "Use no more than this of the data (default: all that they hold and the predictor can "
          "use)")
      ->type_name("all|leaves|specs");
}

void add_as_written_option(CLI::App& command, bool& as_written) {
  command.add_flag("--as-written", as_written,
                   "Take a model's operators as its file has them (default: as ONNX Runtime fuses "
                   "them, where the predictor learned from its profiles; as PyTorch calls them, "
                   "where it learned from its modules)");
}

void warn(const std::string& message) { say("warning: " + message); }

}  // namespace jouletree::cli
