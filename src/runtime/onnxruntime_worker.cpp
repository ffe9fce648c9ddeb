#include "runtime/onnxruntime_worker.hpp"

#include "runtime/json_worker.hpp"

namespace jouletree::runtime {
namespace {

using Json = nlohmann::json;
using Nanoseconds = std::chrono::nanoseconds;

constexpr PluginFile kPlugin{"ONNX Runtime", "libjouletree_onnxruntime.so",
                             "there is no ONNX Runtime plug-in in {}: this JouleTree was built "
                             "without it"};

constexpr std::chrono::minutes kTimeToStart{5};
constexpr std::chrono::minutes kTimeToLoad{10};
constexpr std::chrono::minutes kTimeForAWindow{5};

constexpr auto kNothing = [](const Json&) {};

Nanoseconds nanoseconds(const Json& number) {
  return Nanoseconds(static_cast<std::int64_t>(number.get<double>()));
}

Time time_at(const Json& count) { return Time(Nanoseconds(count.get<std::int64_t>())); }

Json open_request(const EngineSettings& settings) {
  return {{"do", "open"},
          {"library", settings.library.string()},
          {"scratch", settings.scratch.string()},
          {"threads", settings.threads},
          {"execution", settings.execution},
          {"device", settings.device},
          {"provider_options", settings.provider_options}};
}

Json described(const InputData& input) {
  Json description{{"type", static_cast<int>(input.type)}, {"dims", input.dims}};
  if (input.rows_in_file) description["rows"] = *input.rows_in_file;
  if (!input.file.empty()) {
    description["file"] = input.file.string();
    description["offset"] = input.offset;
  } else if (!input.values.empty()) {
    description["values"] = input.values;
  } else if (input.range) {
    description["low"] = input.range->low;
    description["high"] = input.range->high;
  }
  return description;
}

Json descriptions_of(const InputTensors& inputs) {
  Json descriptions = Json::object();
  for (const auto& [name, input] : inputs) descriptions[name] = described(input);
  return descriptions;
}

SeenValues read_values(const Json& answer) {
  SeenValues values;
  for (const auto& [name, json] : answer.at("values").items()) {
    SeenValue& value = values[name];
    value.type.type = data_type_from_number(json.at("type").get<std::int64_t>());
    if (!json.at("dims").is_null()) value.type.dims = json.at("dims").get<Dims>();
    if (const auto flag = json.find("flag"); flag != json.end()) value.flag = flag->get<bool>();
  }
  return values;
}

WorkerWindow read_window(const Json& answer) {
  WorkerWindow window;
  window.begin = time_at(answer.at("begin_ns"));
  window.end = time_at(answer.at("end_ns"));
  window.cpu = Nanoseconds(answer.at("cpu_ns").get<std::int64_t>());
  if (const Json& memory = answer.at("memory_bytes"); !memory.is_null())
    window.memory_bytes = memory.get<std::int64_t>();
  return window;
}

std::vector<std::chrono::duration<double>> read_each(const Json& answer) {
  std::vector<std::chrono::duration<double>> each;
  for (const Json& duration : answer.at("each_ns")) each.emplace_back(nanoseconds(duration));
  return each;
}

KernelTimes read_kernels(const Json& answer) {
  KernelTimes times;
  for (const auto& [node, duration] : answer.at("kernels").items())
    times.medians[node] = nanoseconds(duration);
  for (const Json& slice : answer.at("timeline")) {
    times.last_run.push_back({slice.at(0).get<std::string>(), slice.at(3).get<std::string>(),
                              nanoseconds(slice.at(1)), nanoseconds(slice.at(2))});
  }
  return times;
}

}  // namespace

/// The worker of the moment, and what a new one must be told.
class OnnxRuntimeWorker::Connection {
 public:
  /// Starts the worker. Returns the version of the engine.
  std::string open(const EngineSettings& settings) {
    open_ = open_request(settings);
    return start();
  }

  template <class Read>
  auto ask(const Json& request, JsonWorker::Limit limit, const Read& read) {
    if (worker_ == nullptr) (void)start();
    try {
      return worker_->ask(request, limit, read);
    } catch (const WorkerLost&) {
      worker_.reset();
      throw;
    }
  }

  void forget_all() { for_good_.clear(); }
  void keep(Json request) { for_good_.push_back(std::move(request)); }

 private:
  std::string start() {
    auto worker = std::make_unique<JsonWorker>(kPlugin);
    const auto version = [](const Json& answer) { return answer.at("version").get<std::string>(); };
    std::string opened = worker->ask(open_, kTimeToStart, version);
    for (const Json& request : for_good_) worker->ask(request, kTimeToLoad, kNothing);
    worker_ = std::move(worker);
    return opened;
  }

  Json open_;
  std::vector<Json> for_good_;
  std::unique_ptr<JsonWorker> worker_;
};

OnnxRuntimeWorker::OnnxRuntimeWorker(EngineSettings settings)
    : settings_(std::move(settings)), connection_(std::make_unique<Connection>()) {
  version_ = connection_->open(settings_);
}

OnnxRuntimeWorker::~OnnxRuntimeWorker() = default;

void OnnxRuntimeWorker::optimise(const OptimiseRequest& request) {
  Json json{{"do", "optimise"},
            {"model", request.model.string()},
            {"level", request.level},
            {"optimised", request.optimised.string()}};
  if (!request.data_file.empty()) json["data"] = request.data_file;
  connection_->ask(json, kTimeToLoad, kNothing);
}

void OnnxRuntimeWorker::fill(const InputTensors& inputs, std::uint64_t seed) {
  Json request{{"do", "fill"}, {"inputs", descriptions_of(inputs)}, {"seed", seed}};
  connection_->ask(request, kTimeToLoad, kNothing);
  connection_->forget_all();
  connection_->keep(std::move(request));
}

SeenValues OnnxRuntimeWorker::record(const std::filesystem::path& model) {
  return connection_->ask({{"do", "record"}, {"model", model.string()}}, kTimeToLoad, read_values);
}

SeenValues OnnxRuntimeWorker::record_for_good(const std::filesystem::path& model) {
  SeenValues values = record(model);
  connection_->keep({{"do", "record"}, {"model", model.string()}});
  return values;
}

std::chrono::duration<double> OnnxRuntimeWorker::prepare(const PrepareRequest& request) {
  const Json json{{"do", "prepare"},
                  {"slot", request.slot},
                  {"model", request.model.string()},
                  {"level", request.level},
                  {"copies", request.copied_inputs},
                  {"warm_up_ns", static_cast<std::int64_t>(request.warm_up.count() * 1e9)}};
  return connection_->ask(json, kTimeToLoad, [](const Json& answer) {
    return std::chrono::duration<double>(answer.at("run_ns").get<double>() * 1e-9);
  });
}

WorkerWindow OnnxRuntimeWorker::run_window(const std::string& slot, std::int64_t runs) {
  return connection_->ask({{"do", "window"}, {"slot", slot}, {"runs", runs}}, kTimeForAWindow,
                          read_window);
}

std::vector<std::chrono::duration<double>> OnnxRuntimeWorker::run_each(const std::string& slot,
                                                                       std::int64_t runs) {
  return connection_->ask({{"do", "window"}, {"slot", slot}, {"runs", runs}, {"each", true}},
                          kTimeForAWindow, read_each);
}

std::vector<std::string> OnnxRuntimeWorker::serve(const std::filesystem::path& model,
                                                  const std::string& level) {
  Json request{{"do", "serve"}, {"model", model.string()}, {"level", level}};
  auto outputs = connection_->ask(request, kTimeToLoad, [](const Json& answer) {
    return answer.at("outputs").get<std::vector<std::string>>();
  });
  connection_->keep(std::move(request));
  return outputs;
}

WorkerOutput OnnxRuntimeWorker::answer(const InputTensors& inputs, const std::string& output,
                                       const std::filesystem::path& file) {
  const Json request{{"do", "answer"},
                     {"inputs", descriptions_of(inputs)},
                     {"output", output},
                     {"file", file.string()}};
  return connection_->ask(request, kTimeToLoad, [](const Json& answer) {
    WorkerOutput read;
    read.window = read_window(answer);
    read.type = data_type_from_number(answer.at("type").get<std::int64_t>());
    read.dims = answer.at("dims").get<Dims>();
    return read;
  });
}

KernelTimes OnnxRuntimeWorker::kernels(const std::filesystem::path& model, int runs,
                                       const std::filesystem::path& folder) {
  return connection_->ask(
      {{"do", "kernels"}, {"model", model.string()}, {"runs", runs}, {"folder", folder.string()}},
      kTimeForAWindow, read_kernels);
}

}  // namespace jouletree::runtime
