#include <fmt/format.h>

#include "base/beside.hpp"
#include "base/number_format.hpp"
#include "base/number_of.hpp"
#include "jouletree/tree.hpp"
#include "tree/counted_tree.hpp"
#include "tree/shared_tensors.hpp"
#include "tree/tree_outline.hpp"
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

/// Makes the nodes of an outline, and adds their numbers up.
class TreeBuilder {
 public:
  TreeBuilder(const Graph& graph, const Inference& inference, const Constants& constants,
              tree::TreeOutline outline)
      : graph_(graph),
        inference_(inference),
        constants_(constants),
        outline_(std::move(outline)),
        stored_(outline_.drafts().size()),
        last_reader_(graph.values.size(), tree::kNoDraft) {}

  TreeNode build() {
    TreeNode root;
    finish(0, nullptr, root);
    return root;
  }

 private:
  [[nodiscard]] const std::vector<tree::Draft>& drafts() const { return outline_.drafts(); }

  [[nodiscard]] std::size_t common_ancestor(std::size_t a, std::size_t b) const {
    while (a != b) {
      std::size_t& deeper = drafts()[a].level >= drafts()[b].level ? a : b;
      deeper = drafts()[deeper].parent;
    }
    return a;
  }

  /// A tensor counts wherever it is read, and once less where the paths from two of its readers
  /// meet. With readers in the order of the tree, that leaves one at every level.
  void count_constants(std::size_t index) {
    const auto count = [&](ValueId id) {
      const ValueId stored = constants_.by_value[id].value;
      const ConstantUse& use = constants_.by_value[stored];
      std::size_t& last = last_reader_[stored];
      stored_[index].add(use);
      if (last != tree::kNoDraft) stored_[common_ancestor(last, index)].take_back(use);
      last = index;
    };
    if (const Node* const node = drafts()[index].operation)
      tree::for_each_used_constant(graph_, *node, count);
    for (const ValueId id : outline_.idle_parameters(index)) count(id);
  }

  /// The last part of the scope.
  [[nodiscard]] static std::string_view last_part(const std::string& scope,
                                                  const TreeNode* parent) {
    const bool is_whole = parent == nullptr || parent->scope.empty();
    return std::string_view(scope).substr(is_whole ? 0 : parent->scope.size() + 1);
  }

  /// Makes a node of the draft, in its final place.
  void finish(std::size_t index, const TreeNode* parent, TreeNode& node) {
    const tree::Draft& draft = drafts()[index];
    node.kind = draft.kind;
    node.scope = outline_.take_scope(index);
    node.name = last_part(node.scope, parent);
    node.type = draft.type;
    node.operation = draft.operation;
    std::int64_t attribute_params = 0;
    if (node.operation != nullptr) {
      add_own_work(*node.operation, node.totals);
      attribute_params = constants_.attribute_params[node.operation->id];
    }
    count_constants(index);
    node.children.reserve(draft.children);
    StoredTotals stored;
    for (std::size_t child = draft.first_child; child != tree::kNoDraft;
         child = drafts()[child].next) {
      finish(child, &node, node.children.emplace_back());
      const Totals& below = node.children.back().totals;
      node.totals.add_work(below);
      attribute_params += below.attribute_params;
      stored.params += below.params - below.attribute_params;
      stored.frozen += below.frozen_params;
      stored.statistics += below.statistics;
      stored.bytes += below.weight_bytes;
    }
    // Only now: what is below took back what it shares.
    const StoredTotals& own = stored_[index];
    node.totals.params = (stored.params + own.params + attribute_params).value();
    node.totals.frozen_params = (stored.frozen + own.frozen).value();
    node.totals.statistics = (stored.statistics + own.statistics).value();
    node.totals.weight_bytes = (stored.bytes + own.bytes).value();
    node.totals.attribute_params = attribute_params;
    if (const StatedModule* const stated = outline_.stated(index)) take_over(*stated, node.totals);
  }

  /// What the exporter says counts: the graph may have lost parameters. It counts what the model
  /// calls a parameter, so that nothing else is left to be told of.
  static void take_over(const StatedModule& stated, Totals& totals) {
    totals.params = stated.params;
    totals.frozen_params = stated.frozen_params;
    totals.statistics = 0;
    totals.attribute_params = 0;
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
  tree::TreeOutline outline_;
  std::vector<StoredTotals> stored_;      ///< By draft, beside what its children have.
  std::vector<std::size_t> last_reader_;  ///< Of each stored tensor, while the tree is finished.
};

/// What can be told of a model before its sizes are known.
struct Outline {
  Constants constants;
  tree::TreeOutline tree;
  tree::SharedTensors shared;
  std::string folded;  ///< A note on folded normalisation, or nothing.
};

Outline outline_of(const Graph& graph) {
  Constants constants = classify_constants(graph);
  tree::TreeOutline tree(graph);
  tree.add_idle_parameters(graph, constants);
  // What was folded or merged is in what the exporter states.
  if (tree.stated(0) != nullptr) return {std::move(constants), std::move(tree), {}, ""};
  const tree::SharedTensors shared = tree::shared_tensors(graph, constants);
  return {std::move(constants), std::move(tree), shared, folded_normalization_note(graph)};
}

void note_what_was_found(const Outline& outline, ModelTree& tree) {
  if (!outline.folded.empty()) tree.notes.push_back(outline.folded);
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
       tree::shared_tensor_notes(outline.shared, tree.root.totals.params, !outline.folded.empty()))
    tree.notes.push_back(std::move(note));
  if (tree.root.totals.not_run > 0) {
    tree.notes.push_back(fmt::format("{} in branches that are not taken {} not counted",
                                     number_of(tree.root.totals.not_run, "operator"),
                                     agreeing(tree.root.totals.not_run, "is", "are")));
  }
}

bool is_worth_a_thread(const Graph& graph) {
  constexpr NodeId kManyNodes = 1000;
  return graph.node_count >= kManyNodes;
}

/// Counts the tree, and gives what was found before.
Outline count(const Graph& graph, Beside<Outline>& outline, ModelTree& tree) try {
  // Takes as long as what follows.
  Beside<PeakMemory> peak(is_worth_a_thread(graph),
                          [&] { return peak_activation_memory(graph, tree.inference); });
  Outline found = outline.get();
  tree.constants = std::move(found.constants);
  tree.root = TreeBuilder(graph, tree.inference, tree.constants, std::move(found.tree)).build();
  tree.peak = peak.get();
  return found;
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

namespace {

ModelTree finished_tree(std::shared_ptr<const Graph> graph, Inference inference,
                        Beside<Outline>& outline) {
  ModelTree tree;
  tree.inference = std::move(inference);
  const Outline found = count(*graph, outline, tree);
  tree.name = graph->path.stem().string();
  tree.root.name = tree.name;
  tree.notes = tree.inference.notes;
  tree.graph = std::move(graph);
  note_what_was_found(found, tree);
  return tree;
}

}  // namespace

namespace tree {

ModelTree counted_tree(std::shared_ptr<const Graph> graph, Inference inference) {
  const Graph& all = *graph;
  Beside<Outline> outline(false, [&all] { return outline_of(all); });
  return finished_tree(std::move(graph), std::move(inference), outline);
}

}  // namespace tree

ModelTree build_tree(std::shared_ptr<const Graph> graph, const InputSettings& settings) {
  // Takes half as long as inference does.
  const Graph& all = *graph;
  Beside<Outline> outline(is_worth_a_thread(all), [&all] { return outline_of(all); });
  Inference inference = infer(all, settings);
  return finished_tree(std::move(graph), std::move(inference), outline);
}

ModelTree inspect_model(const std::filesystem::path& path, const InputSettings& settings) {
  return build_tree(std::make_shared<const Graph>(read_model(path, settings)), settings);
}

}  // namespace jouletree
