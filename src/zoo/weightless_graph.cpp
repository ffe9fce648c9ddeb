#include "zoo/weightless_graph.hpp"

#include <algorithm>

#include "model/onnx/streamed_model.hpp"
#include "zoo/catalogue.hpp"

namespace jouletree::zoo {
namespace {

constexpr std::size_t kPiece = std::size_t{1} << 20U;

std::vector<model::StreamedTensor> without_content(const std::vector<model::StreamedTensor>& weights) {
  static const std::string kZeros(kPiece, '\0');
  std::vector<model::StreamedTensor> hollow = weights;
  for (model::StreamedTensor& weight : hollow) {
    weight.content = [left = weight.bytes()](const model::ByteSink& sink) {
      for (std::size_t done = 0; done < left; done += kPiece)
        sink(std::string_view(kZeros).substr(0, std::min(kPiece, left - done)));
    };
  }
  return hollow;
}

}  // namespace

std::shared_ptr<const Graph> weightless_graph(const std::string& name) {
  const Architecture& architecture = find_architecture(name);
  ModelWriter writer(1);
  architecture.write(writer, architecture.settings);
  model::OnnxBuilder built = writer.graph();
  model::write_external(built, without_content(writer.weights()), name + ".data", [](std::string_view) {});
  std::string bytes;
  model::write_model(built, {}, [&](std::string_view piece) { bytes += piece; });
  // The graph points into the bytes.
  const auto kept = std::make_shared<const std::string>(std::move(bytes));
  const auto graph = std::make_shared<const Graph>(read_onnx(*kept, name + ".onnx"));
  return {graph.get(), [graph, kept](const Graph*) {}};
}

}  // namespace jouletree::zoo
