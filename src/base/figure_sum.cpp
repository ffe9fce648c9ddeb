#include "base/figure_sum.hpp"

#include <cmath>

namespace jouletree {
namespace {

void add_or_reset(const std::optional<double>& part, std::optional<double>& sum) {
  if (sum && part) {
    *sum += *part;
  } else {
    sum.reset();
  }
}

std::optional<double> squared_error(const std::optional<double>& value,
                                    const std::optional<double>& bound, double times) {
  if (!value || !bound) return std::nullopt;
  const double error = (*bound - *value) * times;
  return error * error;
}

}  // namespace

void FigureSum::add(const Figure& part, double times) {
  has_parts_ = true;
  add_or_reset(part.value ? std::optional(*part.value * times) : std::nullopt, value_);
  add_or_reset(squared_error(part.value, part.low, times), below_);
  add_or_reset(squared_error(part.value, part.high, times), above_);
}

Figure FigureSum::total() const {
  if (!has_parts_ || !value_) return {};
  Figure sum{value_, {}, {}};
  if (below_) sum.low = *value_ - std::sqrt(*below_);
  if (above_) sum.high = *value_ + std::sqrt(*above_);
  return sum;
}

}  // namespace jouletree
