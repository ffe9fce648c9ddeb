#include <cmath>
#include <limits>
#include <vector>

#include <fmt/format.h>

#include "jouletree/error.hpp"
#include "measure/score/accumulators.hpp"

namespace jouletree::measure {
namespace {

/// A mean over all numbers of what `Cost` says about each.
template <double (*Cost)(double difference), double (*Shown)(double mean)>
class MeanCost final : public NumberAccumulator {
 public:
  void add(const NumberBatch& batch) override {
    for (std::size_t i = 0; i < batch.outputs.size(); ++i)
      sum_ += Cost(batch.outputs[i] - batch.targets[i]);
    count_ += batch.outputs.size();
  }

  [[nodiscard]] double value() const override {
    if (count_ == 0) return std::numeric_limits<double>::quiet_NaN();
    return Shown(sum_ / static_cast<double>(count_));
  }

 private:
  double sum_ = 0;
  std::size_t count_ = 0;
};

double squared(double difference) { return difference * difference; }
double absolute(double difference) { return std::abs(difference); }
double as_is(double mean) { return mean; }
double root(double mean) { return std::sqrt(mean); }

class RSquared final : public NumberAccumulator {
 public:
  void add(const NumberBatch& batch) override {
    if (columns_.empty()) columns_.resize(batch.columns);
    if (columns_.size() != batch.columns) {
      throw Error(ErrorKind::BadInput,
                  fmt::format("r2 is a mean over columns, but batches have {} and {}",
                              columns_.size(), batch.columns));
    }
    for (std::size_t row = 0; row < batch.rows; ++row) {
      ++rows_;
      for (std::size_t k = 0; k < batch.columns; ++k) {
        const std::size_t place = row * batch.columns + k;
        columns_[k].add(batch.outputs[place], batch.targets[place], static_cast<double>(rows_));
      }
    }
  }

  [[nodiscard]] double value() const override {
    if (rows_ < 2) throw Error(ErrorKind::BadInput, "r2 needs two examples at least");
    double sum = 0;
    for (const Column& column : columns_) sum += column.value();
    return sum / static_cast<double>(columns_.size());
  }

 private:
  struct Column {
    double mean = 0;      ///< Of the targets so far,
    double spread = 0;    ///< and the sum of their squared distances from it.
    double residual = 0;  ///< Sum of squared errors.

    void add(double output, double target, double count) {
      residual += squared(output - target);
      const double from_mean = target - mean;
      mean += from_mean / count;
      spread += from_mean * (target - mean);
    }

    [[nodiscard]] double value() const {
      if (spread > 0) return 1 - residual / spread;
      return residual > 0 ? 0 : 1;
    }
  };

  std::vector<Column> columns_;
  std::size_t rows_ = 0;
};

}  // namespace

std::unique_ptr<NumberAccumulator> mean_squared_error() {
  return std::make_unique<MeanCost<squared, as_is>>();
}
std::unique_ptr<NumberAccumulator> root_mean_squared_error() {
  return std::make_unique<MeanCost<squared, root>>();
}
std::unique_ptr<NumberAccumulator> mean_absolute_error() {
  return std::make_unique<MeanCost<absolute, as_is>>();
}
std::unique_ptr<NumberAccumulator> r_squared() { return std::make_unique<RSquared>(); }

}  // namespace jouletree::measure
