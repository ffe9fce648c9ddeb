#include "jouletree/predict.hpp"

#include <benchmark/benchmark.h>

#include "support/synthetic_runs.hpp"

namespace jouletree {
namespace {

Predictor trained() {
  TrainOptions options;
  options.features = FeatureSet::Specs;
  return Predictor::train(test::synthetic_runs(), options);
}

/// A model of about a thousand nodes, with intervals.
void predict_model(benchmark::State& state) {
  const Predictor predictor = trained();
  const TreeRun run = test::synthetic_run("large", 16, 128, 110);
  for (auto _ : state) benchmark::DoNotOptimize(predictor.predict(run, FeatureSet::Specs));
  state.counters["nodes"] = static_cast<double>(run.nodes.size());
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(run.nodes.size()));
}
BENCHMARK(predict_model)->Unit(benchmark::kMicrosecond);

/// One operator at a time, with intervals.
void predict_operator(benchmark::State& state) {
  const Predictor predictor = trained();
  const TreeRun source = test::synthetic_run("large", 16, 128, 1);
  TreeRun run = source;
  run.nodes = {source.nodes.back()};
  run.nodes.front().parent = kNoParent;
  for (auto _ : state) benchmark::DoNotOptimize(predictor.predict(run, FeatureSet::Specs));
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK(predict_operator);

void crossvalidate_ledger(benchmark::State& state) {
  const std::vector<TreeRun> runs = test::synthetic_runs();
  for (auto _ : state)
    benchmark::DoNotOptimize(crossvalidate(runs, LeaveOut::Model, TrainOptions{}));
}
BENCHMARK(crossvalidate_ledger)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace jouletree

BENCHMARK_MAIN();
