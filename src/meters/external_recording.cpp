#include "jouletree/external_recording.hpp"

#include <fmt/format.h>

#include "jouletree/error.hpp"
#include "meters/energy_log.hpp"
#include "meters/external_rows.hpp"
#include "meters/power_integral.hpp"

namespace jouletree {
namespace {

using std::chrono::nanoseconds;

/// Records the rows of a channel around a window as a sampler would have done.
class Replay {
 public:
  Replay(std::size_t meter, nanoseconds period, WallTime begin, WallTime end,
         meters::EnergyLog& log)
      : meter_(meter),
        account_(period, 0),
        // Away from the window, only sums matter.
        first_(begin - 100 * period),
        last_(end + 100 * period),
        log_(log) {}

  void add(const meters::ExternalRows::Row& row) {
    const Time at{row.at.time_since_epoch()};
    if (latest_ && at <= *latest_) return;
    latest_ = at;
    meters::Sample sample;
    sample.meter = static_cast<std::uint32_t>(meter_);
    sample.reading.at = at;
    sample.reading.gap = account_.add(row.power, at);
    if (sample.reading.gap != GapReason::None) sample.reading.status = Reading::Status::Gap;
    sample.reading.total = account_.total();
    sample.reading.doubt = account_.doubt();
    if (row.at < first_ || row.at > last_) return;
    ring_->put(sample);
    log_.drain(*ring_);
  }

 private:
  std::size_t meter_;
  meters::PowerIntegral account_;
  WallTime first_;
  WallTime last_;
  meters::EnergyLog& log_;
  std::unique_ptr<meters::SampleRing> ring_ = std::make_unique<meters::SampleRing>();
  std::optional<Time> latest_;
};

void replay(const ExternalFile& file, meters::ExternalRows& rows, Replay& into) {
  bool bad = false;
  for (auto row = rows.next(bad); row || bad; row = rows.next(bad)) {
    if (bad) {
      throw Error(ErrorKind::BadInput,
                  fmt::format("{}, line {}: no time stamp and watts; mend or remove the line",
                              file.path.string(), rows.line_number()));
    }
    into.add(*row);
  }
  if (const auto row = rows.last()) into.add(*row);
}

}  // namespace

WindowResult energy_of_recording(const ExternalFile& file, WallTime begin, WallTime end) {
  const Clock& clock = machine_clock();
  const meters::ExternalLayout layout = meters::read_layout(file, clock);
  std::vector<MeterInfo> infos;
  for (std::size_t i = 0; i < layout.channels.size(); ++i) {
    meters::ExternalRows rows(file, layout, i, clock);
    infos.push_back(meters::external_info(file, layout.channels[i], meters::row_spacing(rows)));
  }
  meters::EnergyLog log(infos, std::nullopt);
  for (std::size_t i = 0; i < infos.size(); ++i) {
    meters::ExternalRows rows(file, layout, i, clock);
    Replay into(i, infos[i].update_period, begin, end, log);
    replay(file, rows, into);
  }
  WindowResult result = log.between(Time(begin.time_since_epoch()), Time(end.time_since_epoch()));
  result.name = file.path.stem();
  return result;
}

}  // namespace jouletree
