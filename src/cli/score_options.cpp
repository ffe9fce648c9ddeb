#include "cli/score_options.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/choice.hpp"
#include "jouletree/error.hpp"
#include "measure/score/score_settings.hpp"
#include "measure/score/scorer.hpp"

namespace jouletree::cli {

void ScoreOptions::add_to(CLI::App& command) {
  command
      .add_option(
          data_flag, data,
          "Examples to score, first dimension theirs: NAME=FILE.npy, NAME=FILE.pb, FILE.npz "
          "or a folder of input_0.pb … (repeatable)")
      ->type_name("PATH")
      ->allow_extra_args(false);
  command
      .add_option(
          "--labels", labels,
          "The right answer for each example, a .npy or .pb file: classes, one-hot rows, or "
          "numbers")
      ->type_name("FILE");
  command
      .add_option("--metric", metrics,
                  fmt::format("What to score by (repeatable; the first one is the primary one; "
                              "default: top1): {}, or any top-k such as top3",
                              fmt::join(measure::score_metric_names(), ", ")))
      ->type_name("NAME")
      ->allow_extra_args(false);
  command
      .add_option("--batch", batch, "Examples in one run (default: 32, or what the model takes)")
      ->type_name("N");
  command.add_option("--output-name", output, "Which output to score (default: the first)")
      ->type_name("NAME");
  add_choice<std::string>(
      command, "--outputs", outputs_are,
      {{"auto", "auto"}, {"logits", "logits"}, {"probabilities", "probabilities"}},
      "What the outputs of a classifier are; auto takes rows between 0 and 1 that add up to 1 for "
      "probabilities (default: auto)");
  command
      .add_option("--class-axis", class_axis,
                  "Axis of the classes in the outputs, e.g. 1, or -1 for the last (default: what "
                  "fits the labels)")
      ->type_name("N");
  command
      .add_option("--ignore-label", ignored_label,
                  "Label of what is not scored, such as padding (default: -100)")
      ->type_name("N");
  command
      .add_option("--epr-alpha", epr_alpha,
                  "Exponent of the energy-precision ratio, error^N × energy per example "
                  "(default: 1)")
      ->type_name("N");
}

void ScoreOptions::check() const {
  if (data.empty() && labels.empty() && metrics.empty()) return;
  if (data.empty()) {
    throw Error(ErrorKind::BadInput, fmt::format("a score needs examples: {} FILE.npy", data_flag));
  }
  if (labels.empty()) {
    throw Error(ErrorKind::BadInput, "a score needs labels: --labels FILE.npy, one per example");
  }
  measure::check_settings(settings());
}

ScoreSettings ScoreOptions::settings() const {
  ScoreSettings settings;
  settings.data = data;
  settings.labels = labels;
  if (!metrics.empty()) settings.metrics = metrics;
  settings.batch = batch;
  settings.output = output;
  settings.outputs_are = outputs_are;
  settings.class_axis = class_axis;
  settings.ignored_label = ignored_label;
  settings.epr_alpha = epr_alpha;
  return settings;
}

}  // namespace jouletree::cli
