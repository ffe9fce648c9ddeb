#include <algorithm>
#include <deque>
#include <limits>

#include <fmt/format.h>

#include "base/number_format.hpp"
#include "base/number_of.hpp"
#include "base/text_index.hpp"
#include "jouletree/tree.hpp"
#include "tree/counted_tree.hpp"
#include "tree/lost_scopes.hpp"
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

/// Children are indices here, so that nodes stay where they are while the tree grows. The scope is
/// not yet in the node.
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
        places_(graph),
        drafts_(1),
        scopes_(1),
        last_reader_(graph.values.size(), kNoDraft) {
    drafts_[0].node.kind = TreeNodeKind::Model;
    // Most nodes are operators.
    drafts_.reserve(graph.node_count + graph.node_count / 4);
    names_.reserve(graph.node_count);
  }

  TreeNode build() {
    add_block(graph_.main, 0, {});
    add_idle_parameters();
    TreeNode root;
    finish(0, root);
    return root;
  }

 private:
  void add_block(const Block& block, std::size_t parent,
                 const std::vector<tree::ScopeStep>& around) {
    for (const Node& node : block.nodes) {
      if (parent == 0 && !places_.was_lost(node) && add_plain(node)) continue;
      tree::Scope scope = places_.of(node);
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

  /// Adds a node of the main block whose name tells its module, as most do; false for others.
  bool add_plain(const Node& node) {
    const auto plain = tree::plain_scope_of(node);
    const auto has_blocks = [](const Attribute& attribute) { return !attribute.blocks.empty(); };
    if (!plain || std::any_of(node.attributes.begin(), node.attributes.end(), has_blocks))
      return false;
    const auto [at, added] = by_path_.add(plain->modules, 0);
    if (added) {
      std::size_t found = 0;
      for (const tree::ScopeStep& step : tree::scope_of(node).modules) found = module(found, step);
      *at = static_cast<std::uint32_t>(found);
    }
    add_operator(*at, node, plain->leaf);
    return true;
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
    std::string scope = join(scopes_[parent], step.name);
    const std::uint32_t* const found = modules_.find(scope);
    std::size_t index = drafts_.size();
    if (found != nullptr) {
      index = *found;
    } else {
      add_draft(parent, std::move(scope), step.name).node.kind = TreeNodeKind::Module;
      modules_.add(scopes_[index], static_cast<std::uint32_t>(index));
    }
    TreeNode& node = drafts_[index].node;
    if (node.type.empty()) node.type = step.type;
    return index;
  }

  std::size_t add_operator(std::size_t parent, const Node& node, std::string_view leaf) {
    Draft& draft = add_draft(parent, join(scopes_[parent], leaf), std::string(leaf));
    const auto [times, added] = names_.add(scopes_.back(), 1);
    if (!added) {
      const std::string suffix = fmt::format("_{}", ++*times);
      scopes_.back() += suffix;
      draft.node.name += suffix;
    }
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
    scopes_.push_back(std::move(scope));
    draft.node.name = std::move(name);
    return draft;
  }

  static std::string join(const std::string& scope, std::string_view name) {
    if (scope.empty()) return std::string(name);
    std::string joined;
    joined.reserve(scope.size() + 1 + name.size());
    joined += scope;
    joined += '.';
    joined += name;
    return joined;
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
  void finish(std::size_t index, TreeNode& node) {
    node = std::move(drafts_[index].node);
    node.scope = std::move(scopes_[index]);
    std::int64_t attribute_params = 0;
    if (node.operation != nullptr) {
      add_own_work(*node.operation, node.totals);
      attribute_params = constants_.attribute_params[node.operation->id];
    }
    count_constants(index);
    node.children.reserve(drafts_[index].children.size());
    StoredTotals stored;
    for (const std::size_t child : drafts_[index].children) {
      finish(child, node.children.emplace_back());
      const Totals& below = node.children.back().totals;
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
  tree::Scopes places_;
  std::vector<Draft> drafts_;
  /// By draft. They stay where they are, so that they can be looked up.
  std::deque<std::string> scopes_;
  TextIndex modules_;  ///< Drafts by scope.
  TextIndex by_path_;  ///< Drafts by the path in the names of their nodes.
  TextIndex names_;    ///< How many operators have a scope, by the first of them.
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
