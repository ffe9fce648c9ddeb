#include <fmt/format.h>

#include "jouletree/units.hpp"
#include "store/database/import_tables.hpp"

namespace jouletree::store {
namespace {

/// Level of a row of the tables that were published with IrEne, one file per level. The whole is
/// named like its model; operators of a framework and modules look alike but for the file.
enum class RowLevel { Operator, Module, Model };

RowLevel level_of(const std::string& scope, const std::string& model, const std::string& file) {
  if (scope == model) return RowLevel::Model;
  const std::string name = std::filesystem::path(file).filename().string();
  return name.find("module") != std::string::npos ? RowLevel::Module : RowLevel::Operator;
}

struct FeatureColumns {
  explicit FeatureColumns(const TableRows& table)
      : model(table.column("model_name")),
        scope(table.column("level_name")),
        batch(table.column("batch_size")),
        sequence(table.column("seq_len")),
        flops(table.column("flops")),
        bytes(table.column("mem_bytes")),
        time(table.column("times_mean")),
        energy(table.first_of({"energy_mean", "ground_truth_energy"})),
        gpu_energy(table.column("gpu_energy_mean")),
        machine(table.first_of({"machine", "gpu_config", "hardware", "device"})) {}

  std::optional<std::size_t> model, scope, batch, sequence, flops, bytes, time, energy, gpu_energy,
      machine;
};

ModelRecord featured_model(const TableRows& table, const FeatureColumns& columns) {
  ModelRecord model;
  model.name = table.text(columns.model);
  if (model.name.empty()) table.fail(columns.model, "is empty; it names the model");
  model.batch = table.above_zero(columns.batch);
  model.sequence = table.above_zero(columns.sequence);
  return model;
}

/// "encoder.layer.0.attention.self.query:Linear".
std::string type_in(const std::string& scope) {
  const std::size_t colon = scope.rfind(':');
  return colon == std::string::npos ? scope : scope.substr(colon + 1);
}

RunNode node_in(const TableRows& table, const FeatureColumns& columns) {
  RunNode node;
  node.type = type_in(table.text(columns.scope));
  node.mflops = table.number(columns.flops);
  node.mebibytes = table.number(columns.bytes);
  return node;
}

MeasurementRecord measurement_in(const TableRows& table, const FeatureColumns& columns) {
  MeasurementRecord one;
  one.source_row = table.position();
  one.time_mean_s = table.above_zero(columns.time);
  one.time_s.value = one.time_mean_s;
  one.energy_j.value = table.above_zero(columns.energy);
  if (one.energy_j.value) one.energy_provenance = "measured";
  if (const auto gpu = table.number(columns.gpu_energy))
    one.domains.push_back({"gpu", {gpu, std::nullopt, std::nullopt}, std::nullopt, "measured"});
  if (!one.time_s.value && !one.energy_j.value)
    table.fail(columns.energy, "and the time are empty; a row tells at least one of them");
  return one;
}

}  // namespace

bool is_feature_table(const TableRows& table) {
  return table.column("level_name") && table.column("model_name") &&
         (table.column("times_mean") || table.column("energy_mean"));
}

void read_features(const ImportedFile& file, TableRows& table, SourceWriter& writer) {
  const FeatureColumns columns(table);
  for_each_row(file, table, writer, [&] {
    MeasurementRecord one = measurement_in(table, columns);
    const std::string& scope = table.text(columns.scope);
    const ModelRecord model = featured_model(table, columns);
    const RowLevel level = level_of(scope, model.name, file.path);
    if (level == RowLevel::Model) {
      ModelRecord counted = model;
      if (const auto mflops = table.number(columns.flops)) counted.flops = *mflops * kOneMegaflop;
      if (const auto mebibytes = table.number(columns.bytes))
        counted.bytes = *mebibytes * kMebibyte;
      one.of = MeasurementRecord::Of::Model;
      one.subject = writer.add(counted);
    } else if (level == RowLevel::Module) {
      const OperatorRecord like = operator_of(node_in(table, columns));
      one.of = MeasurementRecord::Of::Module;
      one.subject = writer.add(ModuleRecord{like.key, like.op, 0});
    } else {
      one.of = MeasurementRecord::Of::Operator;
      one.subject = writer.add(operator_of(node_in(table, columns)));
    }
    one.machine = writer.machine(table.text(columns.machine));
    one.engine = writer.engine("");
    one.conditions = model.name;
    writer.add(std::move(one));
  });
}

}  // namespace jouletree::store
