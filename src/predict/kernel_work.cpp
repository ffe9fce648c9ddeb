#include "predict/kernel_work.hpp"

#include <algorithm>

#include "predict/kernel_sight.hpp"
#include "predict/operator_load.hpp"
#include "predict/operator_names.hpp"
#include "predict/vocabulary.hpp"

namespace jouletree::predict {
namespace {

/// Channels must come in multiples of this to be filled up to blocks.
constexpr double kChannelAlignment = 4;

bool is_aligned(double channels) { return std::fmod(channels, kChannelAlignment) == 0; }
bool fills_blocks(double channels) { return std::fmod(channels, kChannelBlock) == 0; }

/// Of an operator that is expected: the engine's own rule for convolutions on x86-64. What passes
/// maps on keeps them as it gets them; that channels fill blocks is a good sign for it.
bool would_be_blocked(const KernelSight& sight) {
  const Shape* const input = sight.input(0);
  const Shape* const output = sight.output();
  constexpr std::size_t kImage = 4;
  if (input == nullptr || output == nullptr || input->size() != kImage || output->size() != kImage)
    return false;
  if (!model::is_convolution(sight.row->facts)) return fills_blocks((*input)[1]);
  const Shape* const weights = sight.input(1);
  if (weights == nullptr || weights->size() != kImage || (*weights)[1] <= 0) return false;
  const double taken = (*weights)[1];
  const double groups = std::max(1.0, std::round((*input)[1] / taken));
  const double made = (*output)[1];
  if (!is_aligned(made)) return false;
  if (groups == 1) return taken < kChannelBlock || is_aligned(taken);
  if (taken == 1 && made == groups) return true;
  return fills_blocks(taken) && fills_blocks(made / groups);
}

bool knows_blocks(const KernelSight& sight) {
  if (sight.row == nullptr || sight.row->facts.narrow) return false;
  const bool pools = sight.row->facts.windows && !model::is_product_kind(sight.row->facts.work);
  return pools || sight.row->family == "pooling" || sight.type == "conv" ||
         sight.type == "fusedconv";
}

KernelSight sight_of(const TreeRun& run, const RunNode& node) {
  KernelSight sight{node, row_of_type(node.type), type_key(node.type)};
  sight.weights = *node.weight_mebibytes;
  sight.all_weights = run.nodes.front().weight_mebibytes.value_or(sight.weights);
  sight.outputs = *node.written_mebibytes;
  sight.inputs = std::max(0.0, *node.mebibytes - sight.outputs - sight.weights);
  sight.is_blocked = run.expected_layout ? run.expected_layout == ChannelLayout::Blocked &&
                                               knows_blocks(sight) && would_be_blocked(sight)
                                         : node.is_blocked;
  return sight;
}

}  // namespace

std::string narrow_signs(const KernelSight& sight) {
  std::string signs;
  const RunNode& node = sight.node;
  for (std::size_t i = 0; i < node.input_types.size() && i < node.input_shapes.size(); ++i) {
    if (elements_of(node.input_shapes[i]) <= 1 || node.input_shapes[i].size() < 2) continue;
    if (node.input_types[i] == DataType::UInt8) signs += 'u';
    if (node.input_types[i] == DataType::Int8) signs += 's';
    if (signs.size() == 2) break;
  }
  return signs;
}

void put_weights(const KernelSight& sight, std::size_t first, KernelWork& work) {
  constexpr std::array<double, 5> kKnots = {1, 4, 12, 32, 96};
  work.terms[first] = sight.weights;
  for (std::size_t i = 0; i + 1 < kKnots.size(); ++i) {
    const double along = (log_of(sight.all_weights) - std::log(kKnots[i])) /
                         (std::log(kKnots[i + 1]) - std::log(kKnots[i]));
    work.terms[first + 1 + i] = sight.weights * std::clamp(along, 0.0, 1.0);
  }
}

KernelWork kernel_work(const TreeRun& run, const RunNode& node) {
  KernelWork work;
  const bool is_told = node.weight_mebibytes && node.written_mebibytes && node.mebibytes &&
                       node.mflops && !node.input_types.empty();
  if (!is_told || run.vocabulary != name_of(Vocabulary::Onnx)) return work;
  const KernelSight sight = sight_of(run, node);
  if (sight.row == nullptr) return work;
  const model::OperatorFacts& facts = sight.row->facts;
  if (sight.macs() > 0) {
    if (facts.recurs) {
      see_recurrence(sight, work);
    } else if (model::is_convolution(facts)) {
      facts.narrow ? see_byte_convolution(sight, work) : see_convolution(sight, work);
    } else {
      see_product(sight, work);
    }
  } else {
    see_streaming(sight, work);
  }
  return work;
}

}  // namespace jouletree::predict
