#include "predict/glue.hpp"

#include "predict/operator_names.hpp"

namespace jouletree::predict {
namespace {

/// Differences of sums carry rounding errors that must not become a term of their own.
constexpr double kRounding = 1e-6;

bool is_score(const RunNode& node) { return likely_kind(node.type) == model::WorkKind::Scores; }

/// A product without weights; next to scores it is one of the two products of attention.
bool is_plain_product(const RunNode& node) {
  return node.params.value_or(0) == 0 && likely_kind(node.type) == model::WorkKind::Product;
}

double extra_mebibytes(const TreeRun& run, const RunNode& node) {
  if (!node.mebibytes) return 0;
  double extra = *node.mebibytes;
  for (const std::size_t child : node.children) extra -= run.nodes[child].mebibytes.value_or(0);
  return extra > kRounding * *node.mebibytes ? extra : 0;
}

}  // namespace

const std::array<GlueDescription, kGlueTerms>& glue_terms() {
  static constexpr std::array<GlueDescription, kGlueTerms> kTerms = {
      {{"operators below", "1"},
       {"modules below a module", "1"},
       {"modules below the model", "1"},
       {"launch", "call"},
       {"bytes beyond the children's", "MiB"},
       {"bytes of attention products", "MiB"},
       {"bytes of attention scores", "MiB"},
       {"attention", "call"},
       {"tokens of attention", "thousand"},
       {"operators", "call"}}};
  return kTerms;
}

GlueValues glue_values(const TreeRun& run, const RunNode& node, const std::vector<double>& costs) {
  GlueValues values{};
  const std::size_t modules = node.level == NodeLevel::Model ? kModelChildren : kModuleChildren;
  double products = 0;
  for (const std::size_t index : node.children) {
    const RunNode& child = run.nodes[index];
    if (!child.children.empty()) {
      values[modules] += costs[index];
      continue;
    }
    values[kOperatorChildren] += costs[index];
    values[kOperatorCount] += 1;
    const double mebibytes = child.mebibytes.value_or(0);
    if (is_score(child)) {
      values[kAttention] = 1;
      values[kAttentionScores] += mebibytes;
    } else if (is_plain_product(child)) {
      products += mebibytes;
    }
  }
  if (values[kOperatorCount] > 0) values[kLaunch] = 1;
  values[kExtraBytes] = extra_mebibytes(run, node);
  if (values[kAttention] > 0) {
    values[kAttentionProducts] = products;
    values[kAttentionTokens] = run.batch.value_or(0) * run.sequence.value_or(0) * 1e-3;
  }
  return values;
}

}  // namespace jouletree::predict
