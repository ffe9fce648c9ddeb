#include "zoo/weightless_graph.hpp"

#include <gmock/gmock.h>

#include "jouletree/error.hpp"
#include "jouletree/inference.hpp"
#include "support/temp_folder.hpp"
#include "zoo/build_model.hpp"
#include "zoo/catalogue.hpp"

namespace jouletree::zoo {
namespace {

std::int64_t size_of(const Graph& graph) {
  std::int64_t bytes = graph.file_bytes;
  for (const auto& [file, size] : graph.external_files) bytes += size;
  return bytes;
}

TEST(WeightlessGraph, IsAsLargeAsTheModelThatWouldBeWritten) {
  const test::TempFolder folder;
  for (const char* name : {"mobilenet-v2", "resnet-34"}) {  // within the file, and beside it
    const Architecture& architecture = find_architecture(name);
    const auto file = folder.path() / (std::string(name) + ".onnx");
    build_model(architecture, architecture.settings, 1, file);
    const Graph written = read_onnx(file);

    const auto graph = weightless_graph(name);

    EXPECT_TRUE(graph->missing_external_files.empty());
    EXPECT_NEAR(static_cast<double>(size_of(*graph)), static_cast<double>(size_of(written)),
                0.01 * static_cast<double>(size_of(written)));
    EXPECT_EQ(graph->main.nodes.size(), written.main.nodes.size());
  }
}

TEST(WeightlessGraph, RefusesANameThatIsNotThere) {
  EXPECT_THROW((void)weightless_graph("resnt-18"), Error);
}

}  // namespace
}  // namespace jouletree::zoo
