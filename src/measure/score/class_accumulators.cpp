#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>

#include <fmt/format.h>

#include "jouletree/error.hpp"
#include "measure/score/accumulators.hpp"

namespace jouletree::measure {
namespace {

void need_scores(const ClassBatch& batch, const char* metric) {
  if (batch.classes > 0) return;
  throw Error(
      ErrorKind::BadInput,
      fmt::format("{} needs a score for each class, but the model returns classes", metric));
}

double quotient_or_nan(double value, double divisor) {
  return divisor > 0 ? value / divisor : std::numeric_limits<double>::quiet_NaN();
}

class TopK final : public ClassAccumulator {
 public:
  explicit TopK(int k) : k_(static_cast<std::size_t>(k)) {}

  void add(const ClassBatch& batch) override {
    rows_ += batch.rows;
    if (k_ == 1) {
      for (std::size_t row = 0; row < batch.rows; ++row)
        if (batch.predicted[row] == batch.labels[row]) ++hits_;
      return;
    }
    need_scores(batch, "top-k accuracy");
    for (std::size_t row = 0; row < batch.rows; ++row)
      if (better_classes(batch, row) < k_) ++hits_;
  }

  [[nodiscard]] double value() const override {
    return quotient_or_nan(static_cast<double>(hits_), static_cast<double>(rows_));
  }

 private:
  static std::size_t better_classes(const ClassBatch& batch, std::size_t row) {
    const double* const scores = batch.scores.data() + row * batch.classes;
    const auto label = static_cast<std::size_t>(batch.labels[row]);
    std::size_t better = 0;
    for (std::size_t k = 0; k < batch.classes; ++k)
      if (scores[k] > scores[label] || (scores[k] == scores[label] && k < label)) ++better;
    return better;
  }

  std::size_t k_;
  std::size_t hits_ = 0;
  std::size_t rows_ = 0;
};

class ErrorRate final : public ClassAccumulator {
 public:
  void add(const ClassBatch& batch) override { right_.add(batch); }
  [[nodiscard]] double value() const override { return 1 - right_.value(); }

 private:
  TopK right_{1};
};

class CrossEntropy : public ClassAccumulator {
 public:
  void add(const ClassBatch& batch) override {
    need_scores(batch, "the loss");
    rows_ += batch.rows;
    std::vector<double> logs(batch.classes);
    for (std::size_t row = 0; row < batch.rows; ++row) {
      set_logs(batch, row, logs);
      if (batch.shares.empty()) {
        sum_ -= logs[static_cast<std::size_t>(batch.labels[row])];
        continue;
      }
      for (std::size_t k = 0; k < batch.classes; ++k)
        if (const double share = batch.shares[row * batch.classes + k]; share > 0)
          sum_ -= share * logs[k];
    }
  }

  [[nodiscard]] double value() const override {
    return quotient_or_nan(sum_, static_cast<double>(rows_));
  }
  [[nodiscard]] bool takes_shares() const override { return true; }

 private:
  /// Logarithms of the probabilities of a row.
  static void set_logs(const ClassBatch& batch, std::size_t row, std::vector<double>& logs) {
    const double* const scores = batch.scores.data() + row * batch.classes;
    if (batch.probabilities) {
      for (std::size_t k = 0; k < batch.classes; ++k)
        logs[k] = std::log(std::clamp(scores[k], batch.smallest, 1.0));
      return;
    }
    const double most = *std::max_element(scores, scores + batch.classes);
    double sum = 0;
    for (std::size_t k = 0; k < batch.classes; ++k) sum += std::exp(scores[k] - most);
    for (std::size_t k = 0; k < batch.classes; ++k) logs[k] = scores[k] - most - std::log(sum);
  }

  double sum_ = 0;
  std::size_t rows_ = 0;
};

class Perplexity final : public CrossEntropy {
 public:
  [[nodiscard]] double value() const override { return std::exp(CrossEntropy::value()); }
};

/// What came of the answers for one class.
struct ClassCounts {
  double hits = 0;
  double chosen = 0;
  double right = 0;

  [[nodiscard]] double of(ClassQuality quality) const {
    const auto share = [](double value, double divisor) {
      return divisor > 0 ? value / divisor : 0;
    };
    switch (quality) {
      case ClassQuality::Precision: return share(hits, chosen);
      case ClassQuality::Recall: return share(hits, right);
      case ClassQuality::F1: return share(2 * hits, chosen + right);
    }
    return 0;
  }
};

class Quality final : public ClassAccumulator {
 public:
  Quality(ClassQuality quality, bool binary) : quality_(quality), binary_(binary) {}

  void add(const ClassBatch& batch) override {
    for (std::size_t row = 0; row < batch.rows; ++row) {
      const std::int64_t chosen = batch.predicted[row];
      const std::int64_t right = batch.labels[row];
      if (binary_ && (std::max(chosen, right) > 1 || batch.classes > 2)) {
        throw Error(ErrorKind::BadInput,
                    "a metric of class 1 of two is for two classes; take the mean over all, "
                    "such as f1");
      }
      ++counts_[chosen].chosen;
      ClassCounts& of_right = counts_[right];
      ++of_right.right;
      if (chosen == right) ++of_right.hits;
    }
  }

  [[nodiscard]] double value() const override {
    if (counts_.empty()) return std::numeric_limits<double>::quiet_NaN();
    if (binary_) {
      const auto found = counts_.find(1);
      return found == counts_.end() ? 0 : found->second.of(quality_);
    }
    double sum = 0;
    for (const auto& [name, counts] : counts_) sum += counts.of(quality_);
    return sum / static_cast<double>(counts_.size());
  }

 private:
  ClassQuality quality_;
  bool binary_;
  std::map<std::int64_t, ClassCounts> counts_;
};

/// Keeps one number per row: the order of all decides.
class AreaUnderCurve final : public ClassAccumulator {
 public:
  void add(const ClassBatch& batch) override {
    need_scores(batch, "auc");
    if (batch.classes != 2) {
      throw Error(ErrorKind::BadInput,
                  fmt::format("auc is for two classes, but the model has {}", batch.classes));
    }
    for (std::size_t row = 0; row < batch.rows; ++row) {
      const double zero = batch.scores[row * 2];
      const double one = batch.scores[row * 2 + 1];
      scores_[batch.labels[row] == 1 ? 1 : 0].push_back(batch.probabilities ? one : one - zero);
    }
  }

  /// How often one of class 1 is above one of class 0; equal ones count half.
  [[nodiscard]] double value() const override {
    if (scores_[0].empty() || scores_[1].empty()) {
      throw Error(ErrorKind::BadInput,
                  "auc needs examples of both classes, but the labels hold only one");
    }
    std::vector<double> zeros = scores_[0];
    std::sort(zeros.begin(), zeros.end());
    double wins = 0;
    for (const double one : scores_[1]) {
      const auto [low, high] = std::equal_range(zeros.begin(), zeros.end(), one);
      wins += static_cast<double>(low - zeros.begin()) + 0.5 * static_cast<double>(high - low);
    }
    return wins / static_cast<double>(zeros.size()) / static_cast<double>(scores_[1].size());
  }

 private:
  std::vector<double> scores_[2];
};

}  // namespace

std::unique_ptr<ClassAccumulator> top_k(int k) { return std::make_unique<TopK>(k); }
std::unique_ptr<ClassAccumulator> error_rate() { return std::make_unique<ErrorRate>(); }
std::unique_ptr<ClassAccumulator> cross_entropy() { return std::make_unique<CrossEntropy>(); }
std::unique_ptr<ClassAccumulator> perplexity() { return std::make_unique<Perplexity>(); }
std::unique_ptr<ClassAccumulator> area_under_curve() { return std::make_unique<AreaUnderCurve>(); }

std::unique_ptr<ClassAccumulator> mean_quality(ClassQuality quality) {
  return std::make_unique<Quality>(quality, false);
}

std::unique_ptr<ClassAccumulator> binary_quality(ClassQuality quality) {
  return std::make_unique<Quality>(quality, true);
}

}  // namespace jouletree::measure
