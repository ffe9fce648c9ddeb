#include "campaign/plan_training.hpp"

#include <algorithm>
#include <array>
#include <span>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/display_width.hpp"
#include "base/name_distance.hpp"
#include "campaign/plan_parts.hpp"

namespace jouletree::campaign {
namespace {

/// Functions of torch.nn.functional that take outputs and a target.
constexpr std::array<std::string_view, 15> kLosses = {"binary_cross_entropy",
                                                      "binary_cross_entropy_with_logits",
                                                      "cross_entropy",
                                                      "hinge_embedding_loss",
                                                      "huber_loss",
                                                      "kl_div",
                                                      "l1_loss",
                                                      "mse_loss",
                                                      "multi_margin_loss",
                                                      "multilabel_margin_loss",
                                                      "multilabel_soft_margin_loss",
                                                      "nll_loss",
                                                      "poisson_nll_loss",
                                                      "smooth_l1_loss",
                                                      "soft_margin_loss"};
constexpr std::array<std::string_view, 4> kOptimizers = {"sgd", "adam", "adamw", "none"};

/// One of these names, or a function of the user.
std::string name_or_function(const Field& field, const char* what,
                             std::span<const std::string_view> known) {
  std::string name = field.text();
  if (is_function(name) || std::find(known.begin(), known.end(), name) != known.end()) return name;
  const std::vector<std::string> names(known.begin(), known.end());
  const std::string likely = likely_name(name, names);
  const std::string there_is_none = fmt::format("there is no {} '{}'; ", what, printable(name));
  if (!likely.empty()) field.fail(fmt::format("{}did you mean {}?", there_is_none, likely));
  field.fail(fmt::format("{}give package.module:function, or one of {}", there_is_none,
                         fmt::join(known, ", ")));
}

void check_loss(const PlannedTraining& training, const Field& field) {
  if (training.target && training.loss.empty())
    field.fail("target needs a loss that compares with it, such as loss: cross_entropy");
  const bool is_named = !training.loss.empty() && !is_function(training.loss);
  if (is_named && !training.target)
    field.fail(fmt::format(
        "loss: {} compares with a target; give its shape, as target: [batch, 10]", training.loss));
}

void check_numbers(const PlannedTraining& training, const Field& field) {
  const bool is_own = is_function(training.optimizer) || training.optimizer == "none";
  if (training.learning_rate && is_own)
    field.fail("learning_rate is for sgd, adam and adamw; a function of yours sets its own");
  if (training.momentum && training.optimizer != "sgd")
    field.fail(fmt::format("momentum is for sgd, not for {}", training.optimizer));
}

}  // namespace

PlannedTraining training_of(const Field& field) {
  static constexpr std::array<std::string_view, 5> kTrainingKeys = {"loss", "target", "optimizer",
                                                                    "learning_rate", "momentum"};
  constexpr double kFastest = 1000;
  PlannedTraining training;
  training.place = field.place();
  for (const Field& member : field.members(kTrainingKeys)) {
    const std::string name = member.name();
    if (name == "loss") training.loss = name_or_function(member, "loss", kLosses);
    if (name == "target") training.target = shape_of(member);
    if (name == "optimizer")
      training.optimizer = name_or_function(member, "optimizer", kOptimizers);
    if (name == "learning_rate") training.learning_rate = member.positive(kFastest);
    if (name == "momentum") training.momentum = member.positive(1);
  }
  check_loss(training, field);
  check_numbers(training, field);
  return training;
}

}  // namespace jouletree::campaign
