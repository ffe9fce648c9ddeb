#include <sstream>

#include "cli/predict_options.hpp"
#include "jouletree/tree_files.hpp"
#include "model/onnx/streamed_model.hpp"
#include "zoo/catalogue.hpp"

namespace jouletree::cli {
namespace {

constexpr std::size_t kPiece = std::size_t{1} << 20U;

/// Shapes are all that counts: the weights are neither made nor kept.
std::vector<model::StreamedTensor> without_content(
    const std::vector<model::StreamedTensor>& weights) {
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

ModelTree zoo_model(const std::string& name, const InputSettings& settings) {
  const zoo::Architecture& architecture = zoo::find_architecture(name);
  zoo::ModelWriter writer(1);
  architecture.write(writer, architecture.settings);
  model::OnnxBuilder model = writer.graph();
  model::write_external(model, without_content(writer.weights()), name + ".data",
                        [](std::string_view) {});
  std::string bytes;
  model::write_model(model, {}, [&](std::string_view piece) { bytes += piece; });
  // The graph points into the bytes.
  const auto kept = std::make_shared<const std::string>(std::move(bytes));
  const auto graph = std::make_shared<const Graph>(read_onnx(*kept, name + ".onnx"));
  ModelTree tree =
      build_tree(std::shared_ptr<const Graph>(graph.get(), [graph, kept](auto*) {}), settings);
  tree.name = name;
  return tree;
}

}  // namespace

TreeRun counted_model(const std::string& model, const InputSettings& settings, bool as_written,
                      std::string& line) {
  std::error_code error;
  ModelTree tree = std::filesystem::exists(model, error) ? inspect_model(model, settings)
                                                         : zoo_model(model, settings);
  if (!as_written) tree = expected_tree(std::move(tree), settings);
  std::ostringstream text;
  write_tree_line(tree, text);
  line = text.str();
  return counted_run(tree);
}

}  // namespace jouletree::cli
