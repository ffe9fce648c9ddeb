#include "predict/movement_variant.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "jouletree/predict.hpp"

namespace jouletree::predict {
namespace {

using Sizes = std::vector<double>;

/// Channels that CPU kernels work on at a time.
constexpr double kFullBlock = 16;

Sizes without_ones(Sizes sizes) {
  std::erase(sizes, 1.0);
  return sizes;
}

bool is_one_axis_moved(const Sizes& from, const Sizes& to) {
  for (std::size_t taken = 0; taken < from.size(); ++taken) {
    Sizes rest = from;
    rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(taken));
    for (std::size_t put = 0; put <= rest.size(); ++put) {
      Sizes moved = rest;
      moved.insert(moved.begin() + static_cast<std::ptrdiff_t>(put), from[taken]);
      if (moved == to) return true;
    }
  }
  return false;
}

/// Rows stay whole, or all moves like a matrix that is turned: kernels copy many elements at a
/// time.
bool moves_rows(const Sizes& input, const Sizes& output) {
  const Sizes from = without_ones(input);
  const Sizes to = without_ones(output);
  if (from.size() < 2 || from.size() != to.size()) return true;
  return from.back() == to.back() || is_one_axis_moved(from, to);
}

}  // namespace

std::string_view movement_variant(const TreeRun& run, const RunNode& node,
                                  const model::OperatorFacts& facts) {
  // What other engines do is not known.
  if (run.vocabulary != name_of(Vocabulary::Onnx)) return "";
  if (node.input_shapes.empty() || node.output_shapes.empty()) return "";
  const Sizes& input = node.input_shapes[0];
  if (facts.axes == model::AxisFlow::Permuted)
    return moves_rows(input, node.output_shapes[0]) ? "" : kTornVariant;
  constexpr std::size_t kImage = 4;
  const bool pools = facts.windows && !model::is_product_kind(facts.work);
  const bool in_blocks =
      run.expected_layout.value_or(ChannelLayout::Blocked) == ChannelLayout::Blocked &&
      input.size() == kImage && std::fmod(input[1], kFullBlock) == 0;
  return pools && in_blocks ? kBlockedVariant : "";
}

}  // namespace jouletree::predict
