#include "meters/energy_log.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "jouletree/error.hpp"

namespace jouletree::meters {
namespace {

using std::chrono::nanoseconds;

nanoseconds longest_span(const std::vector<Timeline>& timelines, const TotalChoice& total) {
  nanoseconds longest{};
  for (const std::size_t meter : total.meters)
    longest = std::max(longest, timelines[meter].peaks().span());
  return longest;
}

std::vector<Timeline> make_timelines(const std::vector<MeterInfo>& meters) {
  return {meters.begin(), meters.end()};
}

}  // namespace

EnergyLog::EnergyLog(std::vector<MeterInfo> meters, std::optional<Level> total_level)
    : meters_(std::move(meters)),
      timelines_(make_timelines(meters_)),
      total_(choose_total(meters_, total_level)),
      total_peaks_(longest_span(timelines_, total_)) {}

void EnergyLog::drain(SampleRing& ring) {
  Sample sample;
  while (ring.take(sample)) timelines_[sample.meter].add(sample.reading);
  follow_total();
  settle_pending();
}

// Each meter tells about its own time: a file may be seconds behind the counters, and then tell of
// all of them at once. So the sum is taken at moments that all have told about.
void EnergyLog::follow_total() {
  if (total_.meters.empty()) return;
  Time from = Time::min();
  Time to = Time::max();
  for (const std::size_t meter : total_.meters) {
    const auto first = timelines_[meter].first_at();
    if (!first) return;
    from = std::max(from, *first);
    to = std::min(to, *timelines_[meter].last_at());
  }
  const nanoseconds span = total_peaks_.span();
  // Nobody wants to know the peaks of hours in which the machine slept.
  constexpr int kMostSpans = 1024;
  from = std::max(total_peaks_.complete_to().value_or(from), to - kMostSpans * span);
  if (to < from) return;
  if (total_peaks_.complete_to() != from) {
    total_peaks_.interrupt();
    total_peaks_.add(from, sum_at(from));
  }
  for (Time at = from + span; at <= to; at += span) total_peaks_.add(at, sum_at(at));
}

Joules EnergyLog::sum_at(Time moment) const {
  Joules sum;
  for (const std::size_t meter : total_.meters) sum += timelines_[meter].at(moment, true)->value;
  return sum;
}

bool EnergyLog::counts(std::size_t meter) const {
  return std::find(total_.meters.begin(), total_.meters.end(), meter) != total_.meters.end();
}

bool EnergyLog::is_asked(std::size_t meter, Whom whom) const {
  return whom == Whom::All || total_.meters.empty() || counts(meter);
}

bool EnergyLog::settled(const Edge& edge, Whom whom) const {
  for (std::size_t i = 0; i < edge.totals.size(); ++i)
    if (!edge.totals[i] && is_asked(i, whom)) return false;
  return true;
}

EnergyLog::Edge EnergyLog::make_edge(Time at) const {
  return {at, std::vector<std::optional<TotalAt>>(meters_.size())};
}

bool EnergyLog::settle(Edge& edge, bool final) const {
  for (std::size_t i = 0; i < timelines_.size(); ++i) {
    if (!edge.totals[i]) edge.totals[i] = timelines_[i].at(edge.at, final);
  }
  return settled(edge, Whom::All);
}

void EnergyLog::settle_pending() {
  std::erase_if(pending_, [this](const Pending& pending) {
    const auto found = windows_.find(pending.window);
    if (found == windows_.end()) return true;
    Window& window = found->second;
    return settle(pending.is_end ? *window.end : window.begin, false);
  });
}

WindowId EnergyLog::begin(std::string_view name, Time at, std::thread::id thread) {
  Window window{std::string(name), thread, std::nullopt, make_edge(at), std::nullopt};
  for (const auto& [id, other] : windows_) {
    if (!other.end && other.thread == thread) window.parent = id;
  }
  const WindowId id = ++last_id_;
  windows_.emplace(id, std::move(window));
  pending_.push_back({id, false});
  return id;
}

void EnergyLog::end(WindowId window, Time at) {
  const auto found = windows_.find(window);
  if (found == windows_.end() || found->second.end) {
    throw Error(ErrorKind::BadInput,
                fmt::format("window {} is not open; end each window once", window));
  }
  found->second.end = make_edge(at);
  pending_.push_back({window, true});
}

const EnergyLog::Window& EnergyLog::ended(WindowId window) const {
  const auto found = windows_.find(window);
  if (found == windows_.end()) {
    throw Error(ErrorKind::BadInput,
                fmt::format("there is no window {}; each result can be taken once", window));
  }
  if (!found->second.end) {
    throw Error(ErrorKind::BadInput, fmt::format("window '{}' is still open; end it before asking "
                                                 "for its result",
                                                 found->second.name));
  }
  return found->second;
}

bool EnergyLog::settled(WindowId window, Whom whom) const {
  const Window& found = ended(window);
  return settled(found.begin, whom) && settled(*found.end, whom);
}

Time EnergyLog::end_of(WindowId window) const { return ended(window).end->at; }

nanoseconds EnergyLog::patience(Whom whom) const {
  nanoseconds longest{};
  for (std::size_t i = 0; i < timelines_.size(); ++i)
    if (is_asked(i, whom)) longest = std::max(longest, timelines_[i].patience());
  return longest;
}

nanoseconds EnergyLog::time_for_others() const {
  nanoseconds longest{};
  for (const std::size_t meter : total_.meters) {
    if (meters_[meter].kind != MeterKind::Model)
      longest = std::max(longest, timelines_[meter].patience());
  }
  return longest;
}

bool EnergyLog::knows(Time moment, Whom whom) const {
  for (std::size_t i = 0; i < timelines_.size(); ++i)
    if (is_asked(i, whom) && !timelines_[i].at(moment, false)) return false;
  return true;
}

WindowResult EnergyLog::take(WindowId window) {
  (void)ended(window);
  const auto node = windows_.extract(window);
  Window& taken = node.mapped();
  settle(taken.begin, true);
  settle(*taken.end, true);
  WindowResult result = result_of(taken.begin, *taken.end);
  result.id = window;
  result.parent = taken.parent;
  result.name = std::move(taken.name);
  return result;
}

WindowResult EnergyLog::between(Time begin, Time end) const {
  Edge first = make_edge(begin);
  Edge last = make_edge(end);
  settle(first, true);
  settle(last, true);
  return result_of(first, last);
}

std::vector<RunningTotal> EnergyLog::totals() const {
  std::vector<RunningTotal> totals;
  for (const Timeline& timeline : timelines_) {
    totals.push_back({timeline.total(), timeline.peaks().last(), timeline.gap_time(),
                      timeline.lost(), timeline.last_at()});
  }
  return totals;
}

}  // namespace jouletree::meters
