#include "support/scripted_engine.hpp"

#include <cmath>

#include <fmt/format.h>

#include "model/onnx/onnx_builder.hpp"
#include "runtime/timed_runs.hpp"

namespace jouletree::test {
namespace {

constexpr std::int64_t kElements = 16;
/// Watching a kernel takes time that it would not need.
constexpr double kSlowedDown = 1.25;

constexpr Seconds kTimeToCopy{2e-3};

std::string value_name(std::size_t position) { return fmt::format("v{}", position); }

}  // namespace

ScriptedEngine::ScriptedEngine(ScriptedMachine& machine, std::vector<ScriptedOperator> operators)
    : machine_(machine), operators_(std::move(operators)), prepared_parts_(operators_.size()) {
  model::OnnxBuilder model;
  model.input(value_name(0), DataType::Float32, {kElements});
  for (std::size_t i = 0; i < operators_.size(); ++i)
    model.node(operators_[i].op, {value_name(i)}, {value_name(i + 1)}).name(operators_[i].name);
  model.output(value_name(operators_.size()));
  model_ = model.model_bytes();
}

void ScriptedEngine::call(Call what, engines::Slot slot) {
  const int number = ++calls_[{what, slot}];
  const auto death = deaths_.find({what, slot});
  if (death == deaths_.end() || number < death->second.first || number > death->second.last) return;
  slots_.clear();
  throw engines::EngineLost("the engine ended");
}

engines::LoadedModel ScriptedEngine::load(const engines::ModelToLoad& model) {
  call(Call::Load);
  machine_.wait(time_to_load);
  constexpr std::int64_t kBytes = kElements * 4;
  engines::LoadedModel loaded;
  loaded.tree = build_tree(std::make_shared<Graph>(read_onnx(model_, model.path)), model.inputs);
  for (std::size_t i = 0; i < operators_.size(); ++i) {
    const ScriptedOperator& one = operators_[i];
    engines::Part& part = loaded.parts.emplace_back();
    part.name = one.name;
    part.key = fmt::format("{} {} {}", one.op, one.time.count(), one.watts);
    part.reads = {{value_name(i), kBytes}};
    part.writes = {{value_name(i + 1), kBytes}};
    loaded.part_of.emplace_back(i);
    loaded.tree.inference.nodes.at(i).runs = Count(one.runs);
  }
  loaded.results = {value_name(operators_.size())};
  return loaded;
}

engines::WatchedRuns ScriptedEngine::watch(int runs) {
  call(Call::Watch);
  engines::WatchedRuns watched;
  watched.clock_step = clock_step;
  std::chrono::nanoseconds begin{};
  for (std::size_t i = 0; i < operators_.size(); ++i) {
    Seconds time = operators_[i].time * kSlowedDown;
    if (clock_step.count() > 0) time = clock_step * std::ceil(time / clock_step);
    const auto duration = std::chrono::round<std::chrono::nanoseconds>(time);
    machine_.work(time * runs * operators_[i].runs, operators_[i].watts);
    watched.medians.emplace_back(time);
    watched.last_run.push_back({operators_[i].name, operators_[i].op, i, begin, duration});
    begin += duration;
  }
  return watched;
}

void ScriptedEngine::Device::run() const {
  ScriptedMachine& machine = engine.machine_;
  for (const Piece& piece : pieces) {
    if (piece.time.count() <= 0) continue;
    if (engine.time_to_call.count() > 0) {
      machine.work(engine.time_to_call, 0);
      machine.start(piece.time, piece.watts);
    } else {
      machine.work(piece.time, piece.watts);
    }
  }
}

std::int64_t ScriptedEngine::Device::now_ns() const {
  return engine.machine_.now().time_since_epoch() / std::chrono::nanoseconds(1);
}

Seconds ScriptedEngine::prepare(engines::Slot slot, Pieces pieces, Seconds warm_up) {
  call(Call::Prepare, slot);
  machine_.wait(time_to_load);
  slots_[slot] = std::move(pieces);
  const auto warm_up_ns = std::chrono::round<std::chrono::nanoseconds>(warm_up);
  const Device workload = device(slot);
  return std::chrono::nanoseconds(runtime::warmed_up_run(workload, warm_up_ns.count()));
}

ScriptedEngine::Device ScriptedEngine::device(engines::Slot slot) const {
  const auto prepared = slots_.find(slot);
  if (prepared == slots_.end()) throw Error(ErrorKind::BadInput, "nothing is prepared");
  return {*this, prepared->second};
}

Seconds ScriptedEngine::prepare_whole(Seconds warm_up) {
  Pieces pieces{{overhead, ScriptedMachine::kIdleWatts}, {caller_time, caller_watts}};
  for (const ScriptedOperator& one : operators_) pieces.push_back({one.time * one.runs, one.watts});
  return prepare(engines::Slot::Whole, std::move(pieces), warm_up);
}

Seconds ScriptedEngine::prepare_program(Seconds warm_up) {
  Pieces pieces{{overhead, ScriptedMachine::kIdleWatts}};
  for (const ScriptedOperator& one : operators_) pieces.push_back({one.time * one.runs, one.watts});
  return prepare(engines::Slot::Program, std::move(pieces), warm_up);
}

Seconds ScriptedEngine::prepare_part(const engines::PartNodes& nodes, const engines::Copies& copies,
                                     Seconds warm_up) {
  Pieces pieces{{overhead_of_run, ScriptedMachine::kIdleWatts}};
  for (const std::size_t node : nodes) {
    ScriptedOperator& one = operators_.at(node);
    ++prepared_parts_[node];
    if (!one.refusal.empty()) throw Error(ErrorKind::BadInput, one.refusal);
    if (one.deaths > 0) {
      --one.deaths;
      slots_.clear();
      throw engines::EngineLost("the engine ended");
    }
    pieces.push_back({one.time * copies.count, one.watts});
  }
  return prepare(engines::Slot::Part, std::move(pieces), warm_up);
}

engines::EngineWindow ScriptedEngine::run(engines::Slot slot, std::int64_t runs) {
  call(Call::Run, slot);
  // What is copied to a device first is not of the window.
  if (time_to_call.count() > 0) machine_.start(kTimeToCopy, ScriptedMachine::kIdleWatts);
  const Device workload = device(slot);
  const runtime::TimedWindow timed = runtime::timed_window(workload, runs);
  engines::EngineWindow window;
  window.begin = Time(std::chrono::nanoseconds(timed.begin_ns));
  window.end = Time(std::chrono::nanoseconds(timed.end_ns));
  window.cpu = window.end - window.begin;
  window.memory_bytes = memory_bytes;
  return window;
}

std::vector<Seconds> ScriptedEngine::run_each(engines::Slot slot, std::int64_t runs) {
  call(Call::RunEach, slot);
  const Device workload = device(slot);
  std::vector<Seconds> each;
  for (const std::int64_t ns : runtime::timed_each(workload, runs))
    each.emplace_back(std::chrono::nanoseconds(ns));
  return each;
}

}  // namespace jouletree::test
