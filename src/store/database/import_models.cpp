#include "store/database/figure_columns.hpp"
#include "store/database/import_tables.hpp"

namespace jouletree::store {
std::optional<std::size_t> model_name_column(const TableRows& table) {
  return table.first_of({"model", "model_name", "arch_str", "arch", "architecture", "genotype",
                         "network", "net", "Model", "Network", "Architecture", "modelname", "name",
                         "arch_idx", "model_id"});
}

bool is_model_table(const TableRows& table) {
  return model_name_column(table) && figure_columns(table).any();
}

void read_models(const ImportedFile& file, TableRows& table, SourceWriter& writer) {
  const FigureColumns columns = figure_columns(table);
  const auto name = model_name_column(table);
  const PlaceColumns place(table);
  const auto phase = table.first_of({"phase", "mode"});
  const auto mode = table.column("exec_mode");
  const auto shape = table.column("input_shape");
  const auto sequence = table.first_of({"seq_len", "sequence"});
  const auto runs = table.column("iterations");
  const auto batch = table.first_of({"batch_size", "batch"});
  for_each_row(file, table, writer, [&] {
    MeasurementRecord one;
    if (!set_figures(table, columns, one)) return writer.skip_line(table.line());
    ModelRecord model;
    model.name = table.text(name);
    if (model.name.empty()) table.fail(name, "is empty; it names the model");
    const bool trains = table.text(phase).find("train") != std::string::npos;
    model.mode = trains ? "training" : "inference";
    model.inputs = one_shape(table.shape(shape));
    // Where the shape tells it, models have the same key without a column for it.
    if (model.inputs.empty()) model.batch = table.above_zero(batch);
    model.sequence = table.above_zero(sequence);
    one.of = MeasurementRecord::Of::Model;
    one.subject = writer.add(model);
    place.set(table, writer, one);
    one.source_row = table.position();
    one.conditions = table.text(mode);
    one.runs = whole_number(table.number(runs));
    writer.add(std::move(one));
  });
}

}  // namespace jouletree::store
