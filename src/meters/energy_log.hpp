#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "jouletree/session.hpp"
#include "meters/sample_ring.hpp"
#include "meters/timeline.hpp"
#include "meters/total_choice.hpp"

namespace jouletree::meters {

/// Keeps what the meters told and answers what windows used. Not thread-safe: Session locks.
class EnergyLog {
 public:
  EnergyLog(std::vector<MeterInfo> meters, std::optional<Level> total_level);

  /// Records all samples that wait.
  void drain(SampleRing& ring);

  WindowId begin(std::string_view name, Time at, std::thread::id thread);
  /// Throws Error(BadInput) if the window is not open.
  void end(WindowId window, Time at);
  /// Which meters are asked: all, or those that make the total.
  enum class Whom { All, Total };
  /// Whether they have told enough. Throws Error(BadInput) if the window was not ended.
  [[nodiscard]] bool settled(WindowId window, Whom whom = Whom::All) const;
  /// The longest that waiting for them makes sense after the window's end.
  [[nodiscard]] std::chrono::nanoseconds patience(Whom whom = Whom::All) const;
  /// How long those that are not in the total may keep others waiting: as long as those that are.
  /// A model keeps nobody waiting.
  [[nodiscard]] std::chrono::nanoseconds time_for_others() const;
  [[nodiscard]] Time end_of(WindowId window) const;
  /// Hands over the result and forgets the window. Meters that have not told enough yet have a gap
  /// at the end.
  [[nodiscard]] WindowResult take(WindowId window);
  [[nodiscard]] WindowResult between(Time begin, Time end) const;
  /// Whether the meters have told all about a moment.
  [[nodiscard]] bool knows(Time moment, Whom whom = Whom::All) const;
  /// Whether it is part of the total.
  [[nodiscard]] bool counts(std::size_t meter) const;

  void set_baseline(const Baseline& baseline) { baseline_ = baseline; }
  [[nodiscard]] std::vector<RunningTotal> totals() const;
  [[nodiscard]] const std::vector<MeterInfo>& meters() const { return meters_; }
  [[nodiscard]] const Timeline& timeline(std::size_t meter) const { return timelines_[meter]; }

 private:
  /// One edge of a window: the totals of all meters, as far as they are known.
  struct Edge {
    Time at;
    std::vector<std::optional<TotalAt>> totals;
  };
  struct Span {
    Time begin;
    Time end;
  };
  struct Window {
    std::string name;
    std::thread::id thread;
    std::optional<WindowId> parent;
    Edge begin;
    std::optional<Edge> end;
  };
  struct Pending {
    WindowId window;
    bool is_end;
  };

  /// Those that make the total; all where there is no total.
  [[nodiscard]] bool is_asked(std::size_t meter, Whom whom) const;
  [[nodiscard]] bool settled(const Edge& edge, Whom whom) const;
  [[nodiscard]] Edge make_edge(Time at) const;
  bool settle(Edge& edge, bool final) const;
  void settle_pending();
  [[nodiscard]] const Window& ended(WindowId window) const;
  [[nodiscard]] WindowResult result_of(const Edge& begin, const Edge& end) const;
  [[nodiscard]] DomainEnergy domain_of(std::size_t meter, const Edge& begin, const Edge& end) const;
  [[nodiscard]] TotalEnergy total_of(const WindowResult& result) const;
  void add_idle(DomainEnergy& domain) const;
  /// Mean and peak, from the time for which all parts are known.
  void add_power(const WindowResult& result, TotalEnergy& total) const;
  /// The time between two moments less the gaps of all meters of the total.
  [[nodiscard]] std::vector<Span> known_spans(Time begin, Time end) const;
  [[nodiscard]] Joules energy_in(const std::vector<Span>& spans) const;
  void follow_total();
  [[nodiscard]] Joules sum_at(Time moment) const;

  std::vector<MeterInfo> meters_;
  std::vector<Timeline> timelines_;
  TotalChoice total_;
  PeakHistory total_peaks_;
  std::optional<Baseline> baseline_;
  std::map<WindowId, Window> windows_;
  std::vector<Pending> pending_;
  WindowId last_id_ = 0;
};

}  // namespace jouletree::meters
