#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "jouletree/meter.hpp"
#include "meters/lateness.hpp"
#include "meters/sample_ring.hpp"

namespace jouletree::meters {

/// Decides when which meter is read, reads it and hands the sample over. Knows no thread: somebody
/// calls tick() at the time that the last call asked for.
class Sampler {
 public:
  /// `make_room` is called when the ring is half full; it may take samples out, or decline.
  Sampler(std::span<const std::unique_ptr<Meter>> meters, std::chrono::nanoseconds interval,
          const Clock& clock, SampleRing& ring, std::function<void()> make_room);

  /// Edges of windows do not wait for an update of this meter: it is read at once, then and there.
  /// Models are, because they have nothing to catch up with. To be called before the first tick().
  void read_at_edges(std::size_t meter) { plans_[meter].at_edges = true; }

  /// Reads what is due; returns when to call again.
  Time tick();
  /// A window begins or ends now, so meters should be read soon, and again when they have caught
  /// up. From any thread; takes effect with the next tick().
  void mark_edge();

  [[nodiscard]] std::uint64_t ticks() const { return ticks_.load(std::memory_order_relaxed); }
  [[nodiscard]] std::uint64_t readings() const { return readings_.load(std::memory_order_relaxed); }
  [[nodiscard]] std::uint64_t overruns() const { return overruns_.load(std::memory_order_relaxed); }
  [[nodiscard]] const Lateness& lateness() const { return lateness_; }

 private:
  struct Plan {
    std::chrono::nanoseconds period{};         ///< A multiple of the interval.
    std::chrono::nanoseconds update_period{};  ///< Readings are never closer than this.
    bool at_edges = false;                     ///< But for edges of windows.
    Time due;                                  ///< On the grid of periods.
    Time settle = Time::max();  ///< The next extra reading after the edge of a window.
    int settlings = 0;          ///< How many of them are left.
    Time last;
    int failures = 0;
    GapReason dropped = GapReason::None;  ///< A sample with this gap found no room.
  };

  void notice_suspend(Time now);
  void take_edge(Time now);
  void read(std::size_t meter, Time now);
  void hand_over(std::size_t meter, Reading reading);
  void plan_next(Plan& plan, Time now, bool lost);

  std::span<const std::unique_ptr<Meter>> meters_;
  std::chrono::nanoseconds interval_;
  const Clock& clock_;
  SampleRing& ring_;
  std::function<void()> make_room_;
  std::vector<Plan> plans_;
  Time deadline_;
  std::chrono::nanoseconds suspended_;
  std::atomic<bool> edge_ = false;

  std::atomic<std::uint64_t> ticks_ = 0;
  std::atomic<std::uint64_t> readings_ = 0;
  std::atomic<std::uint64_t> overruns_ = 0;
  Lateness lateness_;
};

}  // namespace jouletree::meters
