#include "measure/score/scored_model.hpp"

#include <algorithm>
#include <numeric>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/mapped_file.hpp"
#include "base/number_of.hpp"
#include "jouletree/error.hpp"
#include "jouletree/parameters.hpp"

namespace jouletree::measure {
namespace {

constexpr std::int64_t kUsualBatch = 32;

std::optional<Dim> fixed_rows(const GraphValue& input) {
  const auto& dims = input.declared_dims;
  if (dims.empty() || dims[0].size == kUnknownDim) return std::nullopt;
  return dims[0].size;
}

/// Whether an input is given as it is to every batch.
bool is_whole(const GraphValue& input, const engines::FileTensor& tensor) {
  return tensor.dims.empty() || fixed_rows(input) == tensor.dims[0];
}

runtime::InputData rows_of(const engines::FileTensor& tensor, std::int64_t first,
                           std::int64_t count, std::int64_t taken) {
  runtime::InputData data;
  data.type = tensor.type;
  data.dims = tensor.dims;
  data.file = tensor.path;
  const std::size_t row_bytes = tensor.bytes().size() / static_cast<std::size_t>(tensor.dims[0]);
  data.offset = tensor.offset + static_cast<std::size_t>(first) * row_bytes;
  data.dims[0] = taken;
  if (taken != count) data.rows_in_file = count;
  return data;
}

}  // namespace

ScoredModel::ScoredModel(engines::Engine& engine, const std::filesystem::path& model,
                         Settings settings)
    : engine_(engine), settings_(std::move(settings)), served_(engine.serve(model)) {
  const auto& outputs = served_.outputs;
  if (settings_.output.empty()) {
    if (!outputs.empty()) settings_.output = outputs.front();
  } else if (!outputs.empty() &&
             std::find(outputs.begin(), outputs.end(), settings_.output) == outputs.end()) {
    throw Error(ErrorKind::BadInput, fmt::format("the model has no output '{}'; it has: {}",
                                                 settings_.output, fmt::join(outputs, ", ")));
  }
}

const GraphValue& ScoredModel::input_named(const std::string& name) const {
  for (const ValueId id : served_.graph->main.inputs)
    if (served_.graph->values[id].name == name) return served_.graph->values[id];
  throw Error(ErrorKind::BadInput, fmt::format("the model has no input '{}'", name));
}

ExampleData ScoredModel::open(const std::vector<std::string>& given, std::int64_t examples) {
  ExampleData data;
  data.files = engines::open_input_files(given, *served_.graph, settings_.inputs, settings_.scratch,
                                         engines::DataUse::Examples);
  for (const auto& [name, tensor] : data.files) {
    if (!tensor.dims.empty() && tensor.dims[0] == examples) continue;
    if (is_whole(input_named(name), tensor)) {
      data.whole.insert(name);
      continue;
    }
    throw Error(ErrorKind::BadInput,
                fmt::format("{}: holds {}, but there are {}", tensor.origin,
                            number_of(tensor.dims[0], "example"), number_of(examples, "label")));
  }
  if (data.whole.size() == data.files.size() && !data.files.empty()) {
    const engines::FileTensor& tensor = data.files.begin()->second;
    throw Error(ErrorKind::BadInput,
                fmt::format("{}: holds {}, but there are labels of {}", tensor.origin,
                            to_string(tensor.dims), number_of(examples, "example")));
  }
  check_all_given(data);
  set_batch(data);
  return data;
}

void ScoredModel::check_all_given(const ExampleData& data) const {
  for (const ValueId id : served_.graph->main.inputs) {
    const GraphValue& input = served_.graph->values[id];
    const std::string name(input.name);
    if (input.constant || data.files.contains(name) || settings_.inputs.values.contains(name))
      continue;
    throw Error(ErrorKind::BadInput,
                fmt::format("input '{}' has no data: a score needs real data for all inputs, as in "
                            "--data {}=FILE.npy",
                            name, name));
  }
}

void ScoredModel::set_batch(const ExampleData& data) {
  std::optional<Dim> fixed;
  for (const auto& [name, tensor] : data.files) {
    if (data.whole.contains(name)) continue;
    const auto rows = fixed_rows(input_named(name));
    if (!rows) continue;
    if (*rows <= 0 || (fixed && fixed != rows)) {
      throw Error(
          ErrorKind::BadInput,
          fmt::format("input '{}' takes {} rows at a time{}, so that its first dimension is "
                      "not that of examples",
                      name, *rows, fixed ? fmt::format(" and another one {}", *fixed) : ""));
    }
    fixed = rows;
  }
  fixed_ = fixed.has_value();
  if (fixed && settings_.batch && settings_.batch != fixed) {
    throw Error(ErrorKind::BadInput,
                fmt::format("a batch of {} does not fit: the model takes exactly {} at a time",
                            *settings_.batch, number_of(*fixed, "example")));
  }
  batch_ = fixed.value_or(settings_.batch.value_or(kUsualBatch));
}

/// One number fills the whole input.
void ScoredModel::add_values(runtime::InputTensors& inputs, std::int64_t rows) const {
  for (const auto& [name, elements] : settings_.inputs.values) {
    const GraphValue& input = input_named(name);
    runtime::InputData data;
    data.type = input.declared.type;
    const auto count = static_cast<std::int64_t>(elements.size());
    for (std::size_t i = 0; i < input.declared_dims.size(); ++i) {
      const Dim size = input.declared_dims[i].size;
      const bool is_vector = input.declared_dims.size() == 1 && count > 1;
      data.dims.push_back(size != kUnknownDim ? size : (is_vector || i > 0 ? count : rows));
    }
    for (const Scalar& one : elements) data.values.push_back(one.as_real());
    inputs[name] = std::move(data);
  }
}

engines::ServedOutput ScoredModel::run_batch(const ExampleData& data, std::int64_t first,
                                             std::int64_t count) {
  const std::int64_t taken = fixed_ ? batch_ : count;
  runtime::InputTensors inputs;
  for (const auto& [name, tensor] : data.files) {
    if (data.whole.contains(name)) {
      inputs[name] = {tensor.type, tensor.dims, tensor.path, tensor.offset};
    } else {
      inputs[name] = rows_of(tensor, first, count, taken);
    }
  }
  add_values(inputs, taken);
  engines::ServedOutput output = engine_.run_with(inputs, settings_.output);
  if (output.dims.empty() || output.dims[0] != taken) {
    throw Error(ErrorKind::BadInput,
                fmt::format("output '{}' is {} for {}: its first dimension is not that of the "
                            "examples; name another output",
                            output.name, to_string(output.dims), number_of(taken, "example")));
  }
  return output;
}

ExampleOutputs ScoredModel::run(const ExampleData& data, std::int64_t first, std::int64_t count) {
  ExampleOutputs all;
  for (std::int64_t done = 0; done < count;) {
    const std::int64_t rows = fixed_ ? std::min(batch_, count - done) : count;
    const engines::ServedOutput output = run_batch(data, first + done, rows);
    model_time_s_ += std::chrono::duration<double>(output.window.end - output.window.begin).count();
    Dims dims = output.dims;
    dims[0] = rows;
    const std::size_t bytes =
        static_cast<std::size_t>(elements_of(dims).value()) * width_of(output.type);
    if (done > 0 && (all.type != output.type || Dims(dims.begin() + 1, dims.end()) !=
                                                    Dims(all.dims.begin() + 1, all.dims.end()))) {
      throw Error(ErrorKind::BadInput, "the model returns other shapes from batch to batch");
    }
    all.type = output.type;
    all.dims = std::move(dims);
    if (bytes > 0) all.bytes += MappedFile(output.file).bytes().substr(0, bytes);
    done += rows;
    all.dims[0] = done;
  }
  return all;
}

std::optional<std::int64_t> ScoredModel::params() const {
  if (served_.graph->main.nodes.empty()) return std::nullopt;
  const Constants constants = classify_constants(*served_.graph);
  std::int64_t params = std::accumulate(constants.attribute_params.begin(),
                                        constants.attribute_params.end(), std::int64_t{0});
  for (ValueId id = 0; id < constants.by_value.size(); ++id) {
    const ConstantUse& use = constants.by_value[id];
    if (use.role == ConstantRole::Parameter && use.value == id) params += use.elements;
  }
  return params;
}

std::vector<std::string> ScoredModel::notes() const {
  std::vector<std::string> notes;
  if (served_.outputs.size() > 1) {
    notes.push_back(fmt::format("scored by output '{}' of {}: {}", settings_.output,
                                served_.outputs.size(), fmt::join(served_.outputs, ", ")));
  }
  if (fixed_) {
    notes.push_back(
        fmt::format("the model takes exactly {} at a time", number_of(batch_, "example")));
  }
  return notes;
}

}  // namespace jouletree::measure
