#include "meters/external_rows.hpp"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "jouletree/error.hpp"

namespace jouletree {
namespace {

namespace fs = std::filesystem;
using std::chrono::nanoseconds;

constexpr int kLinesBeforeRows = 50;

}  // namespace

ExternalRows::ExternalRows(const ExternalFile& file, const Clock& clock)
    : path_(file.path), offset_(file.offset), opened_(clock.wall()), lines_(file.path) {
  std::error_code error;
  if (!fs::is_regular_file(path_, error)) {
    throw Error(
        ErrorKind::BadInput,
        fmt::format("the file '{}' of the external meter does not exist or is no file; give "
                    "the CSV file that the meter's software writes",
                    path_.string()));
  }
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
  if (preview.trouble() == GapReason::Denied) {
    throw Error(
        ErrorKind::BadInput,
        fmt::format("the file '{}' of the external meter may not be read; sudo chmod a+r {}",
                    path_.string(), path_.string()));
  }
  if (preview.line_number() > 0) {
    throw Error(
        ErrorKind::BadInput,
        fmt::format("{}: neither titles nor rows with a time stamp and watts in the first {} "
                    "lines; expected is 'time,watts' such as 2024-05-01T12:00:00Z,83.5",
                    path_.string(), preview.line_number()));
  }
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

nanoseconds row_spacing(const ExternalFile& file, const Clock& clock) {
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

MeterInfo external_info(const ExternalFile& file, nanoseconds spacing) {
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

}  // namespace jouletree
