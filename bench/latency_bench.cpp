// Is the latency that a profile tells the one that the engine alone needs?
//   latency_bench LIBRARY MODEL [ROUNDS]
// Runs a model in turns as the worker of `profile` does and in a bare loop over the engine's own
// interface, in one process, and compares the medians. Fails if they differ by more than 2 %.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <string>
#include <vector>

#include "runtime/onnxruntime/api.hpp"
#include "runtime/onnxruntime/input_data.hpp"
#include "runtime/onnxruntime/workbench.hpp"

namespace {

using Json = nlohmann::json;
using jouletree::runtime::onnxruntime::Workbench;

constexpr double kMostDifference = 0.02;
constexpr double kWindowS = 0.2;

double now_s() {
  timespec now{};
  ::clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

/// What an engine needs at least: a session, its inputs, and a loop.
class BareLoop {
 public:
  explicit BareLoop(const std::string& model)
      : session_(jouletree::runtime::onnxruntime::environment(), model.c_str(), options()) {
    for (std::size_t i = 0; i < session_.GetInputCount(); ++i) {
      const Ort::TypeInfo type = session_.GetInputTypeInfo(i);  // Owns what `info` shows.
      const auto info = type.GetTensorTypeAndShapeInfo();
      std::vector<std::int64_t> dims = info.GetShape();
      for (std::int64_t& dim : dims) dim = std::max<std::int64_t>(dim, 1);
      descriptions[session_.GetInputNames()[i]] = {
          {"type", static_cast<int>(info.GetElementType())}, {"dims", dims}};
    }
    names_in_ = session_.GetInputNames();
    names_out_ = session_.GetOutputNames();
    std::uint64_t seed = 1;
    for (const auto& [name, description] : descriptions.items())
      inputs_.emplace(name, jouletree::runtime::onnxruntime::make_tensor(description, seed++));
    for (const std::string& name : names_in_) {
      in_.push_back(name.c_str());
      values_.push_back(std::move(inputs_.at(name)));
    }
    for (const std::string& name : names_out_) out_.push_back(name.c_str());
  }

  double seconds_per_run(std::int64_t runs) {
    const double begin = now_s();
    for (std::int64_t i = 0; i < runs; ++i) {
      (void)session_.Run(Ort::RunOptions{nullptr}, in_.data(), values_.data(), in_.size(),
                         out_.data(), out_.size());
    }
    return (now_s() - begin) / static_cast<double>(runs);
  }

  Json descriptions = Json::object();

 private:
  static Ort::SessionOptions options() {
    Ort::SessionOptions options;
    options.SetIntraOpNumThreads(1);
    return options;
  }

  Ort::Session session_;
  std::vector<std::string> names_in_;
  std::vector<std::string> names_out_;
  std::map<std::string, Ort::Value> inputs_;
  std::vector<const char*> in_;
  std::vector<const char*> out_;
  std::vector<Ort::Value> values_;
};

double worker_seconds_per_run(Workbench& workbench, std::int64_t runs) {
  const Json window = workbench.window({{"slot", "whole"}, {"runs", runs}});
  return (window["end_ns"].get<double>() - window["begin_ns"].get<double>()) * 1e-9 /
         static_cast<double>(runs);
}

int compare(const std::string& library, const std::string& model, int rounds) {
  Workbench workbench;
  (void)workbench.open({{"library", library}, {"threads", 1}});
  BareLoop bare(model);
  (void)workbench.fill({{"inputs", bare.descriptions}, {"seed", 1}});
  (void)workbench.prepare({{"slot", "whole"}, {"model", model}, {"level", "all"}});
  (void)bare.seconds_per_run(3);
  const auto runs =
      std::max<std::int64_t>(1, static_cast<std::int64_t>(kWindowS / bare.seconds_per_run(3)));
  std::vector<double> bare_times;
  std::vector<double> worker_times;
  std::vector<double> ratios;
  for (int round = 0; round < rounds; ++round) {
    const bool worker_first = round % 2 == 0;
    if (worker_first) worker_times.push_back(worker_seconds_per_run(workbench, runs));
    bare_times.push_back(bare.seconds_per_run(runs));
    if (!worker_first) worker_times.push_back(worker_seconds_per_run(workbench, runs));
    ratios.push_back(worker_times.back() / bare_times.back());
  }
  const double ratio = median(ratios);
  std::printf("%s: as profiled %.4f ms, bare loop %.4f ms, ratio %.4f (median of %d rounds)\n",
              model.c_str(), 1e3 * median(worker_times), 1e3 * median(bare_times), ratio, rounds);
  return std::abs(ratio - 1) <= kMostDifference ? EXIT_SUCCESS : EXIT_FAILURE;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) {
    std::fprintf(stderr, "usage: latency_bench LIBRARY MODEL [ROUNDS]\n");
    return 2;
  }
  try {
    return compare(argv[1], argv[2], argc > 3 ? std::atoi(argv[3]) : 31);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "latency_bench: %s\n", error.what());
    return 2;
  }
}
