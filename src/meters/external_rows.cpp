#include "meters/external_rows.hpp"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "base/number_of.hpp"
#include "jouletree/error.hpp"

namespace jouletree::meters {
namespace {

namespace fs = std::filesystem;
using std::chrono::nanoseconds;

/// Enough to see titles behind a preamble, and the turn in which devices come.
constexpr int kPreviewLines = 250;

void check_is_file(const ExternalFile& file) {
  std::error_code error;
  if (fs::is_regular_file(file.path, error)) return;
  throw Error(
      ErrorKind::BadInput,
      fmt::format("the file '{}' of the external meter does not exist or is not a file; give "
                  "the CSV file that the meter's software writes",
                  file.path.string()));
}

}  // namespace

ExternalLayout read_layout(const ExternalFile& file, const Clock& clock) {
  check_is_file(file);
  std::vector<NumberedLine> lines;
  LineFollower preview(file.path);
  while (preview.line_number() < kPreviewLines) {
    const auto line = preview.next();
    if (!line) break;
    lines.push_back({preview.line_number(), std::string(*line)});
  }
  if (preview.trouble() == GapReason::Denied) {
    throw Error(
        ErrorKind::BadInput,
        fmt::format("the file '{}' of the external meter may not be read; sudo chmod a+r {}",
                    file.path.string(), file.path.string()));
  }
  if (auto found = find_layout(file, lines, clock.wall())) return *found;
  if (lines.empty()) {
    ExternalLayout nothing;
    nothing.channels.emplace_back();
    nothing.lines_before_rows = -1;
    return nothing;
  }
  throw Error(
      ErrorKind::BadInput,
      fmt::format("{}: neither titles nor rows with a time stamp and watts in its first {}; "
                  "expected is 'time,watts' such as 2024-05-01T12:00:00Z,83.5",
                  file.path.string(), number_of(lines.size(), "line")));
}

ExternalRows::ExternalRows(const ExternalFile& file, const ExternalLayout& layout,
                           std::size_t channel, const Clock& clock)
    : file_(file), opened_(clock.wall()), lines_(file.path) {
  if (layout.lines_before_rows < 0) return;
  layout_ = layout.channels[channel].layout;
  for (int i = 0; i < layout.lines_before_rows; ++i) (void)lines_.next();
}

std::optional<ExternalRows::Row> ExternalRows::row_of(std::string_view line) const {
  const auto row = layout_->parse(line, opened_);
  if (!row) return std::nullopt;
  relative_ = row->at.relative;
  const nanoseconds base = relative_ ? opened_.time_since_epoch() : nanoseconds{};
  return Row{
      WallTime(std::chrono::duration_cast<WallTime::duration>(base + row->at.time + file_.offset)),
      row->power};
}

void ExternalRows::find_layout_in(std::string_view line) {
  try {
    const auto found = find_layout(file_, {{1, std::string(line)}}, opened_);
    if (found && found->channels.size() == 1) layout_ = found->channels[0].layout;
  } catch (const Error&) {
    // A line that leaves open what is power tells nothing; the next one may.
  }
}

std::optional<ExternalRows::Row> ExternalRows::next(bool& bad) {
  bad = false;
  while (const auto line = lines_.next()) {
    if (is_blank(*line)) continue;
    if (!layout_) {
      // The file was empty when it was opened.
      find_layout_in(*line);
      if (!layout_ || !row_of(*line)) continue;
    }
    if (line->starts_with('#') || layout_->skips(*line)) continue;
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

nanoseconds row_spacing(ExternalRows& rows) {
  constexpr std::size_t kEnough = 64;
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

MeterInfo external_info(const ExternalFile& file, const ExternalChannel& channel,
                        nanoseconds spacing) {
  const std::string stem = file.path.stem();
  MeterInfo info;
  info.name = "external:" + stem + (channel.name.empty() ? "" : ":" + channel.name);
  info.source = "external";
  info.device = channel.device.empty() ? info.name.substr(sizeof("external:") - 1) : channel.device;
  info.method = fmt::format("watts in {}, integrated", file.path.filename().string());
  info.level = channel.level;
  info.kind = MeterKind::Power;
  info.update_period = spacing;
  return info;
}

}  // namespace jouletree::meters
