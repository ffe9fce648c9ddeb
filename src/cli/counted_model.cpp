#include <sstream>

#include "cli/predict_options.hpp"
#include "jouletree/tree_files.hpp"
#include "zoo/weightless_graph.hpp"

namespace jouletree::cli {
namespace {

ModelTree zoo_model(const std::string& name, const InputSettings& settings) {
  ModelTree tree = build_tree(zoo::weightless_graph(name), settings);
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
