#include "engines/torch/torch_engine.hpp"

#include <algorithm>

#include "engines/torch/recorded_parts.hpp"
#include "jouletree/recorded_run.hpp"
#include "runtime/worker_process.hpp"

namespace jouletree::engines {
namespace {

using Nanoseconds = std::chrono::nanoseconds;

const char* name_of_slot(Slot slot) {
  switch (slot) {
    case Slot::Whole: return "whole";
    case Slot::Part: return "part";
    case Slot::Program: return "program";
  }
  return "";
}

double median_of(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

/// Calls `ask`, and tells of a lost worker in the words of the interface.
template <class Ask>
auto asked_of_torch(const Ask& ask) {
  try {
    return ask();
  } catch (const runtime::WorkerLost& lost) {
    throw EngineLost(lost.what());
  }
}

}  // namespace

std::string TorchEngine::name() const {
  return asked_of_torch([&] { return runner_.name(); });
}

std::map<std::string, std::string> TorchEngine::settings() const {
  return asked_of_torch([&] { return runner_.settings(); });
}

std::string TorchEngine::caller() const {
  return asked_of_torch([&] { return runner_.caller(); });
}

LoadedModel TorchEngine::load(const ModelToLoad& /*model*/) {
  return asked_of_torch([&] {
    const std::string recording = runner_.recording();
    LoadedModel loaded = loaded_recording(inspect_recording(recording, model_),
                                          runtime::read_recording(recording), runner_.strides());
    std::vector<std::size_t> operators;
    for (const auto& part : loaded.part_of)
      if (part) operators.push_back(*part);
    parts_ = loaded.parts;
    runner_.take_operators(operators, moved_bytes());
    return loaded;
  });
}

WatchedRuns TorchEngine::watch(int runs) {
  std::vector<std::vector<runtime::TimedCall>> all;
  try {
    all = asked_of_torch([&] { return runner_.watch(runs); });
  } catch (const Error& error) {
    // A call that cannot be made again costs its own row and the times in place, not the profile.
    throw EngineLost(error.what());
  }
  std::vector<std::vector<double>> seconds(parts_.size());
  WatchedRuns watched;
  watched.medians.resize(parts_.size());
  for (const auto& run : all) {
    for (const runtime::TimedCall& one : run)
      seconds.at(one.call).push_back(Duration(one.end - one.begin).count());
  }
  for (std::size_t part = 0; part < parts_.size(); ++part)
    if (!seconds[part].empty()) watched.medians[part] = Duration(median_of(seconds[part]));
  if (all.empty() || all.back().empty()) return watched;
  const Time first = all.back().front().begin;
  for (const auto& [call, begin, end] : all.back()) {
    watched.last_run.push_back({parts_[call].name, parts_[call].name, call,
                                std::chrono::duration_cast<Nanoseconds>(begin - first),
                                std::chrono::duration_cast<Nanoseconds>(end - begin)});
  }
  return watched;
}

Duration TorchEngine::prepare_whole(Duration warm_up) {
  return asked_of_torch([&] { return runner_.prepare_whole(warm_up); });
}

Duration TorchEngine::prepare_program(Duration warm_up) {
  return asked_of_torch([&] { return runner_.prepare_program(warm_up); });
}

Duration TorchEngine::prepare_part(const PartNodes& nodes, const Copies& copies, Duration warm_up) {
  runtime::TorchPart part;
  part.calls = nodes;
  part.count = copies.count;
  part.weight_sets = copies.weight_sets;
  part.input_sets = {copies.input_sets.begin(), copies.input_sets.end()};
  part.output_sets = output_sets(nodes, copies);
  part.least_context_bytes = copies.context.least_bytes;
  part.most_context_bytes = copies.context.most_bytes;
  part.longest_context = copies.context.longest;
  return asked_of_torch([&] { return runner_.prepare_part(part, warm_up); });
}

EngineWindow TorchEngine::run(Slot slot, std::int64_t runs) {
  const runtime::TorchWindow window =
      asked_of_torch([&] { return runner_.run(name_of_slot(slot), runs); });
  return {window.begin, window.end, window.cpu, window.memory_bytes, window.inside};
}

std::vector<Duration> TorchEngine::run_each(Slot slot, std::int64_t runs) {
  return asked_of_torch([&] { return runner_.run_each(name_of_slot(slot), runs); });
}

/// Of every call.
std::vector<std::int64_t> TorchEngine::moved_bytes() const {
  std::vector<std::int64_t> all;
  for (const Part& part : parts_) {
    std::int64_t& bytes = all.emplace_back(part.weight_bytes);
    for (const Part::Tensor& read : part.reads) bytes += read.bytes;
    for (const Part::Tensor& made : part.writes) bytes += made.bytes;
  }
  return all;
}

std::optional<int> TorchEngine::output_sets(const PartNodes& nodes, const Copies& copies) const {
  if (!copies.output_bytes) return std::nullopt;
  std::int64_t bytes = 0;
  for (const std::size_t node : nodes)
    for (const Part::Tensor& made : parts_.at(node).writes) bytes += made.bytes;
  return bytes == 0 ? 1 : static_cast<int>(*copies.output_bytes / bytes) + 1;
}

}  // namespace jouletree::engines
