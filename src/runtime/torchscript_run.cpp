#include "runtime/torchscript_run.hpp"

#include <csignal>
#include <limits>

#include <fmt/format.h>

#include "base/bounded_json.hpp"
#include "base/json_problem.hpp"
#include "runtime/engines.hpp"
#include "runtime/json_worker.hpp"

namespace jouletree::runtime {
namespace {

using Json = nlohmann::json;

PluginFile torch_plugin() {
  return {
      "LibTorch", "libjouletree_torch.so",
      "TorchScript files need the LibTorch engine, which is not in {} (a model exported to ONNX "
      "needs none)",
      how_to_get_libtorch()};
}

Json json_of(const RunRequest& request) {
  Json json{{"file", std::filesystem::absolute(request.file).string()},
            {"shapes", request.shapes},
            {"types", Json::object()},
            {"values", request.values}};
  for (const auto& [name, type] : request.types) json["types"][name] = name_of(type);
  return json;
}

RecordedTensor read_tensor(const Json& json) {
  RecordedTensor tensor;
  tensor.number = json.at(0).get<std::uint64_t>();
  tensor.type = data_type_from_name(json.at(1).get<std::string>()).value_or(DataType::Undefined);
  tensor.dims = json.at(2).get<Dims>();
  tensor.storage = json.at(3).get<std::uint64_t>();
  return tensor;
}

bool read_special_number(const std::string& text, double& real) {
  if (text == "inf") {
    real = std::numeric_limits<double>::infinity();
  } else if (text == "-inf") {
    real = -std::numeric_limits<double>::infinity();
  } else if (text == "nan") {
    real = std::numeric_limits<double>::quiet_NaN();
  } else {
    return false;
  }
  return true;
}

Argument read_argument(const Json& json);

std::vector<Argument> read_arguments(const Json& list) {
  std::vector<Argument> arguments;
  arguments.reserve(list.size());
  for (const Json& item : list) arguments.push_back(read_argument(item));
  return arguments;
}

Argument read_object(const Json& json) {
  Argument argument;
  if (json.contains("packed")) {
    argument.kind = Argument::Kind::Packed;
    argument.items = read_arguments(json.at("packed"));
  } else if (const Json& tensor = json.at("tensor"); !tensor.is_null()) {
    argument.kind = Argument::Kind::Tensor;
    argument.tensor = read_tensor(tensor);
  }
  return argument;
}

Argument read_argument(const Json& json) {
  Argument argument;
  if (json.is_object()) return read_object(json);
  if (json.is_boolean()) {
    argument.kind = Argument::Kind::Boolean;
    argument.integer = json.get<bool>() ? 1 : 0;
  } else if (json.is_number_integer()) {
    argument.kind = Argument::Kind::Integer;
    argument.integer = json.get<std::int64_t>();
    argument.real = static_cast<double>(argument.integer);
  } else if (json.is_number()) {
    argument.kind = Argument::Kind::Real;
    argument.real = json.get<double>();
  } else if (json.is_string()) {
    return argument_of_text(json.get<std::string>());
  } else if (json.is_array()) {
    argument.kind = Argument::Kind::List;
    argument.items = read_arguments(json);
  }
  return argument;
}

std::vector<RecordedModule> read_path(const Json& steps) {
  std::vector<RecordedModule> path;
  for (const Json& step : steps)
    if (auto module = module_of_step(step.get_ref<const std::string&>()))
      path.push_back(std::move(*module));
  return path;
}

RecordedCall read_call(const Json& json) {
  RecordedCall call;
  call.op = json.at("op").get<std::string>();
  call.overload = json.value("overload", "");
  call.phase = recorded_phase(json.value("phase", "forward"));
  call.writes = json.value("writes", false);
  const auto path = json.find("path");
  call.has_path = path != json.end() && !path->is_null();
  if (call.has_path) call.path = read_path(*path);
  call.arguments = read_arguments(json.at("args"));
  call.outputs = read_arguments(json.at("outputs"));
  if (const auto inner = json.find("inner"); inner != json.end())
    for (const Json& item : *inner) call.inner.push_back(read_call(item));
  return call;
}

RecordedRun read_run(const Json& json) {
  RecordedRun run;
  run.engine = json.value("engine", "LibTorch");
  for (const Json& item : json.at("stored")) {
    run.stored.push_back({item.at("name").get<std::string>(),
                          stored_kind_from_name(item.at("kind").get<std::string>()),
                          item.at("trainable").get<bool>(), item.value("whole_numbers", false),
                          read_tensor(item.at("tensor"))});
  }
  for (const Json& item : json.at("inputs"))
    run.inputs.push_back({item.at("name").get<std::string>(), read_argument(item.at("value"))});
  for (const Json& item : json.at("calls")) run.calls.push_back(read_call(item));
  run.outputs = read_argument(json.at("outputs"));
  run.notes = json.value("notes", run.notes);
  return run;
}

}  // namespace

void collect_tensors(const Argument& argument, std::vector<const RecordedTensor*>& into) {
  if (argument.is_tensor()) into.push_back(&argument.tensor);
  for (const Argument& item : argument.items) collect_tensors(item, into);
}

Argument argument_of_text(std::string text) {
  Argument argument;
  argument.text = std::move(text);
  argument.kind = read_special_number(argument.text, argument.real) ? Argument::Kind::Real
                                                                    : Argument::Kind::Text;
  return argument;
}

std::optional<RecordedModule> module_of_step(std::string_view step) {
  const std::size_t open = step.find('(');
  const std::size_t close = step.find(')', open);
  if (open == std::string_view::npos || close == std::string_view::npos) return std::nullopt;
  const std::string_view name = step.substr(0, open);
  if (name.empty() || name == "TOP" || name == "SELF" || name.rfind("CALL_FUNCTION", 0) == 0)
    return std::nullopt;
  return RecordedModule{std::string(name), std::string(step.substr(open + 1, close - open - 1))};
}

StoredKind stored_kind_from_name(std::string_view name) {
  if (name == "parameter") return StoredKind::Parameter;
  if (name == "buffer") return StoredKind::Buffer;
  if (name == "attribute") return StoredKind::Attribute;
  return StoredKind::Constant;
}

Phase recorded_phase(std::string_view name) {
  if (const auto phase = phase_from_name(name)) return *phase;
  throw Error(ErrorKind::BadInput, fmt::format("a recorded call has the unknown phase '{}'", name));
}

RecordedRun parse_run(std::string_view answer) {
  return read_answer(torch_plugin().engine, answer, read_run);
}

RecordedRun read_recording(std::string_view json) try {
  return read_run(parse_json<Json>(json));
} catch (const Json::exception& problem) {
  throw Error(ErrorKind::BadInput,
              fmt::format("the recording of the run cannot be read: {}; install the Python package "
                          "anew, so that all of its parts fit together",
                          json_problem(problem, json)));
}

RecordedRun record_run(const RunRequest& request, const std::function<void()>& while_waiting) try {
  JsonWorker worker(torch_plugin());
  return worker.ask(json_of(request), std::chrono::hours(24), read_run, while_waiting);
} catch (const WorkerLost& lost) {
  throw Error(lost.signal() == SIGKILL ? ErrorKind::Missing : ErrorKind::BadInput,
              fmt::format("the LibTorch engine gave no answer: {}", lost.what()));
}

}  // namespace jouletree::runtime
