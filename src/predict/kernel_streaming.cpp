#include <algorithm>

#include "predict/kernel_sight.hpp"

// Operators that move elements and compute a little on the way. What differs between them is how
// many elements lie together: kernels work on one such piece after the other.
namespace jouletree::predict {
namespace {

struct Pieces {
  std::string_view variant;  ///< Kernels of their own.
  double count = 1;
};

std::size_t axis_of(const RunNode& node, std::size_t rank) {
  const RunAttribute* const axis = node.attribute("axis");
  const double number = axis == nullptr || axis->numbers.size() != 1 ? 0 : axis->numbers[0];
  const double counted = number < 0 ? number + static_cast<double>(rank) : number;
  return static_cast<std::size_t>(std::clamp(counted, 0.0, static_cast<double>(rank)));
}

/// How often the smaller operand of an operator like Add is gone through.
Pieces pieces_of_broadcast(const KernelSight& sight) {
  const Shape& output = *sight.output();
  const double all = elements_of(output);
  const Shape* smallest = nullptr;
  std::size_t whole = 0;
  for (const Shape& input : sight.node.input_shapes) {
    const double count = elements_of(input);
    if (count == all) {
      ++whole;
    } else if (count > 1 && input.size() <= output.size() &&
               (smallest == nullptr || count < elements_of(*smallest))) {
      smallest = &input;
    }
  }
  if (smallest == nullptr) return {whole > 1 || all <= 1 ? "" : "/number", 1};
  Shape size(output.size() - smallest->size(), 1);
  size.insert(size.end(), smallest->begin(), smallest->end());
  const auto together = [&](const auto& fits) {
    double count = 1;
    for (std::size_t i = output.size(); i-- > 0 && fits(i);) count *= output[i];
    return count;
  };
  const double repeated = together([&](std::size_t i) { return size[i] == 1; });
  if (repeated > 1) return {"/channels", all / repeated};
  return {"/rows", all / together([&](std::size_t i) { return size[i] == output[i]; })};
}

/// Axes that stay neighbours are one, and those of size 1 are none.
struct AxisTurn {
  std::vector<double> sizes;        ///< In the order of the result.
  std::vector<std::size_t> places;  ///< Of each in the input.
};

AxisTurn turn_of(const Shape& input, const std::vector<double>& order) {
  AxisTurn turn;
  double last = -2;
  for (const double axis : order) {
    const double size = input[static_cast<std::size_t>(axis)];
    if (size == 1) continue;
    // Between neighbours there may be axes of size 1.
    bool follows = last >= 0 && axis > last;
    for (double between = last + 1; follows && between < axis; ++between)
      follows = input[static_cast<std::size_t>(between)] == 1;
    if (follows) {
      turn.sizes.back() *= size;
    } else {
      turn.sizes.push_back(size);
      turn.places.push_back(static_cast<std::size_t>(axis));
    }
    last = axis;
  }
  std::vector<std::size_t> sorted = turn.places;
  std::sort(sorted.begin(), sorted.end());
  for (std::size_t& place : turn.places)
    place =
        static_cast<std::size_t>(std::find(sorted.begin(), sorted.end(), place) - sorted.begin());
  return turn;
}

bool is_order(const std::vector<double>& order, std::size_t rank) {
  std::vector<double> sorted = order;
  std::sort(sorted.begin(), sorted.end());
  for (std::size_t i = 0; i < sorted.size(); ++i)
    if (sorted[i] != static_cast<double>(i)) return false;
  return sorted.size() == rank;
}

Pieces pieces_of_transposition(const KernelSight& sight) {
  const Shape& input = *sight.input(0);
  std::vector<double> order;
  if (const RunAttribute* const told = sight.node.attribute("perm")) {
    order = told->numbers;
  } else {
    for (std::size_t i = input.size(); i-- > 0;) order.push_back(static_cast<double>(i));
  }
  if (!is_order(order, input.size())) return {"/torn", elements_of(input)};
  const AxisTurn turn = turn_of(input, order);
  const std::size_t rank = turn.places.size();
  if (rank < 2) return {"/view", 1};
  const double all = elements_of(input);
  if (turn.places.back() + 1 == rank) return {"/rows", all / turn.sizes.back()};
  const bool is_turned =
      rank == 2 || (rank == 3 && turn.places == std::vector<std::size_t>{0, 2, 1});
  if (is_turned) return {"/turned", all / turn.sizes.back()};
  return {"/torn", all / turn.sizes.back()};
}

/// The last axis that is cut or grows, and all behind it stay together.
Pieces pieces_of_cut(const Shape& from, const Shape& to) {
  const Shape& whole = elements_of(from) < elements_of(to) ? from : to;
  std::size_t cut = 0;
  for (std::size_t i = 0; i < from.size(); ++i)
    if (from[i] != to[i]) cut = i;
  return {cut + 1 == from.size() ? "/last axis" : "", elements_of(whole, 0, cut)};
}

Pieces pieces_of_move(const KernelSight& sight) {
  const Shape& input = *sight.input(0);
  const Shape& output = *sight.output();
  switch (sight.row->facts.axes) {
    case model::AxisFlow::Joined:
      return {"", elements_of(output, 0, axis_of(sight.node, output.size())) *
                      static_cast<double>(sight.node.input_shapes.size())};
    case model::AxisFlow::Parts:
      return {"", elements_of(input, 0, axis_of(sight.node, input.size())) *
                      static_cast<double>(sight.node.output_shapes.size())};
    default: break;
  }
  if (input.size() == output.size()) return pieces_of_cut(input, output);
  return {"", elements_of(output) / std::max(1.0, output.back())};
}

Pieces pieces_of_lookup(const KernelSight& sight) {
  const Shape& input = *sight.input(0);
  const std::size_t axis = std::min(axis_of(sight.node, input.size()), input.size() - 1);
  const double together = elements_of(input, axis + 1, input.size());
  return {"", elements_of(*sight.output()) / std::max(1.0, together)};
}

Pieces pieces_of_reduction(const KernelSight& sight) {
  const Shape& input = *sight.input(0);
  const Shape* const output = sight.output();
  const bool keeps_last = output != nullptr && output->back() == input.back();
  return {keeps_last ? "/other axes" : "/last axis", output == nullptr ? 1 : elements_of(*output)};
}

Pieces pieces_of(const KernelSight& sight) {
  const Shape* const input = sight.input(0);
  const model::OperatorFacts& facts = sight.row->facts;
  if (sight.row->family == "reduction" && input != nullptr) return pieces_of_reduction(sight);
  if (input == nullptr || sight.output() == nullptr) return {};
  if (facts.view || facts.sizes_only) return {};
  if (facts.axes == model::AxisFlow::Permuted) return pieces_of_transposition(sight);
  if (facts.windows || sight.row->family == "pooling")
    return {sight.is_blocked ? "/blocks" : "",
            elements_of(*sight.output()) / std::max(1.0, sight.output()->back())};
  if (!facts.lookups.empty() || facts.picks) return pieces_of_lookup(sight);
  if (facts.axes == model::AxisFlow::Broadcast) return pieces_of_broadcast(sight);
  if (facts.keeps_values) return pieces_of_move(sight);
  return {"", elements_of(*input) / std::max(1.0, input->back())};
}

/// Linear and cubic interpolation take other kernels than copies of the nearest element.
std::string mode_of(const KernelSight& sight) {
  const RunAttribute* const mode =
      sight.row->family == "resize" ? sight.node.attribute("mode") : nullptr;
  return mode == nullptr ? "" : " " + mode->word;
}

}  // namespace

void see_streaming(const KernelSight& sight, KernelWork& work) {
  const Pieces pieces = pieces_of(sight);
  const double moved = sight.inputs + sight.outputs;
  work.kernel = Kernel::Streaming;
  work.group = sight.type + std::string(pieces.variant) + mode_of(sight);
  work.pool = std::string(sight.row->family) + std::string(pieces.variant);
  work.terms = {1,
                sight.inputs,
                sight.outputs,
                sight.other_mflops(),
                pieces.count * 1e-3,
                std::max(0.0, moved - 0.25),
                std::max(0.0, moved - 1),
                std::max(0.0, moved - 4),
                std::max(0.0, moved - 16),
                std::max(0.0, moved - 64),
                sight.weights};
  work.sizes = {log_of(moved), log_of(std::max(1.0, pieces.count)), log_of(sight.other_mflops()),
                sight.inputs > 0 && sight.outputs > 0 ? log_of(sight.inputs / sight.outputs) : 0};
}

}  // namespace jouletree::predict
