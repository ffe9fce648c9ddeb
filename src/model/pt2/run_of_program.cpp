#include "model/pt2/run_of_program.hpp"

#include "model/pt2/argument_reader.hpp"
#include "model/pt2/program_walk.hpp"
#include "model/pt2/stored_weights.hpp"

namespace jouletree::model::pt2 {
namespace {

using runtime::Argument;

/// Makes an input known that users give; constants of the program are none.
void add_input(const dom::element& spec, ValueScope& scope, runtime::RecordedRun& run) {
  constexpr std::string_view kWhere = "an input";
  const auto [kind, value] = tagged(spec, kWhere);
  if (kind != "user_input") return;
  const auto found = find_field(as_object(value, kWhere), "arg");
  if (!found) refuse_field(kWhere, "has no 'arg'");
  for (const std::string_view name : tensor_names(*found))
    run.inputs.push_back({std::string(name), scope.make_tensor(name).argument});
  const auto [type, argument] = tagged(*found, kWhere);
  dom::object number;
  std::string_view name;
  if (type == "as_sym_int" && argument.get(number) == simdjson::SUCCESS &&
      number["as_name"].get(name) == simdjson::SUCCESS)
    run.inputs.push_back({std::string(name), scope.number(name)});
}

/// What users get; buffers that change are no outputs.
Argument user_outputs(const dom::object& signature, const ValueScope& scope) {
  Argument all;
  all.kind = Argument::Kind::List;
  for (const dom::element spec : array_at(signature, "output_specs", "the signature")) {
    const auto [kind, value] = tagged(spec, "an output");
    if (kind != "user_output" && kind != "loss_output") continue;
    const dom::object output = as_object(value, "an output");
    if (kind == "loss_output") {
      const std::string_view name =
          text_at(object_at(output, "arg", "an output"), "name", "an output");
      all.items.push_back(scope.tensor(name, "the signature").argument);
    } else if (const auto argument = find_field(output, "arg")) {
      for (const std::string_view name : tensor_names(*argument))
        all.items.push_back(scope.tensor(name, "the signature").argument);
    }
  }
  return all;
}

}  // namespace

runtime::RecordedRun run_of(const dom::object& program, const std::optional<dom::object>& weights,
                            SizeTable sizes) {
  const dom::object module = object_at(program, "graph_module", "the program");
  const dom::object graph = object_at(module, "graph", "the module");
  const dom::object signature = object_at(module, "signature", "the module");
  Numbering numbers;
  ValueScope scope(graph, sizes, numbers);
  StoredWeights stored(weights, sizes, numbers);
  runtime::RecordedRun run;
  run.engine = "PyTorch";
  for (const dom::element spec : array_at(signature, "input_specs", "the signature")) {
    stored.add(spec, scope);
    add_input(spec, scope, run);
  }
  run.stored = stored.take();
  ProgramWalk(sizes, numbers).walk(graph, scope, {}, run.calls);
  run.outputs = user_outputs(signature, scope);
  return run;
}

}  // namespace jouletree::model::pt2
