// Our own hot paths: reading a file, inferring its shapes, building the tree. Files are given as
// arguments behind "--", or made on the spot.
//   inspect_bench [Google Benchmark flags] [-- MODEL.onnx …]
#include <memory>
#include <string>

#include <benchmark/benchmark.h>

#include "jouletree/tree.hpp"
#include "model/onnx/onnx_builder.hpp"

namespace jouletree {
namespace {

/// A chain of `layers` linear layers with a residual path and a shape computation each.
std::string chain(std::int64_t layers) {
  model::OnnxBuilder model(17);
  model.symbolic_input("x0", DataType::Float32, {"batch", "64"});
  model.initializer("w", DataType::Float32, {64, 64});
  model.integers("zero", {0});
  model.integers("rest", {-1});
  for (std::int64_t i = 0; i < layers; ++i) {
    const std::string n = std::to_string(i);
    const std::string path = "/layers." + n + "/";
    const std::string next = "x" + std::to_string(i + 1);
    model.node("MatMul", {"x" + n, "w"}, {"m" + n}).name(path + "MatMul");
    model.node("Shape", {"m" + n}, {"s" + n}).name(path + "Shape");
    model.node("Gather", {"s" + n, "zero"}, {"g" + n}).name(path + "Gather");
    model.node("Concat", {"g" + n, "rest"}, {"t" + n}).name(path + "Concat").integer("axis", 0);
    model.node("Reshape", {"m" + n, "t" + n}, {"r" + n}).name(path + "Reshape");
    model.node("Add", {"r" + n, "x" + n}, {next}).name(path + "Add");
  }
  model.output("x" + std::to_string(layers));
  return model.model_bytes();
}

void read_file(benchmark::State& state, const std::string& path) {
  for (auto _ : state) benchmark::DoNotOptimize(read_onnx(path));
}

void inspect_file(benchmark::State& state, const std::string& path) {
  for (auto _ : state) benchmark::DoNotOptimize(inspect_model(path, {}));
}

void read_chain(benchmark::State& state) {
  const std::string bytes = chain(state.range(0));
  for (auto _ : state) benchmark::DoNotOptimize(read_onnx(bytes, "chain.onnx"));
  state.SetItemsProcessed(state.iterations() * state.range(0) * 6);
}
BENCHMARK(read_chain)->Arg(100)->Arg(1000)->Arg(10000)->Unit(benchmark::kMicrosecond);

void inspect_chain(benchmark::State& state) {
  const std::string bytes = chain(state.range(0));
  for (auto _ : state) {
    auto graph = std::make_shared<const Graph>(read_onnx(bytes, "chain.onnx"));
    benchmark::DoNotOptimize(build_tree(std::move(graph), {}));
  }
  state.SetItemsProcessed(state.iterations() * state.range(0) * 6);
}
BENCHMARK(inspect_chain)->Arg(100)->Arg(1000)->Arg(10000)->Unit(benchmark::kMicrosecond);

}  // namespace

void add_file(const std::string& path) {
  benchmark::RegisterBenchmark(("read/" + path).c_str(), read_file, path)
      ->Unit(benchmark::kMicrosecond);
  benchmark::RegisterBenchmark(("inspect/" + path).c_str(), inspect_file, path)
      ->Unit(benchmark::kMicrosecond);
}

}  // namespace jouletree

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  for (int i = 1; i < argc; ++i) {
    const std::string path = argv[i];
    if (path != "--") jouletree::add_file(path);
  }
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
