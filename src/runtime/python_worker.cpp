#include "runtime/python_worker.hpp"

#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "runtime/json_worker.hpp"
#include "runtime/python_programs.hpp"

namespace jouletree::runtime {
namespace {

using Json = nlohmann::json;

constexpr const char* kEngineName = "PyTorch";
/// The caller's check ends what takes too long for people.
constexpr std::chrono::hours kNoLimit{24};

Json torch_request(const char* method, Json arguments = Json::array()) {
  return {{"do", method}, {"with", std::move(arguments)}};
}

constexpr auto kNothingOfTorch = [](const Json&) {};

template <class Value>
Value value_in(const Json& answer) {
  return answer.at("answer").get<Value>();
}

Time monotonic_time(const Json& count) {
  return Time(std::chrono::nanoseconds(count.get<std::int64_t>()));
}

TorchRunner::Duration duration_in(const Json& answer) {
  return TorchRunner::Duration(answer.at("answer").get<double>());
}

std::vector<TimedCall> read_calls(const Json& run) {
  std::vector<TimedCall> calls;
  calls.reserve(run.size());
  for (const Json& call : run) {
    calls.push_back(
        {call.at(0).get<std::size_t>(), monotonic_time(call.at(1)), monotonic_time(call.at(2))});
  }
  return calls;
}

std::vector<std::optional<Dims>> read_call_strides(const Json& call) {
  std::vector<std::optional<Dims>> strides;
  for (const Json& one : call)
    strides.push_back(one.is_null() ? std::nullopt : std::optional(one.get<Dims>()));
  return strides;
}

TorchWindow read_torch_window(const Json& answer) {
  const Json& told = answer.at("answer");
  TorchWindow window;
  window.begin = monotonic_time(told.at(0));
  window.end = monotonic_time(told.at(1));
  window.cpu = std::chrono::nanoseconds(told.at(2).get<std::int64_t>());
  if (!told.at(3).is_null()) window.memory_bytes = told.at(3).get<std::int64_t>();
  if (!told.at(4).is_null()) window.inside = TorchRunner::Duration(told.at(4).get<double>());
  return window;
}

Json inputs_json(const RunRequest& inputs, const InputTensors& files) {
  Json json{{"shapes", inputs.shapes},
            {"values", inputs.values},
            {"types", Json::object()},
            {"files", Json::object()}};
  for (const auto& [name, type] : inputs.types) json["types"][name] = name_of(type);
  for (const auto& [name, data] : files)
    json["files"][name] = {data.file.string(), data.offset, name_of(data.type), data.dims};
  return json;
}

std::filesystem::path worker_file() {
  if (const auto files = python_files()) return *files / "jouletree/torch/worker.py";
  throw Error(ErrorKind::Missing,
              "this JouleTree has no Python files, which run PyTorch models: install it anew, or "
              "install the Python package with: pip install jouletree");
}

std::string how_to_get_torch(const std::vector<std::filesystem::path>& programs) {
  if (programs.empty()) {
    return "there is no Python on PATH; install Python 3.10 or newer, then PyTorch with: python3 "
           "-m pip install torch";
  }
  return fmt::format(
      "install it with: {} -m pip install torch; or name a Python that has it with --python",
      programs.front().string());
}

}  // namespace

/// The worker of the moment, and what a new one must be told.
class PythonWorker::Connection {
 public:
  explicit Connection(const PythonWorkerSettings& settings) : settings_(settings) {
    const std::filesystem::path file = worker_file();
    const auto programs = python_programs(settings.python);
    std::vector<std::string> problems;
    for (const std::filesystem::path& program : programs) {
      program_ = program;
      try {
        version_ = start();
        return;
      } catch (const Error& error) {
        problems.push_back(fmt::format("{} {}", program.string(), error.what()));
      } catch (const WorkerLost& lost) {
        settings_.check();
        problems.push_back(fmt::format("{} cannot be used: {}", program.string(), lost.what()));
      }
    }
    throw Error(ErrorKind::Missing,
                fmt::format("PyTorch 2.1 or newer is needed to run this file{}{}; {}",
                            problems.empty() ? "" : ": ", fmt::join(problems, ", "),
                            how_to_get_torch(programs)));
  }

  [[nodiscard]] const std::string& version() const { return version_; }

  template <class Read>
  auto ask(const Json& request, const Read& read) {
    if (worker_ == nullptr) begin_again();
    try {
      return worker_->ask(request, kNoLimit, read, settings_.check);
    } catch (const WorkerLost&) {
      worker_.reset();
      // Ctrl-C may have ended it, and is the reason then.
      settings_.check();
      throw;
    }
  }

  /// Later workers do the same before anything else.
  void keep(Json request) { for_good_.push_back(std::move(request)); }

 private:
  std::string start() {
    auto worker = std::make_unique<JsonWorker>(kEngineName, program_,
                                               std::vector<std::string>{worker_file().string()});
    std::string version =
        worker->ask(torch_request("hello"), kNoLimit, value_in<std::string>, settings_.check);
    worker_ = std::move(worker);
    return version;
  }

  void begin_again() {
    (void)start();
    try {
      for (const Json& request : for_good_)
        worker_->ask(request, kNoLimit, kNothingOfTorch, settings_.check);
    } catch (...) {
      worker_.reset();
      throw;
    }
  }

  PythonWorkerSettings settings_;
  std::filesystem::path program_;
  std::string version_;
  std::vector<Json> for_good_;
  std::unique_ptr<JsonWorker> worker_;
};

PythonWorker::PythonWorker(PythonWorkerSettings settings)
    : settings_(std::move(settings)), connection_(std::make_unique<Connection>(settings_)) {}

PythonWorker::~PythonWorker() = default;

const std::string& PythonWorker::version() const { return connection_->version(); }

std::vector<std::string> PythonWorker::open(const std::filesystem::path& file) {
  Json request =
      torch_request("open", {std::filesystem::absolute(file).string(), settings_.device});
  auto names = connection_->ask(request, value_in<std::vector<std::string>>);
  connection_->keep(std::move(request));
  return names;
}

PythonWorker::Made PythonWorker::make(const std::filesystem::path& recipe) {
  Json request =
      torch_request("make", {std::filesystem::absolute(recipe).string(), settings_.device});
  Made made = connection_->ask(request, [](const Json& answer) {
    const Json& told = answer.at("answer");
    return Made{told.at("inputs").get<std::vector<std::string>>(),
                told.at("settings").get<std::map<std::string, std::string>>()};
  });
  connection_->keep(std::move(request));
  return made;
}

void PythonWorker::load(const RunRequest& inputs, const InputTensors& files, std::uint64_t seed) {
  Json request = torch_request("load", {inputs_json(inputs, files), settings_.threads, seed});
  connection_->ask(request, kNothingOfTorch);
  connection_->keep(std::move(request));
}

std::vector<PythonWorker::Input> PythonWorker::serve(const std::filesystem::path& file) {
  Json request = torch_request(
      "serve", {std::filesystem::absolute(file).string(), settings_.device, settings_.threads});
  auto inputs = connection_->ask(request, [](const Json& answer) {
    std::vector<Input> read;
    for (const Json& one : answer.at("answer")) {
      const bool tells = !one.at(1).is_null();
      read.push_back({one.at(0).get<std::string>(),
                      tells ? std::optional(one.at(1).get<Dims>()) : std::nullopt});
    }
    return read;
  });
  connection_->keep(std::move(request));
  return inputs;
}

WorkerOutput PythonWorker::answer(const InputTensors& inputs, const std::string& output,
                                  const std::filesystem::path& file) {
  Json files = Json::object();
  Json values = Json::object();
  for (const auto& [name, data] : inputs) {
    if (data.file.empty()) {
      values[name] = data.values;
      continue;
    }
    const std::int64_t rows = data.dims.empty() ? 0 : data.dims[0];
    files[name] = {data.file.string(), data.offset, name_of(data.type), data.dims,
                   data.rows_in_file.value_or(rows)};
  }
  const Json request = torch_request("answer_with", {files, values, output, file.string()});
  return connection_->ask(request, [](const Json& answer) {
    const Json& told = answer.at("answer");
    WorkerOutput read;
    read.window.begin = monotonic_time(told.at("begin_ns"));
    read.window.end = monotonic_time(told.at("end_ns"));
    read.window.cpu = std::chrono::nanoseconds(told.at("cpu_ns").get<std::int64_t>());
    read.type =
        data_type_from_name(told.at("type").get<std::string>()).value_or(DataType::Undefined);
    read.dims = told.at("dims").get<Dims>();
    return read;
  });
}

std::string PythonWorker::name() {
  return connection_->ask(torch_request("name"), value_in<std::string>);
}

std::map<std::string, std::string> PythonWorker::settings() {
  return connection_->ask(torch_request("settings"), value_in<std::map<std::string, std::string>>);
}

std::string PythonWorker::caller() {
  return connection_->ask(torch_request("caller"), value_in<std::string>);
}

std::string PythonWorker::recording() {
  return connection_->ask(torch_request("recording"), value_in<std::string>);
}

std::vector<std::vector<std::optional<Dims>>> PythonWorker::strides() {
  return connection_->ask(torch_request("strides"), [](const Json& answer) {
    std::vector<std::vector<std::optional<Dims>>> all;
    for (const Json& call : answer.at("answer")) all.push_back(read_call_strides(call));
    return all;
  });
}

void PythonWorker::take_operators(const std::vector<std::size_t>& calls,
                                  const std::vector<std::int64_t>& moved_bytes) {
  Json request = torch_request("take_operators", {calls, moved_bytes});
  connection_->ask(request, kNothingOfTorch);
  connection_->keep(std::move(request));
}

PythonWorker::Duration PythonWorker::prepare_whole(Duration warm_up) {
  return connection_->ask(torch_request("prepare_whole", {warm_up.count()}), duration_in);
}

PythonWorker::Duration PythonWorker::prepare_program(Duration warm_up) {
  return connection_->ask(torch_request("prepare_program", {warm_up.count()}), duration_in);
}

PythonWorker::Duration PythonWorker::prepare_part(const TorchPart& part, Duration warm_up) {
  Json arguments{
      part.calls,
      part.count,
      part.weight_sets,
      part.input_sets,
      part.output_sets ? Json(*part.output_sets) : Json(nullptr),
      Json{part.least_context_bytes, part.most_context_bytes, part.longest_context.count()},
      warm_up.count()};
  return connection_->ask(torch_request("prepare_part", std::move(arguments)), duration_in);
}

TorchWindow PythonWorker::run(const char* slot, std::int64_t runs) {
  return connection_->ask(torch_request("run", {slot, runs}), read_torch_window);
}

std::vector<PythonWorker::Duration> PythonWorker::run_each(const char* slot, std::int64_t runs) {
  return connection_->ask(torch_request("run_each", {slot, runs}), [](const Json& answer) {
    std::vector<Duration> each;
    for (const Json& seconds : answer.at("answer")) each.emplace_back(seconds.get<double>());
    return each;
  });
}

std::vector<std::vector<TimedCall>> PythonWorker::watch(int runs) {
  return connection_->ask(torch_request("watch", {runs}), [](const Json& answer) {
    std::vector<std::vector<TimedCall>> all;
    for (const Json& run : answer.at("answer")) all.push_back(read_calls(run));
    return all;
  });
}

}  // namespace jouletree::runtime
