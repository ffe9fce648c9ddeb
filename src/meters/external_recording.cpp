#include "jouletree/external_recording.hpp"

#include <fmt/format.h>

#include "jouletree/error.hpp"
#include "meters/external_rows.hpp"
#include "meters/power_integral.hpp"
#include "meters/recorder.hpp"

namespace jouletree {
namespace {

using std::chrono::nanoseconds;

/// Records the rows around a window as a sampler would have done.
class Replay {
 public:
  Replay(MeterInfo info, WallTime begin, WallTime end)
      : account_(info.update_period, 0),
        // Away from the window, only sums matter.
        first_(begin - 100 * info.update_period),
        last_(end + 100 * info.update_period),
        recorder_({std::move(info)}, Level::Wall) {}

  void add(const ExternalRows::Row& row) {
    const Time at{row.at.time_since_epoch()};
    if (latest_ && at <= *latest_) return;
    latest_ = at;
    Sample sample;
    sample.reading.at = at;
    sample.reading.gap = account_.add(row.power, at);
    if (sample.reading.gap != GapReason::None) sample.reading.status = Reading::Status::Gap;
    sample.reading.total = account_.total();
    sample.reading.doubt = account_.doubt();
    if (row.at < first_ || row.at > last_) return;
    ring_->put(sample);
    recorder_.drain(*ring_);
  }
  [[nodiscard]] const Recorder& recorder() const { return recorder_; }

 private:
  PowerIntegral account_;
  WallTime first_;
  WallTime last_;
  Recorder recorder_;
  std::unique_ptr<SampleRing> ring_ = std::make_unique<SampleRing>();
  std::optional<Time> latest_;
};

}  // namespace

WindowResult energy_of_recording(const ExternalFile& file, WallTime begin, WallTime end) {
  const Clock& clock = machine_clock();
  Replay replay(external_info(file, row_spacing(file, clock)), begin, end);
  ExternalRows rows(file, clock);
  bool bad = false;
  for (auto row = rows.next(bad); row || bad; row = rows.next(bad)) {
    if (bad) {
      throw Error(ErrorKind::BadInput,
                  fmt::format("{}, line {}: no time stamp and watts; mend or remove the line",
                              file.path.string(), rows.line_number()));
    }
    replay.add(*row);
  }
  if (const auto row = rows.last()) replay.add(*row);
  WindowResult result =
      replay.recorder().between(Time(begin.time_since_epoch()), Time(end.time_since_epoch()));
  result.name = file.path.stem();
  return result;
}

}  // namespace jouletree
