#include <fmt/format.h>

#include "jouletree/error.hpp"
#include "jouletree/tree_run.hpp"
#include "jouletree/units.hpp"
#include "tree/operator_details.hpp"
#include "tree/run_checks.hpp"
#include "tree/tree_ids.hpp"
#include "tree/tree_line.hpp"

// What a reader finds in the tree file of a counted model, without the file: a million models are
// predicted by way of this. A test holds both against each other.
namespace jouletree {
namespace {

std::optional<double> scaled_sum(const Sum& sum, double unit) {
  const auto value = sum.value();
  return value ? std::optional(static_cast<double>(*value) / unit) : std::nullopt;
}

class RunMaker {
 public:
  explicit RunMaker(const ModelTree& tree) : tree_(tree), ids_(tree) {
    run_.model = tree.name;
    const auto batch = tree::batch_size(tree);
    const auto length = tree::sequence_length(tree);
    if (batch) run_.batch = static_cast<double>(*batch);
    if (length) run_.sequence = static_cast<double>(*length);
    run_.vocabulary = tree::vocabulary_of(tree);
    run_.notes = tree.notes;
    run_.file = tree.name;
    run_.line = 1;
  }

  TreeRun make() {
    add(tree_.root, kNoParent);
    return std::move(run_);
  }

 private:
  void add(const TreeNode& source, std::size_t parent) {
    const std::size_t index = run_.nodes.size();
    RunNode& node = run_.nodes.emplace_back();
    node.parent = parent;
    node.scope = tree::TreeIds::scope_of(source);
    node.id = ids_.next(node.scope);
    node.type = source.type;
    node.level = source.kind == TreeNodeKind::Model    ? NodeLevel::Model
                 : source.kind == TreeNodeKind::Module ? NodeLevel::Module
                                                       : NodeLevel::Operator;
    node.params = static_cast<double>(source.totals.params);
    node.mflops = scaled_sum(source.totals.flops, 1e6);
    node.mebibytes = scaled_sum(source.totals.bytes_moved(), kMebibyte);
    node.macs = scaled_sum(source.totals.macs, 1);
    node.weight_mebibytes = static_cast<double>(source.totals.weight_bytes) / kMebibyte;
    node.written_mebibytes = scaled_sum(source.totals.written_bytes, kMebibyte);
    if (source.operation != nullptr) add_details(*source.operation, node);
    if (const std::string problem = tree::problem_of(node); !problem.empty()) {
      throw Error(ErrorKind::BadInput,
                  fmt::format("{}: node '{}': {}", tree_.name, node.id, problem));
    }
    if (parent != kNoParent) run_.nodes[parent].children.push_back(index);
    for (const TreeNode& child : source.children) add(child, index);
  }

  void add_details(const Node& operation, RunNode& node) const {
    node.is_engine_made = tree::is_of_engine(operation.domain);
    node.is_blocked = tree::is_of_blocks(operation.domain);
    node.input_shapes = shapes(operation.inputs);
    node.output_shapes = shapes(operation.outputs);
    for (const ValueId id : operation.inputs) {
      node.input_types.push_back(id == kNoValue ? DataType::Undefined
                                                : tree_.inference.values[id].type);
    }
    for (const Attribute& attribute : operation.attributes) {
      if (!tree::is_told(attribute)) continue;
      RunAttribute& told = node.attributes.emplace_back();
      told.name = attribute.name;
      if (attribute.kind == AttributeKind::String) told.word = attribute.text;
      if (attribute.kind == AttributeKind::Int)
        told.numbers = {static_cast<double>(attribute.integer)};
      if (attribute.kind == AttributeKind::Ints)
        told.numbers.assign(attribute.integers.begin(), attribute.integers.end());
    }
  }

  /// Empty where the rank or a size is not known.
  [[nodiscard]] std::vector<std::vector<double>> shapes(const std::vector<ValueId>& ids) const {
    std::vector<std::vector<double>> all;
    for (const ValueId id : ids) {
      std::vector<double>& shape = all.emplace_back();
      if (id == kNoValue || !tree_.inference.values[id].dims) continue;
      for (const Dim dim : *tree_.inference.values[id].dims) {
        const auto size = count_of(dim).optional();
        if (!size) {
          shape.clear();
          break;
        }
        shape.push_back(static_cast<double>(*size));
      }
    }
    return all;
  }

  const ModelTree& tree_;
  tree::TreeIds ids_;
  TreeRun run_;
};

}  // namespace

TreeRun counted_run(const ModelTree& tree) { return RunMaker(tree).make(); }

}  // namespace jouletree
