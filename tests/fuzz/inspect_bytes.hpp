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
    const std::vector<MetricResult> metrics = MetricSet().compute(tree);
    print_inspect_table(tree, metrics, {}, out);
    print_inspect_json(tree, metrics, {Grouping::Type, SortKey::Macs}, out);
  } catch (const Error&) {
  }
}

}  // namespace jouletree::test
