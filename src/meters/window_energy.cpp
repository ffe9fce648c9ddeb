// What a window used, from the totals at its two edges.
#include <algorithm>
#include <cmath>

#include "meters/energy_log.hpp"

namespace jouletree::meters {
namespace {

using std::chrono::nanoseconds;

EnergyRange counter_range(const TotalAt& begin, const TotalAt& end) {
  EnergyRange range{end.value - begin.value, {}, {}};
  range.low = begin.high_known ? std::max(end.low - begin.high, Joules{}) : Joules{};
  if (end.high_known) range.high = end.high - begin.low;
  return range;
}

EnergyRange polled_range(const TotalAt& begin, const TotalAt& end) {
  const Joules value = end.value - begin.value;
  const Joules doubt = end.doubt_after - begin.doubt_before;
  return {value, std::max(value - doubt, Joules{}), value + doubt};
}

EnergyRange range_of(MeterKind kind, const TotalAt& begin, const TotalAt& end) {
  switch (kind) {
    case MeterKind::Counter: return counter_range(begin, end);
    case MeterKind::Power: return polled_range(begin, end);
    // How far a model is from the truth is not known, so there are no bounds.
    case MeterKind::Model: break;
  }
  return {end.value - begin.value, {}, {}};
}

void add_bounds(std::optional<Joules>& sum, const std::optional<Joules>& part) {
  if (sum && part) {
    *sum += *part;
  } else {
    sum.reset();
  }
}

/// The sum of what is known. A part that is not known at all leaves a lower bound.
void add_range(std::optional<EnergyRange>& sum, const std::optional<EnergyRange>& part,
               bool& complete) {
  if (!part) {
    complete = false;
    return;
  }
  if (!sum) sum = EnergyRange{{}, Joules{}, Joules{}};
  sum->value += part->value;
  add_bounds(sum->low, part->low);
  add_bounds(sum->high, part->high);
}

/// Spans that lie whole within a window are few in a short one. Where all of them were calmer than
/// the mean, nobody knows the peak.
std::optional<Watts> peak_above(const std::optional<Watts>& average,
                                const std::optional<Watts>& peak) {
  constexpr double kRounding = 0.999;
  const bool calmer = peak && average && peak->value < kRounding * average->value;
  return calmer ? std::nullopt : peak;
}

}  // namespace

WindowResult EnergyLog::result_of(const Edge& begin, const Edge& end) const {
  WindowResult result;
  result.begin = begin.at;
  result.end = end.at;
  for (std::size_t i = 0; i < meters_.size(); ++i) {
    result.domains.push_back(domain_of(i, begin, end));
    for (const TimelineGap& gap : timelines_[i].gaps_between(begin.at, end.at))
      result.gaps.push_back({meters_[i].name, gap.reason, gap.begin, gap.end});
  }
  result.total = total_of(result);
  return result;
}

DomainEnergy EnergyLog::domain_of(std::size_t meter, const Edge& begin, const Edge& end) const {
  const MeterInfo& info = meters_[meter];
  const PeakHistory& peaks = timelines_[meter].peaks();
  const TotalAt& first = *begin.totals[meter];
  const TotalAt& last = *end.totals[meter];
  DomainEnergy domain;
  domain.name = info.name;
  domain.level = info.level;
  domain.kind = info.kind;
  domain.provenance = info.provenance;
  domain.peak_over = peaks.span();
  const nanoseconds gaps = last.gaps - first.gaps;
  domain.covered = std::max<nanoseconds>(end.at - begin.at - gaps, {});
  if (domain.covered == nanoseconds{}) return domain;

  domain.gross = range_of(info.kind, first, last);
  if (gaps > nanoseconds{}) {
    domain.gross->high.reset();
    // What a counter shows after a gap may in part have been used within it.
    const auto count = timelines_[meter].gaps_between(begin.at, end.at).size();
    const Seconds behind = static_cast<double>(count) * Seconds(info.update_period);
    if (domain.gross->low && info.most)
      domain.gross->low = std::max(*domain.gross->low - *info.most * behind, Joules{});
  }
  domain.average = domain.gross->value / Seconds(domain.covered);
  domain.peak = peak_above(domain.average, peaks.highest_between(begin.at, end.at));
  add_idle(domain);
  return domain;
}

void EnergyLog::add_idle(DomainEnergy& domain) const {
  if (!baseline_ || !domain.gross) return;
  const auto idle = std::find_if(baseline_->domains.begin(), baseline_->domains.end(),
                                 [&](const IdlePower& p) { return p.name == domain.name; });
  if (idle == baseline_->domains.end()) return;
  const Seconds time = domain.covered;
  EnergyRange above{domain.gross->value - idle->power * time, {}, {}};
  if (domain.gross->low && idle->high) above.low = *domain.gross->low - *idle->high * time;
  if (domain.gross->high && idle->low) above.high = *domain.gross->high - *idle->low * time;
  domain.above_idle = above;
}

TotalEnergy EnergyLog::total_of(const WindowResult& result) const {
  TotalEnergy total;
  total.rule = total_.rule;
  total.peak_over = total_peaks_.span();
  bool complete = true;
  bool idle_complete = true;
  for (const std::size_t meter : total_.meters) {
    const DomainEnergy& domain = result.domains[meter];
    total.summed.push_back(domain.name);
    if (domain.covered < result.duration()) total.missing.push_back(domain.name);
    if (domain.provenance != Provenance::Measured) total.provenance = domain.provenance;
    add_range(total.gross, domain.gross, complete);
    add_range(total.above_idle, domain.above_idle, idle_complete);
  }
  if (!complete && total.gross) total.gross->high.reset();
  // Energy above idle may be negative, so a part that is missing leaves no lower bound either.
  if (!idle_complete) total.above_idle.reset();
  if (complete && total.gross) add_power(result, total);
  return total;
}

void EnergyLog::add_power(const WindowResult& result, TotalEnergy& total) const {
  std::vector<Span> known = {{result.begin, result.end}};
  Joules energy = total.gross->value;
  if (!total.missing.empty()) {
    known = known_spans(result.begin, result.end);
    energy = energy_in(known);
  }
  std::optional<Watts> peak;
  for (const Span& span : known) {
    total.covered += span.end - span.begin;
    const auto here = total_peaks_.highest_between(span.begin, span.end);
    if (here && (!peak || *peak < *here)) peak = here;
  }
  if (total.covered == nanoseconds{}) return;
  total.average = energy / Seconds(total.covered);
  total.peak = peak_above(total.average, peak);
}

Joules EnergyLog::energy_in(const std::vector<Span>& spans) const {
  Joules energy;
  for (const Span& span : spans) energy += sum_at(span.end) - sum_at(span.begin);
  return energy;
}

std::vector<EnergyLog::Span> EnergyLog::known_spans(Time begin, Time end) const {
  std::vector<TimelineGap> gaps;
  for (const std::size_t meter : total_.meters) {
    const auto of_meter = timelines_[meter].gaps_between(begin, end);
    gaps.insert(gaps.end(), of_meter.begin(), of_meter.end());
  }
  std::sort(gaps.begin(), gaps.end(),
            [](const TimelineGap& a, const TimelineGap& b) { return a.begin < b.begin; });
  std::vector<Span> known;
  Time from = begin;
  for (const TimelineGap& gap : gaps) {
    if (from < gap.begin) known.push_back({from, gap.begin});
    from = std::max(from, gap.end);
  }
  if (from < end) known.push_back({from, end});
  return known;
}

}  // namespace jouletree::meters

namespace jouletree {

Baseline baseline_of(const WindowResult& window) {
  Baseline baseline;
  baseline.duration = window.duration();
  for (const DomainEnergy& domain : window.domains) {
    if (!domain.gross) continue;
    const Seconds time = domain.covered;
    IdlePower idle{domain.name, domain.gross->value / time, {}, {}};
    if (domain.gross->low) idle.low = *domain.gross->low / time;
    if (domain.gross->high) idle.high = *domain.gross->high / time;
    baseline.domains.push_back(std::move(idle));
  }
  return baseline;
}

}  // namespace jouletree
