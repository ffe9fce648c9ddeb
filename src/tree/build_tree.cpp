#include <limits>
#include <unordered_map>

#include <fmt/format.h>

#include "base/number_format.hpp"
#include "base/number_of.hpp"
#include "jouletree/tree.hpp"
#include "tree/counted_tree.hpp"
#include "tree/scope.hpp"
#include "tree/shared_tensors.hpp"
#include "tree/used_constants.hpp"

namespace jouletree {
namespace {

/// What stored tensors contribute to a node of the tree.
struct StoredTotals {
  Count params = 0;
  Count frozen = 0;
  Count statistics = 0;
  Count bytes = 0;

  void add(const ConstantUse& use) { add(use, 1); }
  void take_back(const ConstantUse& use) { add(use, -1); }

 private:
  void add(const ConstantUse& use, std::int64_t times) {
    if (use.role == ConstantRole::Parameter) params += Count(use.elements) * times;
    if (use.role == ConstantRole::Parameter && use.frozen) frozen += Count(use.elements) * times;
    if (use.role == ConstantRole::Statistic) statistics += Count(use.elements) * times;
    bytes += Count(use.bytes) * times;
  }
};

constexpr std::size_t kNoDraft = std::numeric_limits<std::size_t>::max();

/// Children are indices here, so that nodes stay where they are while the tree grows.
struct Draft {
  TreeNode node;
  std::size_t parent = kNoDraft;
  int level = 0;
  StoredTotals stored;  ///< Beside what its children have.
  std::vector<std::size_t> children;
  std::vector<ValueId> constants;  ///< Used by the operator itself.
};

class TreeBuilder {
 public:
  TreeBuilder(const Graph& graph, const Inference& inference, const Constants& constants)
      : graph_(graph),
        inference_(inference),
        constants_(constants),
        drafts_(1),
        last_reader_(graph.values.size(), kNoDraft) {
    drafts_[0].node.kind = TreeNodeKind::Model;
  }

  TreeNode build() {
    add_block(graph_.main, 0, {});
    add_idle_parameters();
    return finish(0);
  }

 private:
  void add_block(const Block& block, std::size_t parent,
                 const std::vector<tree::ScopeStep>& around) {
    for (const Node& node : block.nodes) {
      tree::Scope scope = tree::scope_of(node);
      // Names inside a body may repeat the path of the node that the body belongs to.
      std::size_t skip = 0;
      while (skip < around.size() && skip < scope.modules.size() &&
             scope.modules[skip].name == around[skip].name)
        ++skip;
      std::size_t at = parent;
      for (std::size_t i = skip; i < scope.modules.size(); ++i) at = module(at, scope.modules[i]);
      const std::size_t leaf = add_operator(at, node, scope.leaf);
      for (const Attribute& attribute : node.attributes) {
        for (const auto& nested : attribute.blocks) {
          drafts_[leaf].node.kind = TreeNodeKind::Module;
          add_block(*nested, leaf, scope.modules);
        }
      }
    }
  }

  /// Parameters that no operator reads stand in the module that their name tells of.
  void add_idle_parameters() {
    std::vector<bool> used(graph_.values.size(), false);
    for (const Draft& draft : drafts_)
      for (const ValueId id : draft.constants) used[id] = true;
    for (std::size_t i = 0; i < graph_.values.size(); ++i) {
      const GraphValue& value = graph_.values[i];
      const bool idle = value.constant && !used[i] && value.stored_as != StoredAs::Unsaid &&
                        constants_.by_value[i].role == ConstantRole::Parameter;
      if (!idle) continue;
      std::size_t at = 0;
      std::string_view path = value.name;
      for (std::size_t dot = path.find('.'); dot != std::string_view::npos; dot = path.find('.')) {
        at = module(at, {std::string(path.substr(0, dot)), ""});
        path.remove_prefix(dot + 1);
      }
      drafts_[at].constants.push_back(static_cast<ValueId>(i));
    }
  }

  std::size_t module(std::size_t parent, const tree::ScopeStep& step) {
    const std::string scope = join(drafts_[parent].node.scope, step.name);
    const auto [entry, added] = modules_.try_emplace(scope, drafts_.size());
    if (added) {
      Draft& draft = add_draft(parent, scope, step.name);
      draft.node.kind = TreeNodeKind::Module;
    }
    TreeNode& node = drafts_[entry->second].node;
    if (node.type.empty()) node.type = step.type;
    return entry->second;
  }

  std::size_t add_operator(std::size_t parent, const Node& node, const std::string& leaf) {
    const std::string plain = join(drafts_[parent].node.scope, leaf);
    const std::int64_t repetition = ++names_[plain];
    const std::string suffix = repetition > 1 ? fmt::format("_{}", repetition) : "";
    Draft& draft = add_draft(parent, plain + suffix, leaf + suffix);
    draft.node.kind = TreeNodeKind::Operator;
    draft.node.type = std::string(node.op);
    draft.node.operation = &node;
    draft.constants = tree::used_constants(graph_, node);
    return drafts_.size() - 1;
  }

  Draft& add_draft(std::size_t parent, std::string scope, std::string name) {
    drafts_[parent].children.push_back(drafts_.size());
    const int level = drafts_[parent].level + 1;
    Draft& draft = drafts_.emplace_back();
    draft.parent = parent;
    draft.level = level;
    draft.node.scope = std::move(scope);
    draft.node.name = std::move(name);
    return draft;
  }

  static std::string join(const std::string& scope, const std::string& name) {
    return scope.empty() ? name : scope + "." + name;
  }

  [[nodiscard]] std::size_t common_ancestor(std::size_t a, std::size_t b) const {
    while (a != b) {
      std::size_t& deeper = drafts_[a].level >= drafts_[b].level ? a : b;
      deeper = drafts_[deeper].parent;
    }
    return a;
  }

  /// A tensor counts wherever it is read, and once less where the paths from two of its readers
  /// meet. With readers in the order of the tree, that leaves one at every level.
  void count_constants(std::size_t index) {
    for (const ValueId id : drafts_[index].constants) {
      const ValueId stored = constants_.by_value[id].value;
      const ConstantUse& use = constants_.by_value[stored];
      std::size_t& last = last_reader_[stored];
      drafts_[index].stored.add(use);
      if (last != kNoDraft) drafts_[common_ancestor(last, index)].stored.take_back(use);
      last = index;
    }
  }

  /// Moves the draft into its final place.
  TreeNode finish(std::size_t index) {
    TreeNode node = std::move(drafts_[index].node);
    std::int64_t attribute_params = 0;
    if (node.operation != nullptr) {
      add_own_work(*node.operation, node.totals);
      attribute_params = constants_.attribute_params[node.operation->id];
    }
    count_constants(index);
    node.children.reserve(drafts_[index].children.size());
    StoredTotals stored;
    for (const std::size_t child : drafts_[index].children) {
      const Totals& below = node.children.emplace_back(finish(child)).totals;
      node.totals.add_work(below);
      attribute_params += below.attribute_params;
      stored.params += below.params - below.attribute_params;
      stored.frozen += below.frozen_params;
      stored.statistics += below.statistics;
      stored.bytes += below.weight_bytes;
    }
    // Only now: what is below took back what it shares.
    const StoredTotals& own = drafts_[index].stored;
    node.totals.params = (stored.params + own.params + attribute_params).value();
    node.totals.frozen_params = (stored.frozen + own.frozen).value();
    node.totals.statistics = (stored.statistics + own.statistics).value();
    node.totals.weight_bytes = (stored.bytes + own.bytes).value();
    node.totals.attribute_params = attribute_params;
    return node;
  }

  void add_own_work(const Node& node, Totals& totals) const {
    const NodeResult& result = inference_.nodes[node.id];
    if (result.status == NodeStatus::NotRun) {
      totals.not_run += 1;
      totals.macs.add(0);
      totals.flops.add(0);
      totals.read_bytes.add(0);
      totals.written_bytes.add(0);
      return;
    }
    totals.operators += 1;
    totals.without_rule += result.status == NodeStatus::NoRule ? 1 : 0;
    totals.unresolved += result.status == NodeStatus::Unresolved ? 1 : 0;
    totals.macs.add(result.work.macs);
    totals.flops.add(result.work.flops);
    totals.read_bytes.add(result.work.read_bytes);
    totals.written_bytes.add(result.work.written_bytes);
    const Count bytes =
        Count(result.work.read_bytes.value_or(0)) + result.work.written_bytes.value_or(0);
    Count& covered =
        result.status == NodeStatus::NoRule ? totals.bytes_without_rule : totals.bytes_with_rule;
    covered += bytes;
  }

  const Graph& graph_;
  const Inference& inference_;
  const Constants& constants_;
  std::vector<Draft> drafts_;
  std::unordered_map<std::string, std::size_t> modules_;
  std::unordered_map<std::string, std::int64_t> names_;
  std::vector<std::size_t> last_reader_;  ///< Of each stored tensor, while the tree is finished.
};

void note_what_was_found(ModelTree& tree) {
  const std::string folded = folded_normalization_note(*tree.graph);
  if (!folded.empty()) tree.notes.push_back(folded);
  for (const auto& file : tree.graph->missing_external_files) {
    tree.notes.push_back(fmt::format(
        "external data file {} is missing: weights were counted by their shapes, the model size is "
        "that of the files present",
        file.string()));
  }
  if (tree.root.totals.statistics > 0) {
    tree.notes.push_back(
        fmt::format("the file also stores {} running means and variances; these are not parameters",
                    with_separators(tree.root.totals.statistics)));
  }
  for (std::string& note :
       tree::shared_tensor_notes(*tree.graph, tree.constants, tree.root.totals.params))
    tree.notes.push_back(std::move(note));
  if (tree.root.totals.not_run > 0) {
    tree.notes.push_back(fmt::format("{} in branches that are not taken {} not counted",
                                     number_of(tree.root.totals.not_run, "operator"),
                                     agreeing(tree.root.totals.not_run, "is", "are")));
  }
}

void count(const Graph& graph, ModelTree& tree) try {
  tree.constants = classify_constants(graph);
  tree.peak = peak_activation_memory(graph, tree.inference);
  tree.root = TreeBuilder(graph, tree.inference, tree.constants).build();
} catch (const Error& error) {
  throw Error(error.kind(), fmt::format("{}: {}", graph.path.string(), error.what()));
}

}  // namespace

void Sum::add(Count part) {
  ++parts_;
  if (part.known()) {
    known_ = (Count(known_) + part).value();
  } else {
    ++missing_;
  }
}

void Sum::add(const Sum& other) {
  parts_ += other.parts_;
  missing_ += other.missing_;
  known_ = (Count(known_) + Count(other.known_)).value();
}

std::optional<std::int64_t> Sum::value() const {
  return missing_ > 0 && missing_ == parts_ ? std::nullopt : std::optional(known_);
}

void Totals::add_work(const Totals& other) {
  macs.add(other.macs);
  flops.add(other.flops);
  read_bytes.add(other.read_bytes);
  written_bytes.add(other.written_bytes);
  operators += other.operators;
  not_run += other.not_run;
  without_rule += other.without_rule;
  unresolved += other.unresolved;
  bytes_with_rule += other.bytes_with_rule;
  bytes_without_rule += other.bytes_without_rule;
}

Sum Totals::bytes_moved() const {
  Sum sum = read_bytes;
  sum.add(written_bytes);
  return sum;
}

namespace tree {

ModelTree counted_tree(std::shared_ptr<const Graph> graph, Inference inference) {
  ModelTree tree;
  tree.inference = std::move(inference);
  count(*graph, tree);
  tree.name = graph->path.stem().string();
  tree.root.name = tree.name;
  tree.notes = tree.inference.notes;
  tree.graph = std::move(graph);
  note_what_was_found(tree);
  return tree;
}

}  // namespace tree

ModelTree build_tree(std::shared_ptr<const Graph> graph, const InputSettings& settings) {
  Inference inference = infer(*graph, settings);
  return tree::counted_tree(std::move(graph), std::move(inference));
}

ModelTree inspect_model(const std::filesystem::path& path, const InputSettings& settings) {
  return build_tree(std::make_shared<const Graph>(read_model(path, settings)), settings);
}

}  // namespace jouletree
