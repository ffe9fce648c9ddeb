#include "store/database/profile_rows.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "measure/runs_of.hpp"
#include "store/database/cells.hpp"
#include "store/database/database_parts.hpp"
#include "store/database/import_formats.hpp"
#include "store/database/measured_record.hpp"
#include "store/database/run_rows.hpp"
#include "store/model_profile.hpp"
#include "store/profile_folder.hpp"
#include "tree/operator_details.hpp"

namespace jouletree::store {
namespace {

using sql::Parameter;

std::optional<double> sum_of(const Sum& sum) {
  const auto value = sum.value();
  return value && !sum.lower_bound() ? std::optional(static_cast<double>(*value)) : std::nullopt;
}

std::optional<double> as_real(const std::optional<std::int64_t>& number) {
  return number ? std::optional(static_cast<double>(*number)) : std::nullopt;
}

bool is_training(const ModelTree& tree) {
  const auto& nodes = tree.graph->main.nodes;
  return std::any_of(nodes.begin(), nodes.end(),
                     [](const Node& node) { return node.phase != Phase::Forward; });
}

ModelRecord model_record(const measure::Profile& profile, const ProfileContent& content) {
  const ModelTree& tree = profile.given_tree();
  ModelRecord model;
  model.name = content.model;
  model.mode = is_training(profile.tree) ? "training" : "inference";
  for (const InputShape& input : content.inputs) {
    Dims dims;
    if (input.dims)
      for (const InputDim& dim : *input.dims) dims.push_back(dim.size);
    model.inputs.push_back(fmt::format("{}={}", input.name, to_string(dims)));
  }
  model.batch = as_real(tree::batch_size(tree));
  model.sequence = as_real(tree::sequence_length(tree));
  model.params = static_cast<double>(tree.root.totals.params);
  model.macs = sum_of(tree.root.totals.macs);
  model.flops = sum_of(tree.root.totals.flops);
  model.bytes = sum_of(tree.root.totals.bytes_moved());
  model.file_bytes = content.model_bytes;
  return model;
}

/// The node of the tree that stands for a node of the graph.
const TreeNode* find_operator(const TreeNode& node, NodeId id) {
  if (node.kind == TreeNodeKind::Operator)
    return node.operation != nullptr && node.operation->id == id ? &node : nullptr;
  for (const TreeNode& child : node.children)
    if (const TreeNode* const found = find_operator(child, id)) return found;
  return nullptr;
}

/// All operators of the model, measured or not, with how often they run.
void add_operators(Database& database, const measure::Profile& profile, Id model, Id engine,
                   Id source) {
  std::vector<OperatorRecord> operators;
  std::vector<Database::OperatorCount> counts;
  for (const measure::UniqueOperator& unique : profile.operators) {
    const TreeNode* const node = find_operator(profile.tree.root, unique.nodes.front());
    if (node == nullptr) continue;
    operators.push_back(operator_record(profile.tree, *node, unique.key));
    counts.push_back({operators.back().id(), std::llround(measure::runs_of(profile.tree, unique))});
  }
  database.add(operators);
  database.add_counts(model, engine, source, counts);
}

void add_scores(Database& database, const Score& score, const std::string& date, Id model,
                Id machine, Id engine, Id source) {
  for (const ScoredMetric& metric : score.metrics) {
    const std::string value = fmt::format("{}", metric.value);
    const Id id =
        content_id({"score", std::to_string(model), std::to_string(source), metric.name, value});
    database.connection().execute(
        "INSERT INTO scores (id, model_id, machine_id, engine_id, source_id, metric, value, unit, "
        "provenance, examples, measured_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT "
        "(id) DO NOTHING",
        std::array<Parameter, 11>{id, model, machine, engine, source, std::string_view(metric.name),
                                  metric.value, std::string_view("1"),
                                  std::string_view(name_of(Provenance::Measured)), score.examples,
                                  text_cell(date)});
  }
}

}  // namespace

void add_profile(Database& database, const ModelProfile& profile) {
  sql::Transaction transaction(database.connection());
  add_profile_rows(database, profile);
  transaction.commit();
}

Id add_profile_rows(Database& database, const ModelProfile& profile) {
  const measure::Profile& measured = *profile.state().measured;
  const ProfileContent& content = profile.content();
  const std::string& date = measured.environment.date;
  const SourceRecord source = source_of(measured.environment);
  const std::array<std::string, 4> files = {profile.tree_line(), profile.layers(), profile.json(),
                                            trials_text(profile)};

  database.wait_for_writers();
  const Id machine_id = database.add(machine_record(measured.environment));
  const Id engine_id = database.add(engine_record(measured.environment));
  const Id source_id = database.add(source);
  const Id model_id = database.add(model_record(measured, content));
  database.add_source_rows(source_id, 0, files);
  add_operators(database, measured, model_id, engine_id, source_id);

  std::optional<Id> whole_id;
  if (measured.whole.good()) {
    MeasurementRecord whole = measurement_record(measured.whole);
    whole.of = MeasurementRecord::Of::Model;
    whole.subject = model_id;
    whole.machine = machine_id;
    whole.engine = engine_id;
    whole.source = source_id;
    whole.measured_at = date;
    whole.asked_precision = measured.precision;
    database.add(std::span(&whole, 1));
    whole_id = whole.id();
    database.add_latencies(*whole_id, measured.latencies_s);
  }
  TreeRuns runs = read_tree_lines(files[0], content.model);
  for (const TreeRun& run : runs.runs)
    add_run(database.connection(), {source_id, 0, model_id, machine_id, engine_id, whole_id, date},
            node_records(run));
  if (content.score)
    add_scores(database, *content.score, date, model_id, machine_id, engine_id, source_id);
  return source_id;
}

}  // namespace jouletree::store
