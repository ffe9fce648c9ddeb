// A meter beside the machine, through the file that its software writes.
#include "meters/external.hpp"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "jouletree/error.hpp"
#include "jouletree/external_recording.hpp"
#include "meters/open_functions.hpp"
#include "meters/recorder.hpp"
#include "meters/value_file.hpp"

namespace jouletree {
namespace {

namespace fs = std::filesystem;
using std::chrono::nanoseconds;

constexpr int kLinesBeforeRows = 50;

/// The usual distance of rows, from those that are in the file already.
nanoseconds spacing_of(const ExternalFile& file, const Clock& clock) {
  constexpr std::size_t kEnough = 64;
  ExternalRows rows(file, clock);
  std::vector<nanoseconds> steps;
  std::optional<WallTime> last;
  bool bad = false;
  while (steps.size() < kEnough) {
    const auto row = rows.next(bad);
    if (!row) break;
    if (last && row->at > *last) steps.push_back(row->at - *last);
    last = row->at;
  }
  if (steps.empty()) return std::chrono::seconds(1);
  std::nth_element(steps.begin(), steps.begin() + static_cast<std::ptrdiff_t>(steps.size() / 2),
                   steps.end());
  return std::max<nanoseconds>(steps[steps.size() / 2], std::chrono::milliseconds(1));
}

MeterInfo info_of(const ExternalFile& file, nanoseconds spacing) {
  MeterInfo info;
  info.name = "external:" + file.path.stem().string();
  info.source = "external";
  info.device = file.path.stem();
  info.method = fmt::format("watts in {}, integrated", file.path.filename().string());
  info.level = Level::Wall;
  info.kind = MeterKind::Power;
  info.update_period = spacing;
  return info;
}

class ExternalMeter final : public Meter {
 public:
  ExternalMeter(const ExternalFile& file, nanoseconds spacing, const Clock& clock)
      : info_(info_of(file, spacing)),
        rows_(file, clock),
        clock_(clock),
        wall_ahead_(wall_ahead()),
        begin_(clock.now()),
        account_(spacing, 0) {}

  [[nodiscard]] const MeterInfo& info() const override { return info_; }

  [[nodiscard]] Reading read() override {
    follow_wall_clock();
    Reading reading;
    reading.status = Reading::Status::Nothing;
    bool bad = false;
    const auto row = rows_.next(bad);
    if (bad) account_.forget(GapReason::Failed);
    reading.more = row.has_value() || bad;
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
};

}  // namespace

ExternalRows::ExternalRows(const ExternalFile& file, const Clock& clock)
    : path_(file.path), offset_(file.offset), opened_(clock.wall()), lines_(file.path) {
  std::error_code error;
  if (!fs::is_regular_file(path_, error) && !fs::is_fifo(path_, error))
    throw Error(
        ErrorKind::BadInput,
        fmt::format("the file '{}' of the external meter does not exist or is no file; give "
                    "the CSV file that the meter's software writes",
                    path_.string()));
  LayoutFinder finder;
  LineFollower preview(path_);
  while (const auto line = preview.next()) {
    if (is_blank(*line)) continue;
    bool is_row = false;
    if (finder.look_at(*line, opened_, is_row)) {
      layout_ = finder.layout();
      // Rows begin here, or behind the titles.
      const int skipped = preview.line_number() - (is_row ? 1 : 0);
      for (int i = 0; i < skipped; ++i) (void)lines_.next();
      return;
    }
    if (preview.line_number() >= kLinesBeforeRows) break;
  }
  if (preview.trouble() == GapReason::Denied)
    throw Error(
        ErrorKind::BadInput,
        fmt::format("the file '{}' of the external meter may not be read; sudo chmod a+r {}",
                    path_.string(), path_.string()));
  if (preview.line_number() > 0)
    throw Error(
        ErrorKind::BadInput,
        fmt::format("{}: neither titles nor rows with a time stamp and watts in the first {} "
                    "lines; expected is 'time,watts' such as 2024-05-01T12:00:00Z,83.5",
                    path_.string(), preview.line_number()));
}

std::optional<ExternalRows::Row> ExternalRows::row_of(std::string_view line) const {
  const auto row = layout_->parse(line, opened_);
  if (!row) return std::nullopt;
  relative_ = row->at.relative;
  const nanoseconds base = relative_ ? opened_.time_since_epoch() : nanoseconds{};
  return Row{
      WallTime(std::chrono::duration_cast<WallTime::duration>(base + row->at.time + offset_)),
      row->power};
}

std::optional<ExternalRows::Row> ExternalRows::next(bool& bad) {
  bad = false;
  while (const auto line = lines_.next()) {
    if (is_blank(*line) || line->starts_with('#')) continue;
    if (!layout_) {
      // The file was empty when it was opened.
      LayoutFinder finder;
      bool is_row = false;
      if (finder.look_at(*line, opened_, is_row)) layout_ = finder.layout();
      if (!is_row) continue;
    }
    auto row = row_of(*line);
    bad = !row;
    return row;
  }
  return std::nullopt;
}

std::optional<ExternalRows::Row> ExternalRows::last() const {
  if (!layout_ || is_blank(lines_.rest())) return std::nullopt;
  return row_of(lines_.rest());
}

WindowResult energy_of_recording(const ExternalFile& file, WallTime begin, WallTime end) {
  const Clock& clock = machine_clock();
  const nanoseconds spacing = spacing_of(file, clock);
  ExternalRows rows(file, clock);
  Recorder recorder({info_of(file, spacing)}, Level::Wall);
  auto ring = std::make_unique<SampleRing>();
  PowerIntegral account(spacing, 0);
  std::optional<Time> last;
  const auto add = [&](const ExternalRows::Row& row) {
    const Time at{row.at.time_since_epoch()};
    if (last && at <= *last) return;
    last = at;
    Sample sample;
    sample.reading.at = at;
    sample.reading.gap = account.add(row.power, at);
    if (sample.reading.gap != GapReason::None) sample.reading.status = Reading::Status::Gap;
    sample.reading.total = account.total();
    sample.reading.doubt = account.doubt();
    // Away from the window, only sums matter.
    if (row.at > begin - 100 * spacing && row.at < end + 100 * spacing) {
      ring->put(sample);
      recorder.drain(*ring);
    }
  };
  for (bool bad = false;;) {
    const auto row = rows.next(bad);
    if (row) {
      add(*row);
    } else if (bad) {
      throw Error(ErrorKind::BadInput,
                  fmt::format("{}, line {}: no time stamp and watts; mend or remove the line",
                              file.path.string(), rows.line_number()));
    } else {
      break;
    }
  }
  if (const auto row = rows.last()) add(*row);
  WindowResult result =
      recorder.between(Time(begin.time_since_epoch()), Time(end.time_since_epoch()));
  result.name = file.path.stem();
  return result;
}

Probe open_external(const ProbeOptions& options) {
  Probe probe;
  for (const ExternalFile& file : options.external) {
    const nanoseconds spacing = spacing_of(file, *options.clock);
    auto meter = std::make_unique<ExternalMeter>(file, spacing, *options.clock);
    probe.meters.push_back(std::move(meter));
  }
  if (options.external.empty())
    probe.missing.push_back({"external", "no file of an external meter was given",
                             "give the CSV file that the meter's software writes"});
  return probe;
}

}  // namespace jouletree
