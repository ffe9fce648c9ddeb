#include "report/prediction_subject.hpp"

#include <sstream>

#include <fmt/format.h>

#include "base/mapped_file.hpp"
#include "base/number_of.hpp"
#include "engines/engine_list.hpp"
#include "jouletree/error.hpp"
#include "jouletree/tree_files.hpp"
#include "report/counted_model.hpp"
#include "tree/run_signatures.hpp"
#include "zoo/named_model.hpp"

namespace jouletree::report {
namespace {

FeatureSet choose_features(const std::string& subject, const Predictor& predictor,
                           const TreeRun& run, std::optional<FeatureSet> most) {
  const FeatureSet usable = predictor.usable_features(run);
  if (!most) return usable;
  if (*most < usable) {
    throw Error(ErrorKind::BadInput,
                fmt::format("{}: --features {} needs measured values that line {} or the predictor "
                            "does not have; --features {} is possible",
                            subject, name_of(*most), run.line, name_of(usable)));
  }
  return *most;
}

/// Operators that share a problem, told by their number and the first of them.
struct Troubled {
  std::size_t count = 0;
  std::string first;

  void add(const RunNode& node) {
    if (count++ == 0) first = fmt::format("{} ({})", node.id, node.type);
  }
};

/// What went wrong with operators, by reason.
struct Problems {
  std::size_t operators = 0;
  std::size_t priced = 0;  ///< Without those that cost nothing, as views do.
  Troubled beyond;
  Troubled without_specs;  ///< FLOPs or bytes are unknown.
  Troubled of_other_type;  ///< The predictor has no price for them.

  [[nodiscard]] std::size_t unknown() const { return without_specs.count + of_other_type.count; }
};

Problems problems_of(const std::vector<PredictedRun>& predicted) {
  Problems problems;
  for (const PredictedRun& one : predicted) {
    for (std::size_t i = 0; i < one.nodes.size(); ++i) {
      const RunNode& node = one.run.nodes[i];
      if (node.level != NodeLevel::Operator) continue;
      ++problems.operators;
      const bool is_known = one.nodes[i].energy_j || one.nodes[i].time_s;
      if (one.nodes[i].energy_j.value_or(0) > 0 || one.nodes[i].time_s.value_or(0) > 0)
        ++problems.priced;
      if (one.nodes[i].beyond_training && is_known) problems.beyond.add(node);
      if (is_known) continue;
      (node.mflops && node.mebibytes ? problems.of_other_type : problems.without_specs).add(node);
    }
  }
  return problems;
}

/// Why operators have no prediction, and what helps.
std::string reason(const Problems& problems, const PredictionSubject& subject,
                   const std::string& predictor_name, const PredictorInfo& info) {
  if (problems.without_specs.count >= problems.of_other_type.count) {
    return fmt::format("FLOPs or bytes are unknown; the first is {}; {}",
                       problems.without_specs.first, subject.advice);
  }
  const std::string& first = problems.of_other_type.first;
  if (info.priced_by_work) {
    return fmt::format(
        "the training data of {} hold no FLOPs and bytes of operators; the first is "
        "{}; train on profiles ('jouletree profile MODEL -o FOLDER'), which do",
        predictor_name, first);
  }
  return fmt::format(
      "method {} knows only types of operators that were in its training data; the "
      "first other one is {}; train with --method ledger, which goes by the work "
      "of an operator, or on models with such operators",
      info.method, first);
}

std::vector<std::string> warnings_about(const Problems& problems, const std::string& why) {
  std::vector<std::string> warnings;
  if (problems.beyond.count > 0) {
    warnings.push_back(fmt::format("{} {} beyond the training data, the first is {}",
                                   number_of(problems.beyond.count, "operator"),
                                   agreeing(problems.beyond.count, "is", "are"),
                                   problems.beyond.first));
  }
  if (problems.unknown() > 0) {
    warnings.push_back(fmt::format("{} of {} cannot be predicted, nor can what holds them: {}",
                                   problems.unknown(), number_of(problems.operators, "operator"),
                                   why));
  }
  return warnings;
}

/// Throws where nothing at all can be said.
void refuse_unpredictable(const Problems& problems, const std::string& subject,
                          const std::string& why) {
  if (problems.operators == 0) {
    throw Error(ErrorKind::BadInput,
                fmt::format("{}: holds no operators; predictions are made from operators, so give "
                            "the model's file or a tree down to its operators",
                            subject));
  }
  if (problems.unknown() == 0 || problems.priced > 0) return;
  throw Error(ErrorKind::BadInput, fmt::format("{}: none of its {} can be predicted: {}", subject,
                                               number_of(problems.operators, "operator"), why));
}

}  // namespace

PredictionSubject counted_subject(ModelTree tree, const InputSettings& settings, Runner runner,
                                  ChannelLayout layout) {
  PredictionSubject subject;
  subject.name = tree.name;
  subject.advice = "'jouletree inspect' of the model says why";
  // Those of the tree also tell of parameters, which predictions do not show.
  std::vector<std::string> assumptions = tree.inference.notes;
  tree = expected_tree(std::move(tree), settings, runner, layout);
  subject.runs.push_back(counted_run(tree));
  if (runner == Runner::OnnxRuntime) subject.runs.back().expected_layout = layout;
  subject.runs.back().notes = std::move(assumptions);
  subject.counted = std::make_shared<const ModelTree>(std::move(tree));
  return subject;
}

std::vector<std::vector<std::string>> signatures_of(const PredictionSubject& subject) {
  if (subject.counted == nullptr) return {};
  return {tree::run_signatures(*subject.counted, subject.runs.front())};
}

std::string_view runner_of(const std::string& subject) {
  if (zoo::is_zoo_name(subject)) return "onnxruntime";
  if (store::is_model_table_file(subject)) return "onnxruntime";
  if (store::is_folder(subject) || store::is_tree_file(subject) || store::is_operator_csv(subject))
    return {};
  return engines::model_file(subject).engine;
}

std::string_view runner_or_none(const std::string& subject) {
  try {
    return runner_of(subject);
  } catch (const Error&) {
    return {};
  }
}

PredictionSubject read_subject(const std::string& given, const InputSettings& settings,
                               Runner runner, const store::Warn& warn, const TableChoice& tables) {
  PredictionSubject subject;
  const std::string file = store::file_of_profile(given);
  const ChannelLayout layout = tables.layout.value_or(ChannelLayout::Blocked);
  if (store::is_model_table_file(file)) {
    subject.name = given;
    subject.is_csv = true;
    subject.runs =
        counted_runs(store::read_model_table_file(file), tables,
                     runner == Runner::OnnxRuntime ? std::optional(layout) : std::nullopt);
    subject.text = std::string(MappedFile(file).bytes());
    subject.advice = "'jouletree inspect' of the model says why";
    return subject;
  }
  subject.is_csv = store::is_operator_csv(file);
  if (subject.is_csv || store::is_tree_file(file)) {
    subject.runs = store::read_data({file}, warn);
    subject.text = std::string(MappedFile(file).bytes());
    subject.advice = store::is_tree_file(file) ? "write flops and mem_bytes of such nodes"
                                               : "fill the columns flops and bytes";
  } else {
    subject = counted_subject(count_model(given, settings), settings, runner, layout);
  }
  subject.name = given;
  return subject;
}

SubjectPrediction::SubjectPrediction(const Predictor& predictor, const std::string& predictor_name,
                                     PredictionSubject subject, std::optional<FeatureSet> most,
                                     const KnownCosts& known)
    : subject_(std::move(subject)), learned_from_(predictor.info().energy) {
  std::vector<FeatureSet> features;
  for (const TreeRun& run : subject_.runs) {
    features.push_back(choose_features(subject_.name, predictor, run, most));
    nodes_.push_back(predictor.predict(run, features.back()));
    const std::size_t place = nodes_.size() - 1;
    if (place < known.size() && known[place].size() == run.nodes.size())
      predict::use_known_costs(run, known[place], nodes_.back());
  }
  predicted_.reserve(nodes_.size());
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    const TreeRun& run = subject_.runs[i];
    predicted_.push_back({run, nodes_[i], features[i], learned_from_, predictor.foreign(run),
                          predictor.info().level});
  }
  const Problems problems = problems_of(predicted_);
  const std::string why = reason(problems, subject_, predictor_name, predictor.info());
  refuse_unpredictable(problems, subject_.name, why);
  warnings_ = warnings_about(problems, why);
}

std::string SubjectPrediction::filled() const {
  std::ostringstream lines;
  const auto write = subject_.is_csv ? write_filled_rows : write_filled_lines;
  std::ostringstream counted;
  if (subject_.counted != nullptr) write_tree_line(*subject_.counted, counted);
  const std::string text = subject_.counted != nullptr ? counted.str() : subject_.text;
  store::of_data({subject_.name}, subject_.runs,
                 [&] { write(text, subject_.runs, nodes_, learned_from_, lines); });
  return lines.str();
}

}  // namespace jouletree::report
