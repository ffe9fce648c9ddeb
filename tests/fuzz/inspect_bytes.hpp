#pragma once

#include <memory>
#include <sstream>
#include <string_view>

#include "jouletree/tree_files.hpp"
#include "report/inspect_report.hpp"

namespace jouletree::test {

/// Everything that `inspect` does with a file, on bytes that may be anything. Refusing them with an
/// Error is fine; whatever else happens is a defect.
inline void inspect_bytes(std::string_view bytes) {
  try {
    const ModelTree tree =
        build_tree(std::make_shared<const Graph>(read_onnx(bytes, "fuzz.onnx")), {});
    std::ostringstream out;
    write_tree_line(tree, out);
    write_layers(tree, out);
    const std::vector<tree::MetricResult> metrics = tree::MetricSet().compute(tree);
    report::print_inspect_table(tree, metrics, {}, out);
    report::print_inspect_json(tree, metrics, {report::Grouping::Type, report::SortKey::Macs}, out);
  } catch (const Error&) {
  }
}

}  // namespace jouletree::test
