#include <algorithm>
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

/// Children are indices here, so that nodes stay where they are while the tree grows.
struct Draft {
  TreeNode node;
  std::vector<std::size_t> children;
  std::vector<ValueId> constants;  ///< Used by the operator itself.
};

class TreeBuilder {
 public:
  TreeBuilder(const Graph& graph, const Inference& inference, const Constants& constants)
      : graph_(graph), inference_(inference), constants_(constants), drafts_(1) {
    drafts_[0].node.kind = TreeNodeKind::Model;
  }

  TreeNode build() {
    add_block(graph_.main, 0, {});
    add_idle_parameters();
    std::vector<ValueId> used;
    return finish(0, used);
  }

 private:
  void add_block(const Block& block, std::size_t parent, const std::vector<ScopeStep>& around) {
    for (const Node& node : block.nodes) {
      Scope scope = scope_of(node);
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

  std::size_t module(std::size_t parent, const ScopeStep& step) {
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
    draft.constants = used_constants(graph_, node);
    return drafts_.size() - 1;
  }

  Draft& add_draft(std::size_t parent, std::string scope, std::string name) {
    drafts_[parent].children.push_back(drafts_.size());
    Draft& draft = drafts_.emplace_back();
    draft.node.scope = std::move(scope);
    draft.node.name = std::move(name);
    return draft;
  }

  static std::string join(const std::string& scope, const std::string& name) {
    return scope.empty() ? name : scope + "." + name;
  }

  /// Moves the draft into its final place; gives the constants used in and below it.
  TreeNode finish(std::size_t index, std::vector<ValueId>& used) {
    TreeNode node = std::move(drafts_[index].node);
    std::int64_t attribute_params = 0;
    if (node.operation != nullptr) {
      add_own_work(*node.operation, node.totals);
      attribute_params = constants_.attribute_params[node.operation->id];
    }
    for (const ValueId id : drafts_[index].constants) used.push_back(constants_.by_value[id].value);
    for (const std::size_t child : drafts_[index].children) {
      std::vector<ValueId> used_below;
      node.children.push_back(finish(child, used_below));
      node.totals.add_work(node.children.back().totals);
      attribute_params += node.children.back().totals.attribute_params;
      used.insert(used.end(), used_below.begin(), used_below.end());
    }
    std::sort(used.begin(), used.end());
    used.erase(std::unique(used.begin(), used.end()), used.end());
    count_constants(used, node.totals);
    node.totals.params += attribute_params;
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

  void count_constants(const std::vector<ValueId>& used, Totals& totals) const {
    Count params = 0;
    Count frozen = 0;
    Count statistics = 0;
    Count bytes = 0;
    for (const ValueId id : used) {
      const ConstantUse& use = constants_.by_value[id];
      if (use.role == ConstantRole::Parameter) params += use.elements;
      if (use.role == ConstantRole::Parameter && use.frozen) frozen += use.elements;
      if (use.role == ConstantRole::Statistic) statistics += use.elements;
      bytes += use.bytes;
    }
    totals.params = params.value();
    totals.frozen_params = frozen.value();
    totals.statistics = statistics.value();
    totals.weight_bytes = bytes.value();
  }

  const Graph& graph_;
  const Inference& inference_;
  const Constants& constants_;
  std::vector<Draft> drafts_;
  std::unordered_map<std::string, std::size_t> modules_;
  std::unordered_map<std::string, std::int64_t> names_;
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
       shared_tensor_notes(*tree.graph, tree.constants, tree.root.totals.params))
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

ModelTree build_tree(std::shared_ptr<const Graph> graph, const InputSettings& settings) {
  Inference inference = infer(*graph, settings);
  return counted_tree(std::move(graph), std::move(inference));
}

ModelTree inspect_model(const std::filesystem::path& path, const InputSettings& settings) {
  return build_tree(std::make_shared<const Graph>(read_model(path, settings)), settings);
}

}  // namespace jouletree
