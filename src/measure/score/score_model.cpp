#include "jouletree/score_model.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "base/number_of.hpp"
#include "base/scratch_folder.hpp"
#include "base/told_as.hpp"
#include "engines/checked_engine.hpp"
#include "engines/data/data_sources.hpp"
#include "engines/engine_list.hpp"
#include "jouletree/error.hpp"
#include "measure/score/metered_score.hpp"
#include "measure/score/score_settings.hpp"
#include "measure/score/scored_model.hpp"
#include "measure/score/scorer.hpp"

namespace jouletree::measure {
namespace {

/// The one tensor of a file.
engines::FileTensor open_labels(const std::string& file, const std::filesystem::path& scratch) {
  if (file.empty())
    throw Error(ErrorKind::BadInput, "a score needs labels: --labels FILE.npy, one per example");
  // Data that are put in order are kept in the same folder by the names that come first.
  const std::filesystem::path folder = scratch / "labels";
  std::filesystem::create_directories(folder);
  engines::ScratchFiles files(folder);
  int arrays = 0;
  std::vector<engines::OfferedTensor> offered = engines::read_data_source(
      file, files, "--labels", [&](const std::string& /*name*/, const std::string& /*origin*/) {
        if (++arrays > 1) {
          throw Error(ErrorKind::BadInput,
                      fmt::format("{}: holds several arrays; labels are a single one", file));
        }
      });
  if (offered.size() != 1) {
    throw Error(ErrorKind::BadInput, fmt::format("{}: holds {}; labels are a single one", file,
                                                 number_of(offered.size(), "array")));
  }
  engines::FileTensor labels = std::move(offered.front().tensor);
  if (labels.dims.empty() || labels.dims[0] == 0)
    throw Error(ErrorKind::BadInput, fmt::format("{}: holds no labels", labels.origin));
  if (width_of(labels.type) == 0) {
    throw Error(ErrorKind::BadInput, fmt::format("{}: holds {}, which are no labels", labels.origin,
                                                 name_of(labels.type)));
  }
  return labels;
}

TensorView rows_of_labels(const engines::FileTensor& labels, std::int64_t first,
                          std::int64_t count) {
  const std::string_view bytes = labels.bytes();
  const std::size_t row = bytes.size() / static_cast<std::size_t>(labels.dims[0]);
  Dims dims = labels.dims;
  dims[0] = count;
  return {
      labels.type, std::move(dims),
      bytes.substr(static_cast<std::size_t>(first) * row, static_cast<std::size_t>(count) * row)};
}

class Evaluation {
 public:
  Evaluation(engines::Engine& engine, const std::filesystem::path& model,
             const ScoreSettings& settings, engines::FileTensor labels,
             const std::filesystem::path& scratch)
      : settings_(settings),
        scorer_(settings.metrics, reading_of(settings)),
        labels_(std::move(labels)),
        model_(engine, model, {settings.inputs, settings.output, settings.batch, scratch}),
        data_(model_.open(settings.data, labels_.dims[0])) {}

  void run() {
    const std::int64_t examples = labels_.dims[0];
    for (std::int64_t first = 0; first < examples; first += model_.batch()) {
      tell(first);
      const std::int64_t count = std::min(model_.batch(), examples - first);
      const ExampleOutputs outputs = model_.run(data_, first, count);
      scorer_.add(outputs.view(), rows_of_labels(labels_, first, count));
    }
    tell(examples);
  }

  void finish(Score& score) const {
    scorer_.finish(score);
    score.batch = std::min(model_.batch(), score.examples);
    score.model_time_s = model_.model_time_s();
    score.params = model_.params();
    for (std::string& note : model_.notes()) score.notes.push_back(std::move(note));
  }

 private:
  void tell(std::int64_t done) const {
    if (settings_.check) settings_.check();
    if (settings_.progress) {
      settings_.progress("scoring", static_cast<std::size_t>(done),
                         static_cast<std::size_t>(labels_.dims[0]));
    }
  }

  const ScoreSettings& settings_;
  Scorer scorer_;
  engines::FileTensor labels_;
  ScoredModel model_;
  ExampleData data_;
};

}  // namespace

ScoreReading reading_of(const ScoreSettings& settings) {
  ScoreReading reading;
  reading.class_axis = settings.class_axis;
  reading.ignored_label = settings.ignored_label;
  if (settings.outputs_are == "logits") {
    reading.outputs = ScoreKind::Logits;
  } else if (settings.outputs_are == "probabilities") {
    reading.outputs = ScoreKind::Probabilities;
  } else if (settings.outputs_are != "auto") {
    throw Error(
        ErrorKind::BadInput,
        fmt::format("outputs are '{}': say auto, logits or probabilities", settings.outputs_are));
  }
  return reading;
}

void check_settings(const ScoreSettings& settings) {
  if (!std::isfinite(settings.epr_alpha) || settings.epr_alpha < 0) {
    throw Error(
        ErrorKind::BadInput,
        "the exponent of the energy-precision ratio must be a finite number from 0 on, such as 1");
  }
  if (settings.batch && *settings.batch < 1)
    throw Error(ErrorKind::BadInput, "a batch holds one example at least");
  (void)Scorer(settings.metrics, reading_of(settings));
}

namespace {

Score score_checked(const std::filesystem::path& model, const ScoreSettings& settings) {
  const engines::ModelFile file = engines::model_file(model);
  const ScratchFolder scratch;
  // Labels that cannot be used are told of before an engine is looked for.
  engines::FileTensor labels = open_labels(settings.labels, scratch.path());
  const auto engine = engines::checked_engine(
      engines::open_engine(
          file.engine, {scratch.path(), settings.threads, settings.execution, settings.level,
                        settings.device, settings.device_options, settings.python, settings.check}),
      settings.check);
  Score score;
  score.model = settings.told_as.empty() ? model.filename().string() : settings.told_as;
  score.engine = engine->name();
  score.model_bytes = file.bytes;
  score.epr_alpha = settings.epr_alpha;
  try {
    Evaluation evaluation(*engine, model, settings, std::move(labels), scratch.path());
    std::vector<std::string> cost_notes;
    with_costs(
        settings.meters, settings.tell, [&] { evaluation.run(); }, score);
    cost_notes = std::move(score.notes);
    evaluation.finish(score);
    score.notes.insert(score.notes.end(), cost_notes.begin(), cost_notes.end());
  } catch (const engines::EngineLost& lost) {
    // A signal to all of a terminal ends the engine's process, too, and its end is not the reason.
    if (settings.check) settings.check();
    throw Error(ErrorKind::Failed, fmt::format("{}: the engine ended while it ran the model: {}",
                                               model.string(), lost.what()));
  } catch (const Error&) {
    if (settings.check) settings.check();
    throw;
  }
  return score;
}

}  // namespace
}  // namespace jouletree::measure

namespace jouletree {

Score score_model(const std::filesystem::path& model, const ScoreSettings& settings) {
  measure::check_settings(settings);
  return with_errors_told_as(model, settings.told_as,
                             [&] { return measure::score_checked(model, settings); });
}

}  // namespace jouletree
