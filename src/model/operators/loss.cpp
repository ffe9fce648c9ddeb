#include "model/operators/loss.hpp"

#include <fmt/format.h>

#include "model/operators/shape_math.hpp"

namespace jouletree::model {
namespace {

enum class LossReduction : std::uint8_t { None, Sum, Mean };

LossReduction reduction_of(const Call& call) {
  const std::string_view text = call.attribute("reduction", "mean");
  if (text == "none") return LossReduction::None;
  if (text == "sum") return LossReduction::Sum;
  if (text == "mean") return LossReduction::Mean;
  call.fail(fmt::format("its attribute 'reduction' is '{}' and not none, sum or mean", text));
}

/// The shape of the labels: that of the scores without the classes.
std::optional<Dims> label_dims(const Call& call) {
  const Dims* scores = call.dims(0);
  const Dims* labels = call.dims(1);
  if (scores == nullptr) return labels == nullptr ? std::nullopt : std::optional(*labels);
  if (scores->size() < 2)
    call.fail(fmt::format("its scores need a batch and classes, but are {}", to_string(*scores)));
  Dims expected = *scores;
  expected.erase(expected.begin() + 1);
  if (labels == nullptr) return expected;
  if (labels->size() != expected.size()) {
    call.fail(
        fmt::format("{} scores do not fit {} labels", to_string(*scores), to_string(*labels)));
  }
  for (std::size_t i = 0; i < expected.size(); ++i)
    expected[i] = same_dim(call, expected[i], (*labels)[i], "sizes of scores and labels");
  return expected;
}

Count labels_of(const Call& call) {
  const auto dims = label_dims(call);
  return dims ? elements_of(*dims) : Count::unknown();
}

/// Per label: turn the sign, weigh, add up, add up the weights for the mean.
Count likelihood_flops(const Call& call) {
  const bool weighted = call.has_input(2);
  const LossReduction reduction = reduction_of(call);
  std::int64_t per_label = weighted ? 2 : 1;
  if (reduction != LossReduction::None) ++per_label;
  if (reduction == LossReduction::Mean && weighted) ++per_label;
  const std::int64_t division = reduction == LossReduction::Mean ? 1 : 0;
  return labels_of(call) * Count(per_label) + Count(division);
}

}  // namespace

void likelihood_loss(Call& call) {
  auto dims = label_dims(call);
  if (reduction_of(call) != LossReduction::None) return call.set(0, call.type(0), {});
  if (dims) return call.set(0, call.type(0), std::move(*dims));
  call.set_unknown(0, call.type(0));
}

OperatorWork likelihood_loss_work(const Call& call) {
  const Count labels = labels_of(call);
  const Count width = bits_of(call.type(0)).value_or(0) / 8;
  const Count weights = call.has_input(2) ? labels * width : Count(0);
  return {0, likelihood_flops(call), call.input(1).bytes() + labels * width + weights};
}

void cross_entropy_loss(Call& call) {
  likelihood_loss(call);
  call.set(1, call.input(0));
}

OperatorWork cross_entropy_loss_work(const Call& call) {
  // The logarithm of a softmax: find the maximum, subtract it, raise, add up, subtract; and one
  // logarithm per label.
  constexpr std::int64_t kPerScore = 5;
  return {0,
          call.input(0).elements() * Count(kPerScore) + labels_of(call) + likelihood_flops(call)};
}

}  // namespace jouletree::model
