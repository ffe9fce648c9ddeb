#include "support/sample_profile.hpp"

#include "measure/ledger.hpp"
#include "model/onnx/onnx_builder.hpp"

namespace jouletree::test {
namespace {

using std::chrono::microseconds;

constexpr double kWatts = 10;
constexpr double kIdleWatts = 4;

EnergyRange range(double watts, double seconds) {
  const double joules = watts * seconds;
  return {Joules::from(joules), Joules::from(joules * 0.98), Joules::from(joules * 1.02)};
}

}  // namespace

std::string SampleProfile::model_bytes() {
  model::OnnxBuilder model;
  model.input("tokens", DataType::Int64, {2, 16});
  model.initializer("table", DataType::Float32, {100, 8});
  model.initializer("w0", DataType::Float32, {8, 8}).initializer("w1", DataType::Float32, {8, 8});
  model.node("Gather", {"table", "tokens"}, {"e"}).name("/embed/Gather");
  model.node("MatMul", {"e", "w0"}, {"a"}).name("/head/0/MatMul");
  model.node("MatMul", {"a", "w1"}, {"b"}).name("/head/1/MatMul");
  model.node("Relu", {"b"}, {"y"}).name("/Relu");
  model.output("y");
  return model.model_bytes();
}

measure::Measured SampleProfile::measured(std::int64_t begin_ms, double ms_per_run) {
  constexpr std::int64_t kRuns = 10;
  const auto lasted = std::chrono::nanoseconds(static_cast<std::int64_t>(ms_per_run * 1e6) * kRuns);
  measure::Measured result;
  measure::Trials& trials = result.trials;
  for (int i = 0; i < 2; ++i) {
    const Time begin = at_ms(begin_ms) + i * lasted;
    trials.windows.push_back({begin, begin + lasted, kRuns});
    trials.seconds.push_back(ms_per_run * 1e-3);
    trials.runs += kRuns;
  }
  trials.begin = trials.windows.front().begin;
  trials.end = trials.windows.back().end;
  trials.time = summarize(trials.seconds);
  trials.precise = true;
  const double span_s = std::chrono::duration<double>(trials.end - trials.begin).count();
  TotalEnergy& energy = result.energy.emplace();
  energy.provenance = Provenance::Estimated;
  energy.gross = range(kWatts, span_s);
  energy.above_idle = range(kWatts - kIdleWatts, span_s);
  result.use.cpus = 1;
  result.use.memory_bytes = 512LL << 20;
  return result;
}

SampleProfile::SampleProfile() : bytes_(model_bytes()) {
  auto graph = std::make_shared<Graph>(read_onnx(bytes_, "sample.onnx"));
  profile.tree = build_tree(graph, {});
  profile.engine = "Engine 1.2";
  profile.whole = measured(0, 10);
  profile.latencies_s = {0.009, 0.010, 0.010, 0.011, 0.020};
  profile.operators.push_back({"MatMul 8x8", {1, 2}, 4.1e-3, measured(300, 4)});
  profile.operators.push_back({"Gather 100x8", {0}, 1.1e-3, measured(400, 1)});
  profile.operators.push_back({"Relu 8", {3}, 0.5e-3, measured(500, 0.5)});
  profile.modules["embed"] = measured(600, 1);
  profile.modules["head"] = measured(650, 8.5);
  profile.modules["head.0"] = measured(900, 4);
  profile.modules["head.1"] = profile.modules["head.0"];
  profile.ledger = measure::ledger_of(profile);
  profile.environment.cpu = "Fast CPU";
  profile.environment.cpus = 2;
  profile.environment.machine_cpus = 4;
  profile.environment.memory_bytes = 2LL << 30;
  profile.environment.settings = {{"cache", "model"}, {"threads", "1"}};
  profile.timeline = {{"/embed/Gather", microseconds(0), microseconds(1000), "Gather", 0},
                      {"/head/0/MatMul", microseconds(1000), microseconds(4000), "MatMul", 1},
                      {"/head/1/MatMul", microseconds(5000), microseconds(4000), "MatMul", 2},
                      {"/Relu", microseconds(9000), microseconds(500), "Relu", 3}};
  for (int i = 0; i < 20; ++i)
    profile.power.push_back({at_ms(100 * i), at_ms(100 * (i + 1)), Watts{kWatts}});
  profile.machine.resize(2);
  profile.machine[0].at = at_ms(0);
  profile.machine[0].clock_mhz = 3000;
  profile.machine[1].at = at_ms(1000);
  profile.machine[1].clock_mhz = 2900;
  profile.idle = Baseline{std::chrono::seconds(1), {{"estimate:cpu", Watts{kIdleWatts}, {}, {}}}};
}

}  // namespace jouletree::test
