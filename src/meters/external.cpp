// A meter beside the machine, through the file that its software writes.
#include "meters/external_rows.hpp"
#include "meters/open_functions.hpp"
#include "meters/power_integral.hpp"

namespace jouletree::meters {
namespace {

using std::chrono::nanoseconds;

class ExternalMeter final : public Meter {
 public:
  ExternalMeter(MeterInfo info, const ExternalFile& file, const ExternalLayout& layout,
                std::size_t channel, const Clock& clock)
      : info_(std::move(info)),
        rows_(file, layout, channel, clock),
        clock_(clock),
        wall_ahead_(wall_ahead()),
        begin_(clock.now()),
        account_(info_.update_period, 0) {}

  [[nodiscard]] const MeterInfo& info() const override { return info_; }

  [[nodiscard]] Reading read() override {
    follow_wall_clock();
    Reading reading;
    reading.status = Reading::Status::Nothing;
    bool bad = false;
    const auto row = rows_.next(bad);
    if (bad) return without_watts();
    reading.more = row.has_value();
    if (!row) {
      if (rows_.trouble() == GapReason::None) return reading;
      account_.forget(rows_.trouble());
      reading.status = Reading::Status::Lost;
      reading.gap = rows_.trouble();
      return reading;
    }
    const Time at{row->at.time_since_epoch() - wall_ahead_};
    // A clock that was set back repeats times that have been counted.
    if (last_ && at <= *last_) return reading;
    last_ = at;
    is_without_watts_ = false;
    reading.gap = account_.add(row->power, at);
    // What was written long before the meter was opened is of no use to anybody.
    if (at < begin_ - 10 * info_.update_period) return reading;
    reading.at = at;
    reading.status = reading.gap == GapReason::None ? Reading::Status::Good : Reading::Status::Gap;
    reading.total = account_.total();
    reading.doubt = account_.doubt();
    return reading;
  }

  void forget(GapReason why) override { account_.forget(why); }

 private:
  /// A line that cannot be used. The first of several in a row says so.
  Reading without_watts() {
    account_.forget(GapReason::Failed);
    Reading reading;
    reading.status = is_without_watts_ ? Reading::Status::Nothing : Reading::Status::Lost;
    reading.gap = GapReason::Failed;
    reading.more = true;
    is_without_watts_ = true;
    return reading;
  }

  [[nodiscard]] nanoseconds wall_ahead() const {
    return clock_.wall().time_since_epoch() - clock_.now().time_since_epoch();
  }

  /// Stamps of the calendar follow the wall clock, which people and NTP may set.
  void follow_wall_clock() {
    constexpr auto kDrift = std::chrono::milliseconds(100);
    const nanoseconds now_ahead = wall_ahead();
    if (std::chrono::abs(now_ahead - wall_ahead_) < kDrift || rows_.stamps_are_relative()) return;
    wall_ahead_ = now_ahead;
    account_.forget(GapReason::Late);
  }

  MeterInfo info_;
  ExternalRows rows_;
  const Clock& clock_;
  nanoseconds wall_ahead_;
  Time begin_;
  PowerIntegral account_;
  std::optional<Time> last_;
  bool is_without_watts_ = false;
};

}  // namespace

Probe open_external(const ProbeOptions& options) {
  Probe probe;
  for (const ExternalFile& file : options.external) {
    const ExternalLayout layout = read_layout(file, *options.clock);
    for (std::size_t i = 0; i < layout.channels.size(); ++i) {
      ExternalRows first_rows(file, layout, i, *options.clock);
      MeterInfo info = external_info(file, layout.channels[i], row_spacing(first_rows));
      probe.meters.push_back(
          std::make_unique<ExternalMeter>(std::move(info), file, layout, i, *options.clock));
    }
  }
  if (options.external.empty()) {
    probe.missing.push_back({"external", "no file of an external meter was given",
                             "give the CSV file that the meter's software writes"});
  }
  return probe;
}

}  // namespace jouletree::meters
