#include "report/page/page_columns.hpp"
#include "report/page/page_items.hpp"
#include "report/page/page_tree.hpp"

namespace jouletree::report {
namespace {

using Json = nlohmann::ordered_json;

PageColumn::Cell counted_cell(const std::optional<std::int64_t>& value, bool lower_bound) {
  return {value ? std::optional(static_cast<double>(*value)) : std::nullopt,
          std::string(name_of(Provenance::Counted)),
          {},
          {},
          lower_bound};
}

PageColumn::Cell counted_cell(const Sum& sum) {
  return counted_cell(sum.value(), sum.lower_bound());
}

class CountedRows {
 public:
  explicit CountedRows(const ModelTree& tree) { add(tree.root, PageTree::kRoot, tree.name); }

  [[nodiscard]] Json json() {
    for (const PageColumn* column : {&macs_, &flops_, &bytes_, &params_}) tree_.add_column(*column);
    return tree_.json();
  }

 private:
  void add(const TreeNode& node, int parent, const std::string& name) {
    const int row = rows_++;
    tree_.add_node(parent, kind_of(node.kind), name, node.type);
    macs_.add(counted_cell(node.totals.macs));
    flops_.add(counted_cell(node.totals.flops));
    bytes_.add(counted_cell(node.totals.bytes_moved()));
    params_.add(counted_cell(node.totals.params, false));
    for (const TreeNode& child : node.children) add(child, row, child.name);
  }

  static PageNodeKind kind_of(TreeNodeKind kind) {
    switch (kind) {
      case TreeNodeKind::Model: return PageNodeKind::Model;
      case TreeNodeKind::Module: return PageNodeKind::Module;
      case TreeNodeKind::Operator: return PageNodeKind::Operator;
    }
    return PageNodeKind::Operator;
  }

  PageTree tree_;
  int rows_ = 0;
  PageColumn macs_{kMacsColumn};
  PageColumn flops_{kFlopsColumn};
  PageColumn bytes_{kBytesColumn};
  PageColumn params_{kParamsColumn};
};

}  // namespace

Json counted_item(const ModelTree& tree, const std::vector<tree::MetricResult>& metrics,
                  const std::string& label, const std::string& source) {
  Json item = empty_item("counted", label, source);
  for (const InputShape& input : tree.inference.inputs)
    item["facts"].push_back({"input " + input.name, to_string(input)});
  item["metrics"] = page_metrics(metrics);
  item["notes"] = tree.notes;
  item["tree"] = CountedRows(tree).json();
  if (Json memory = memory_section(tree); !memory.is_null()) item["memory"] = std::move(memory);
  return item;
}

}  // namespace jouletree::report
