#include "measure/reuse_distance.hpp"

#include <algorithm>
#include <iterator>
#include <unordered_map>

#include "measure/memory_layout.hpp"

namespace jouletree::measure {
namespace {

std::int64_t sum_of(const std::vector<Step::Tensor>& tensors) {
  std::int64_t bytes = 0;
  for (const Step::Tensor& tensor : tensors) bytes += tensor.bytes;
  return bytes;
}

/// Runs the program twice, so that the second run finds the memory as all later ones do. Times
/// count steps from the begin of the first run.
class Simulation {
 public:
  explicit Simulation(std::span<const Step> steps) : steps_(steps) {
    for (std::size_t i = 0; i < steps.size(); ++i)
      for (const Step::Tensor& read : steps[i].reads) last_read_[read.name] = i;
  }

  std::vector<Reuse> run() {
    for (int round = 0; round < 2; ++round) {
      layout_ = {};
      places_.clear();
      before_.clear();
      for (std::size_t i = 0; i < steps_.size(); ++i) take(i, round);
    }
    // Only now is it known what was written over, and how many bytes are alive at once.
    sum_up();
    std::vector<Reuse> all(steps_.size());
    const auto steps = static_cast<std::int64_t>(steps_.size());
    for (std::size_t i = 0; i < steps_.size(); ++i) {
      const std::int64_t now = steps + static_cast<std::int64_t>(i);
      all[i].weights = between(now - steps, now);
      all[i].writes = between(before_[i].writes, now);
      for (const std::int64_t read : before_[i].reads) all[i].reads.push_back(between(read, now));
    }
    return all;
  }

 private:
  struct LastUses {
    std::vector<std::int64_t> reads;
    std::int64_t writes = 0;
    std::int64_t overwritten_bytes = 0;
  };

  void sum_up() {
    std::int64_t weights = 0;
    std::int64_t tensors = 0;
    for (std::size_t i = 0; i < steps_.size(); ++i) {
      weights_before_.push_back(weights);
      tensors_before_.push_back(tensors);
      weights += steps_[i].weight_bytes;
      tensors += sum_of(steps_[i].reads) + sum_of(steps_[i].writes) - before_[i].overwritten_bytes;
    }
    weights_before_.push_back(weights);
    tensors_before_.push_back(tensors);
  }

  void take(std::size_t step, int round) {
    const auto now =
        static_cast<std::int64_t>(steps_.size()) * round + static_cast<std::int64_t>(step);
    LastUses& before = before_.emplace_back();
    for (const Step::Tensor& read : steps_[step].reads) {
      const auto [touched, first] = touched_.try_emplace(read.name, 0);
      before.reads.push_back(touched->second);
      touched->second = now;
    }
    before.writes = place_writes(step, now);
    for (const Step::Tensor& read : steps_[step].reads) {
      if (const auto place = places_.find(read.name); place != places_.end())
        use_.touch(place->second, now);
    }
    free_unread(step);
  }

  /// When the memory of the largest tensor that is written had been used last.
  std::int64_t place_writes(std::size_t step, std::int64_t now) {
    std::int64_t largest = -1;
    std::int64_t of_largest = now;
    for (const Step::Tensor& write : steps_[step].writes) {
      const MemoryLayout::Place place = place_for(step, write);
      if (write.bytes > largest) {
        largest = write.bytes;
        of_largest = use_.last_use(place, 0);
      }
      use_.touch(place, now);
      places_[write.name] = place;
      touched_[write.name] = now;
    }
    return of_largest;
  }

  MemoryLayout::Place place_for(std::size_t step, const Step::Tensor& write) {
    for (const std::string_view name : steps_[step].overwrites) {
      const auto place = places_.find(name);
      if (place == places_.end() || last_read_[name] != step) continue;
      if (place->second.end - place->second.begin != write.bytes) continue;
      const MemoryLayout::Place taken = place->second;
      places_.erase(place);
      before_[step].overwritten_bytes += write.bytes;
      return taken;
    }
    return layout_.take(write.bytes);
  }

  void free_unread(std::size_t step) {
    for (const Step::Tensor& read : steps_[step].reads) {
      if (last_read_[read.name] != step) continue;
      const auto place = places_.find(read.name);
      if (place == places_.end()) continue;
      layout_.give_back(place->second);
      places_.erase(place);
    }
  }

  /// From the begin of one step to the begin of another one, at most a run later.
  [[nodiscard]] std::int64_t between(std::int64_t from, std::int64_t to) const {
    const auto passed = [&](const std::vector<std::int64_t>& before) {
      const auto until = [&](std::int64_t time) {
        const auto steps = static_cast<std::int64_t>(steps_.size());
        return time / steps * before.back() + before[static_cast<std::size_t>(time % steps)];
      };
      return until(to) - until(from);
    };
    return std::min(passed(weights_before_), weights_before_.back()) +
           std::min(passed(tensors_before_), layout_.bytes());
  }

  std::span<const Step> steps_;
  std::vector<std::int64_t> weights_before_;
  std::vector<std::int64_t> tensors_before_;
  std::unordered_map<std::string_view, std::size_t> last_read_;
  std::unordered_map<std::string_view, std::int64_t> touched_;
  std::unordered_map<std::string_view, MemoryLayout::Place> places_;
  std::vector<LastUses> before_;
  MemoryLayout layout_;
  MemoryUse use_;
};

std::int64_t median_of(std::vector<std::int64_t>& values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

}  // namespace

std::vector<Reuse> reuse_distances(std::span<const Step> steps) { return Simulation(steps).run(); }

Reuse typical_reuse(std::span<const Reuse* const> steps) {
  Reuse typical;
  if (steps.empty()) return typical;
  const auto median = [&](auto value_of) {
    std::vector<std::int64_t> values;
    std::transform(steps.begin(), steps.end(), std::back_inserter(values),
                   [&](const Reuse* one) { return value_of(*one); });
    return median_of(values);
  };
  typical.weights = median([](const Reuse& one) { return one.weights; });
  typical.writes = median([](const Reuse& one) { return one.writes; });
  for (std::size_t read = 0; read < steps[0]->reads.size(); ++read) {
    typical.reads.push_back(
        median([&](const Reuse& one) { return read < one.reads.size() ? one.reads[read] : 0; }));
  }
  return typical;
}

}  // namespace jouletree::measure
