#include "zoo/weightless_graph.hpp"

#include "model/onnx/streamed_model.hpp"
#include "zoo/build_model.hpp"
#include "zoo/written_model.hpp"

namespace jouletree::zoo {
std::shared_ptr<const Graph> weightless_graph(const std::string& name) {
  const WrittenModel model = written_model(name);
  return weightless_graph(*model.architecture, model.settings);
}

std::shared_ptr<const Graph> weightless_graph(const Architecture& architecture,
                                              const Settings& settings) {
  ModelWriter writer(1);
  architecture.write(writer, settings);
  return weightless_graph(writer, architecture.name);
}

std::shared_ptr<const Graph> weightless_graph(const ModelWriter& writer, const std::string& name) {
  model::OnnxBuilder built = writer.graph();
  const std::size_t padded_bytes = model::place_external(built, writer.weights(), name + ".data");
  std::string bytes;
  model::write_model(built, {}, [&](std::string_view piece) { bytes += piece; });
  // The graph points into the bytes.
  const auto kept = std::make_shared<const std::string>(std::move(bytes));
  Graph read = read_onnx(*kept, name);
  // The weights are not missing: they would be so large in what build_model() writes.
  std::size_t weight_bytes = 0;
  for (const model::StreamedTensor& weight : writer.weights()) weight_bytes += weight.bytes();
  const std::size_t stored = weight_bytes > kLargestInOneFile ? padded_bytes : weight_bytes;
  for (const std::filesystem::path& file : read.missing_external_files)
    read.external_files[file] = static_cast<std::int64_t>(stored);
  read.missing_external_files.clear();
  const auto graph = std::make_shared<const Graph>(std::move(read));
  return {graph.get(), [graph, kept](const Graph*) {}};
}

}  // namespace jouletree::zoo
