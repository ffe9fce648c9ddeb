#include <algorithm>

#include "predict/kernel_sight.hpp"

namespace jouletree::predict {
namespace {

/// So many of (rows × depth) · (depth × columns).
struct ProductSizes {
  double batches = 1;
  double rows = 1;
  double columns = 1;
  double depth = 1;
  bool has_weights = false;
};

ProductSizes sizes_of_product(const KernelSight& sight, const Shape& output) {
  ProductSizes sizes;
  sizes.columns = output.back();
  if (output.size() > 1) {
    sizes.rows = output[output.size() - 2];
    sizes.batches = elements_of(output, 0, output.size() - 2);
  }
  sizes.depth = sight.macs() / std::max(1.0, elements_of(output));
  // Four bits at the least for each, an eighth of a float.
  constexpr double kLeastShare = 0.1;
  sizes.has_weights =
      sight.weights / kFloatMebibytes > kLeastShare * sizes.depth * sizes.columns * sizes.batches;
  if (sizes.has_weights) {
    sizes.rows *= sizes.batches;
    sizes.batches = 1;
  }
  return sizes;
}

/// The same kernels, whether an exporter wrote a bias or not.
std::string name_of_product(const KernelSight& sight, const ProductSizes& sizes) {
  const bool is_plain = sight.type == "matmul" || sight.type == "gemm" ||
                        sight.type == "fusedgemm" || sight.type == "fusedmatmul";
  const std::string signs = narrow_signs(sight);
  if (!is_plain) return sight.type + (signs.empty() ? "" : "/" + signs);
  return sizes.has_weights ? "gemm" : "matmul/activations";
}

/// Kernels take a dozen rows at a time. Fewer cost as much as the operand that they read, and up to
/// five as much as each other; between full dozens there is some of both.
void put_few_rows(double rows, double operands, std::size_t first, KernelWork& work) {
  constexpr double kRowsForFree = 5;
  if (rows <= kRowsForFree) {
    work.terms[first] = operands * (kRowsForFree + 1 - rows) / kRowsForFree;
  } else if (rows < 12) {
    work.terms[first + 1] = operands;
  } else if (rows <= 24) {
    work.terms[first + 2] = operands;
  }
}

}  // namespace

void see_product(const KernelSight& sight, KernelWork& work) {
  const Shape* const output = sight.output();
  if (output == nullptr || elements_of(*output) <= 0) return;
  const ProductSizes sizes = sizes_of_product(sight, *output);
  if (!(sizes.depth > 0)) return;
  constexpr double kTileRows = 12;
  constexpr double kTileColumns = 16;
  const auto mebibytes = [&](double rows, double columns) {
    return rows * columns * sizes.batches * kFloatMebibytes;
  };
  const double taken = mebibytes(sizes.rows, sizes.depth);
  const double made = mebibytes(sizes.rows, sizes.columns);
  const double operands = mebibytes(sizes.depth, sizes.columns);
  const double moved = taken + made + operands;
  const double tiles =
      std::ceil(sizes.columns / kTileColumns) * std::ceil(sizes.rows / kTileRows) * sizes.batches;
  const double unit = 2e-6 * sizes.batches * sizes.depth;
  work.kernel = Kernel::Product;
  work.pool = name_of_product(sight, sizes);
  work.group = work.pool + (sizes.rows == 1 ? "/row" : "");
  work.terms = {1,
                unit * sizes.rows * sizes.columns,
                unit * filled_up(sizes.rows, kTileRows) * sizes.columns,
                unit * sizes.rows * filled_up(sizes.columns, kTileColumns),
                unit * sizes.rows * filled_up(sizes.columns, 4 * kTileColumns),
                taken,
                made,
                sizes.batches,
                sizes.has_weights ? 0 : operands,
                tiles * 1e-3,
                std::max(0.0, moved - 1),
                std::max(0.0, moved - 4),
                sight.other_mflops()};
  put_few_rows(sizes.rows, operands, 13, work);
  put_weights(sight, 16, work);
  work.sizes = {log_of(sizes.rows), log_of(sizes.columns), log_of(sizes.depth),
                log_of(sizes.batches), sizes.has_weights ? log_of(sight.all_weights) : 0};
}

void see_recurrence(const KernelSight& sight, KernelWork& work) {
  const Shape* const input = sight.input(0);
  const Shape* const taken = sight.input(1);
  const Shape* const kept = sight.input(2);
  const Shape* const output = sight.output();
  if (input == nullptr || taken == nullptr || kept == nullptr || output == nullptr ||
      input->size() < 2 || taken->size() != 3)
    return;
  const double steps = (*input)[0];
  const double batch = (*input)[1];
  const double directions = (*taken)[0];
  const double on_inputs = elements_of(*taken);
  const double on_states = elements_of(*kept);
  const double state_bytes = on_states * kFloatMebibytes;
  const double runs = steps * directions;
  work.kernel = Kernel::Recurrence;
  work.group = work.pool = sight.type;
  work.terms = {1,
                runs * 1e-3,
                2e-6 * on_inputs * steps * batch,
                2e-6 * on_states * steps * batch,
                state_bytes * steps,
                std::max(0.0, state_bytes / directions - 1) * runs,
                std::max(0.0, state_bytes / directions - 0.25) * runs,
                runs * batch * output->back() * 1e-6};
  put_weights(sight, 8, work);
  work.sizes = {log_of(steps), log_of(batch), log_of(on_inputs), log_of(on_states),
                log_of(directions)};
}

}  // namespace jouletree::predict
