#pragma once

#include <memory>
#include <sstream>
#include <string>
#include <string_view>

#include "jouletree/inference.hpp"
#include "jouletree/tree_files.hpp"
#include "report/inspect_report.hpp"
#include "support/zip_bytes.hpp"

namespace jouletree::test {

/// Everything that `inspect` does with a file, on bytes that may be anything. Refusing them with an
/// Error is fine; whatever else happens is a defect.
inline void inspect_bytes(std::string_view bytes) {
  try {
    const ModelTree tree =
        build_tree(std::make_shared<const Graph>(read_model(bytes, "fuzz.onnx", {})), {});
    std::ostringstream out;
    write_tree_line(tree, out);
    write_layers(tree, out);
    const std::vector<tree::MetricResult> metrics = tree::MetricSet().compute(tree);
    report::print_inspect_table(tree, metrics, {}, out);
    report::print_inspect_json(tree, metrics, {report::Grouping::Type, report::SortKey::Macs}, out);
  } catch (const Error&) {
  }
}

/// The same of a graph of torch.export, in an archive that is made for it.
inline void inspect_program(std::string_view json) {
  inspect_bytes(
      zip_bytes({{"net/models/model.json", std::string(json)}, {"net/archive_format", "pt2"}}));
}

}  // namespace jouletree::test
