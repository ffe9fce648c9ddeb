#include <fmt/format.h>

#include "store/database/figure_columns.hpp"
#include "store/database/import_tables.hpp"

namespace jouletree::store {
namespace {

constexpr double kFloatBytes = 4;

/// What the plain columns of tables of operators say of their arguments.
constexpr const char* kArguments[] = {
    "in_channels", "out_channels", "kernel_h",     "kernel_w",
    "stride_h",    "stride_w",     "pad_h",        "pad_w",
    "dilation_h",  "dilation_w",   "groups",       "bias",
    "in_features", "out_features", "num_features", "normalized_shape",
    "output_size", "output_h",     "output_w",     "ceil_mode",
    "p",           "approximate"};

/// As torch prints a module, and the shape of what goes in.
std::string key_of(const TableRows& table) {
  const std::string& key = table.text(table.column("op_key"));
  if (!key.empty()) return key;
  const std::string& op = table.text(table.column("op_class"));
  const std::string& printed = table.text(table.column("op_repr"));
  return fmt::format(
      "{}@{}",
      printed.empty() ? fmt::format("{}({})", op, table.text(table.column("op_args"))) : printed,
      table.text(table.column("input_shape")));
}

std::string direction_of(const std::string& mode) {
  return mode.find("bwd") != std::string::npos || mode.find("backward") != std::string::npos
             ? "forward+backward"
             : "forward";
}

OperatorRecord operator_in(const TableRows& table) {
  OperatorRecord one;
  one.op = table.text(table.column("op_class"));
  if (one.op.empty()) table.fail(table.column("op_class"), "is empty; it names the operator");
  one.direction = direction_of(table.text(table.column("exec_mode")));
  // The forward pass needs no word: tables of counts have none.
  one.key = key_of(table) + (one.direction == "forward" ? "" : " (" + one.direction + ")");
  for (const char* const argument : kArguments) {
    const std::string& value = table.text(table.column(argument));
    if (!value.empty()) one.attributes.emplace(argument, value);
  }
  one.inputs = one_shape(table.shape(table.column("input_shape")));
  one.outputs = one_shape(table.shape(table.first_of({"derived_output_shape", "output_shape"})));
  one.flops = table.number(table.first_of({"derived_flops_fwd", "flops"}));
  one.params = table.number(table.first_of({"derived_n_weight", "params"}));
  const auto inputs = table.number(table.column("derived_n_in"));
  const auto outputs = table.number(table.column("derived_n_out"));
  if (inputs && outputs) one.bytes = kFloatBytes * (*inputs + *outputs + one.params.value_or(0));
  return one;
}

/// The numbers of models and of their operators in the table of counts have the same keys as in
/// tables of times.
ModelRecord counted_model(const TableRows& table) {
  ModelRecord model;
  model.name = table.text(table.column("model"));
  if (model.name.empty()) table.fail(table.column("model"), "is empty; it names the model");
  model.mode = table.text(table.column("mode")).find("train") != std::string::npos ? "training"
                                                                                   : "inference";
  model.inputs = one_shape(table.shape(table.column("model_input_shape")));
  return model;
}

}  // namespace

bool is_operator_table(const TableRows& table) {
  return table.column("op_class") && figure_columns(table).any();
}

void read_operators(const ImportedFile& file, TableRows& table, SourceWriter& writer) {
  const FigureColumns columns = figure_columns(table);
  const PlaceColumns place(table);
  const auto mode = table.column("exec_mode");
  const auto runs = table.column("iterations");
  for_each_row(file, table, writer, [&] {
    MeasurementRecord one;
    if (!set_figures(table, columns, one)) return writer.skip_line(table.line());
    one.of = MeasurementRecord::Of::Operator;
    one.subject = writer.add(operator_in(table));
    place.set(table, writer, one);
    one.source_row = table.position();
    one.conditions = table.text(mode);
    one.runs = whole_number(table.number(runs));
    writer.add(std::move(one));
  });
}

bool is_count_table(const TableRows& table) {
  return table.column("model") && table.column("op_class") &&
         table.first_of({"count_all_calls", "count"}) && !figure_columns(table).any();
}

void read_counts(const ImportedFile& file, TableRows& table, SourceWriter& writer) {
  const auto count = table.first_of({"count_all_calls", "count"});
  const auto engine = table.column("engine");
  for_each_row(file, table, writer, [&] {
    const auto calls = table.number(count);
    if (!calls || *calls < 0) table.fail(count, "is not a number of calls");
    const Id model = writer.add(counted_model(table));
    writer.add_count(model, writer.engine(table.text(engine)), writer.add(operator_in(table)),
                     static_cast<std::int64_t>(*calls));
  });
}

}  // namespace jouletree::store
