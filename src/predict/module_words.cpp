#include "predict/module_words.hpp"

#include <algorithm>
#include <functional>
#include <numeric>

#include "predict/operator_names.hpp"
#include "predict/work_family.hpp"

namespace jouletree::predict {
namespace {

using model::WorkKind;

/// What an operator is in a tree of modules.
enum class Role { Operator, Bias, Arithmetic, Movement };

double result_elements(const std::vector<std::vector<double>>& shapes) {
  if (shapes.empty() || shapes[0].empty()) return 0;
  return std::accumulate(shapes[0].begin(), shapes[0].end(), 1.0, std::multiplies<>());
}

bool is_plain_operator(const RunNode& node) {
  return node.level == NodeLevel::Operator && node.children.empty();
}

bool is_weighted_product(const RunNode& node) {
  return model::is_product_kind(likely_kind(node.type)) && node.params.value_or(0) > 0;
}

bool has_no_work(const RunNode& node) { return node.mflops == 0.0 && node.mebibytes == 0.0; }

bool picks(const model::OperatorFacts* facts) {
  return facts != nullptr && (facts->picks || !facts->lookups.empty());
}

bool moves_only(const model::OperatorFacts* facts) {
  if (facts == nullptr) return false;
  return facts->view || facts->keeps_values || facts->names || facts->sizes_only || picks(facts);
}

/// How IrEne's program counts what does not multiply matrices: operations for each element of the
/// result, and tensors of its size that move.
struct PublishedCount {
  std::string_view common;
  double operations;
  double tensors;
};
constexpr PublishedCount kPublishedCounts[] = {
    {"layernormalization", 8, 4}, {"softmax", 5, 3}, {"tanh", 4, 1}};
/// Sums of counts in files carry rounding errors.
constexpr double kCountRounding = 1e-6;
constexpr double kPerMillion = 1e6;
constexpr double kToldMebibyte = 1024.0 * 1024.0;
constexpr double kRealBytes = 4;
constexpr double kIndexBytes = 8;

/// Trees without shapes take half of the bytes for the elements of a row operator (see load_of), so
/// that the same must hold of what is compared with them.
void stretch(std::vector<double>& shape, WorkKind kind, double tensors) {
  if (kind == WorkKind::Rows) shape.back() *= tensors / 2;
  if (kind == WorkKind::Scores) shape.front() *= tensors / 2;
}

void count_as_published(RunNode& node) {
  const double elements = result_elements(node.output_shapes);
  if (elements == 0) return;
  const std::string common = common_name(node.type);
  if (common == "gather") {
    const double width = node.output_shapes[0].back();
    node.mflops = 0;
    node.mebibytes = (elements * kRealBytes + elements / width * kIndexBytes) / kToldMebibyte;
    return;
  }
  for (const PublishedCount& count : kPublishedCounts) {
    if (count.common != common) continue;
    node.mflops = elements * count.operations / kPerMillion;
    node.mebibytes = elements * count.tensors * kRealBytes / kToldMebibyte;
    stretch(node.output_shapes[0], likely_kind(node.type), count.tensors);
  }
}

/// Builds the told run. Nodes of the original are numbered so that children stand behind parents.
class ModuleTeller {
 public:
  ModuleTeller(const TreeRun& run, const TrainedRanges& ranges)
      : run_(run),
        ranges_(ranges),
        roles_(run.nodes.size(), Role::Movement),
        biased_(run.nodes.size(), 0),
        operators_(run.nodes.size(), 0),
        between_(run.nodes.size(), 0) {}

  ToldRun tell() {
    for (std::size_t i = 0; i < run_.nodes.size(); ++i)
      if (is_plain_operator(run_.nodes[i])) roles_[i] = role_of(i);
    sum_up();
    told_.nodes.resize(run_.nodes.size());
    told_.run.model = run_.model;
    told_.run.family = run_.family;
    told_.run.device = run_.device;
    told_.run.batch = run_.batch;
    told_.run.sequence = run_.sequence;
    told_.run.vocabulary = name_of(Vocabulary::TorchModules);
    set_sizes();
    emit_module(0, kNoParent);
    return std::move(told_);
  }

 private:
  const RunNode& node(std::size_t index) const { return run_.nodes[index]; }

  /// The one operator of its module that does any work.
  bool is_alone(std::size_t index) const {
    const RunNode& parent = node(node(index).parent);
    if (parent.parent == kNoParent) return false;
    return std::all_of(parent.children.begin(), parent.children.end(), [&](std::size_t child) {
      return child == index ||
             (is_plain_operator(node(child)) &&
              (has_no_work(node(child)) || moves_only(facts_of_type(node(child).type))));
    });
  }

  /// The linear layer or convolution before it, to which this adds an element per column.
  std::optional<std::size_t> product_before(std::size_t index) const {
    const RunNode& sum = node(index);
    if (sum.output_shapes.empty() || sum.output_shapes[0].empty()) return std::nullopt;
    if (sum.params.value_or(0) <= 0 || sum.params != sum.output_shapes[0].back())
      return std::nullopt;
    std::optional<std::size_t> found;
    for (const std::size_t other : node(sum.parent).children) {
      if (other >= index) break;
      const RunNode& product = node(other);
      if (is_plain_operator(product) && is_weighted_product(product) && biased_[other] == 0 &&
          product.output_shapes == sum.output_shapes)
        found = other;
    }
    return found;
  }

  Role role_of(std::size_t index) {
    const RunNode& one = node(index);
    if (one.parent == kNoParent) return Role::Operator;
    const model::OperatorFacts* const facts = facts_of_type(one.type);
    if (has_no_work(one)) return Role::Movement;
    const WorkKind kind = likely_kind(one.type);
    if (kind != WorkKind::Elementwise) return Role::Operator;
    const std::string family = work_family(one.type);
    if (picks(facts) && one.params.value_or(0) > 0) return Role::Operator;
    if (family != "streaming" && family != "lookup") return Role::Operator;
    if (moves_only(facts)) return Role::Movement;
    if (const auto product = product_before(index)) {
      biased_[*product] = index;
      return Role::Bias;
    }
    return is_alone(index) && ranges_.word_for(run_, one) ? Role::Operator : Role::Arithmetic;
  }

  /// Operators in or below each module, and MiB of arithmetic that no told module holds by itself.
  void sum_up() {
    for (std::size_t i = run_.nodes.size(); i-- > 1;) {
      const std::size_t parent = node(i).parent;
      if (is_plain_operator(node(i))) {
        if (roles_[i] == Role::Operator) ++operators_[i];
        if (roles_[i] == Role::Arithmetic) between_[i] = node(i).mebibytes.value_or(0);
      }
      operators_[parent] += operators_[i];
      if (operators_[i] == 0) between_[parent] += between_[i];
    }
  }

  /// The lengths that attention works on, where the file does not name them.
  void set_sizes() {
    for (std::size_t i = 0; i < run_.nodes.size(); ++i) {
      const RunNode& one = node(i);
      if (!is_plain_operator(one) || likely_kind(one.type) != WorkKind::Scores) continue;
      if (one.output_shapes.empty() || one.output_shapes[0].size() < 3) continue;
      if (!told_.run.batch) told_.run.batch = one.output_shapes[0].front();
      if (!told_.run.sequence) told_.run.sequence = one.output_shapes[0].back();
      return;
    }
  }

  /// The only operator of a module that has nothing else to tell of.
  std::optional<std::size_t> sole_operator(std::size_t module) const {
    if (operators_[module] != 1 || between_[module] > 0) return std::nullopt;
    for (const std::size_t child : node(module).children)
      if (is_plain_operator(node(child)) && roles_[child] == Role::Operator) return child;
    return std::nullopt;
  }

  std::size_t add(RunNode one, std::size_t parent) {
    const std::size_t place = told_.run.nodes.size();
    one.parent = parent;
    one.children.clear();
    told_.run.nodes.push_back(std::move(one));
    if (parent != kNoParent) told_.run.nodes[parent].children.push_back(place);
    return place;
  }

  /// `shown` is the module that holds nothing else, or the operator itself.
  std::size_t emit_operator(std::size_t index, std::size_t shown, std::size_t parent) {
    RunNode one = node(index);
    one.id = node(shown).id;
    one.scope = node(shown).scope;
    if (const auto word = ranges_.word_for(run_, one)) one.type = *word;
    if (const std::size_t bias = biased_[index]; bias > 0) {
      one.params = *one.params + node(bias).params.value_or(0);
      if (one.mflops) one.mflops = *one.mflops + result_elements(one.output_shapes) / kPerMillion;
    }
    count_as_published(one);
    const std::size_t place = add(std::move(one), parent);
    told_.nodes[index] = {place, ToldBy::How::Itself, 1};
    if (const std::size_t bias = biased_[index]; bias > 0)
      told_.nodes[bias] = {place, ToldBy::How::Within, 0};
    return place;
  }

  /// All that is below a module without operators, or an operator that is not told by itself.
  void tell_between(std::size_t index, std::size_t module, double all) {
    const double share = all > 0 ? between_[index] / all : 0;
    if (share > 0) {
      told_.nodes[index] = {module, ToldBy::How::Between, share};
    } else {
      told_.nodes[index] = {module, ToldBy::How::Within, 0};
    }
    for (const std::size_t child : node(index).children) tell_between(child, module, all);
  }

  void emit_child(std::size_t child, std::size_t module, double all) {
    if (is_plain_operator(node(child))) {
      if (roles_[child] == Role::Operator) {
        emit_operator(child, child, module);
      } else if (roles_[child] != Role::Bias) {
        tell_between(child, module, all);
      }
      return;
    }
    if (operators_[child] == 0) {
      tell_between(child, module, all);
    } else if (const auto sole = sole_operator(child)) {
      const std::size_t place = emit_operator(*sole, child, module);
      told_.nodes[child] = {place, ToldBy::How::Itself, 1};
      for (const std::size_t below : node(child).children)
        if (below != *sole) tell_between(below, place, 0);
    } else {
      emit_module(child, module);
    }
  }

  /// MiB that a file gives a module beyond those of all that it lists in it.
  double bytes_of_nobody(std::size_t index) const {
    double left = node(index).mebibytes.value_or(0);
    for (const std::size_t child : node(index).children) left -= node(child).mebibytes.value_or(0);
    return left > kCountRounding * node(index).mebibytes.value_or(0) ? left : 0;
  }

  void emit_module(std::size_t index, std::size_t parent) {
    const std::size_t place = add(node(index), parent);
    told_.nodes[index] = {place, ToldBy::How::Itself, 1};
    for (const std::size_t child : node(index).children) emit_child(child, place, between_[index]);
    double mebibytes = between_[index] + bytes_of_nobody(index);
    for (const std::size_t child : told_.run.nodes[place].children)
      mebibytes += told_.run.nodes[child].mebibytes.value_or(0);
    told_.run.nodes[place].mebibytes = mebibytes;
  }

  const TreeRun& run_;
  const TrainedRanges& ranges_;
  std::vector<Role> roles_;
  std::vector<std::size_t> biased_;     ///< By product: the sum that adds its bias; 0 for none.
  std::vector<std::size_t> operators_;  ///< By node.
  std::vector<double> between_;         ///< By node; MiB.
  ToldRun told_;
};

}  // namespace

ToldRun in_trained_words(const TreeRun& run, const TrainedRanges& ranges) {
  ToldRun told{run, std::vector<ToldBy>(run.nodes.size())};
  for (std::size_t i = 0; i < run.nodes.size(); ++i) {
    told.nodes[i].node = i;
    if (!is_plain_operator(run.nodes[i])) continue;
    if (const auto word = ranges.word_for(run, run.nodes[i])) told.run.nodes[i].type = *word;
  }
  return told;
}

ToldRun in_module_words(const TreeRun& run, const TrainedRanges& ranges) {
  return ModuleTeller(run, ranges).tell();
}

}  // namespace jouletree::predict
