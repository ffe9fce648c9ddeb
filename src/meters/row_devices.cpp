#include "meters/row_devices.hpp"

#include <algorithm>
#include <cctype>
#include <map>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/number_of.hpp"
#include "jouletree/error.hpp"

namespace jouletree::meters {
namespace {

using std::chrono::nanoseconds;

std::string cell(const std::vector<std::string>& row, std::size_t column) {
  return column < row.size() ? row[column] : std::string();
}

bool is_number(const std::string& text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](unsigned char letter) {
    return std::isdigit(letter) != 0;
  });
}

/// "GPU-5a3c…" or "00000000:65:00.0".
bool is_identifier(const std::string& text) {
  if (text.starts_with("GPU-") || text.starts_with("MIG-")) return true;
  return text.size() > 7 && text[text.size() - 2] == '.' &&
         std::count(text.begin(), text.end(), ':') == 2 && text.find(' ') == std::string::npos;
}

std::vector<std::string> values(const RowCells& rows, std::size_t column) {
  std::vector<std::string> found;
  for (const auto& row : rows) found.push_back(cell(row, column));
  return found;
}

/// Whether the values repeat the same few texts in the same order.
bool take_turns(const std::vector<std::string>& texts) {
  const std::size_t devices = std::set<std::string>(texts.begin(), texts.end()).size();
  if (devices < 2 || texts.size() < 2 * devices) return false;
  for (std::size_t i = 0; i < texts.size(); ++i)
    if (texts[i].empty() || texts[i] != texts[i % devices]) return false;
  return true;
}

bool counts_in_turn(const std::vector<std::string>& texts) {
  return take_turns(texts) && std::all_of(texts.begin(), texts.end(), is_number);
}

/// A number with a unit is what a device does, not which one it is.
bool has_unit(const std::string& text) {
  const auto found = parse_cell(text);
  return found && !found->unit.empty();
}

/// Whether most rows follow the one before at once, and the others after a pause.
bool come_several_at_a_time(const RowCells& rows, const RowLayout& layout, WallTime today) {
  constexpr std::size_t kFewest = 4;
  constexpr int kPause = 10;
  std::vector<nanoseconds> steps;
  std::optional<nanoseconds> last;
  for (const auto& row : rows) {
    std::string text = cell(row, layout.time_column);
    if (layout.date_column) text.insert(0, cell(row, *layout.date_column) + " ");
    const auto stamp = parse_stamp(text, today);
    if (!stamp) continue;
    if (last) steps.push_back(stamp->time - *last);
    last = stamp->time;
  }
  if (steps.size() < kFewest - 1) return false;
  std::vector<nanoseconds> sorted = steps;
  std::sort(sorted.begin(), sorted.end());
  const nanoseconds pause = sorted[sorted.size() - 1 - sorted.size() / 10];
  const auto at_once = std::count_if(steps.begin(), steps.end(),
                                     [&](nanoseconds step) { return step * kPause < pause; });
  return at_once * 5 >= static_cast<std::ptrdiff_t>(steps.size()) * 2;
}

/// Which columns tell devices apart, or how to record one.
std::string advice(const RowCells& rows, const RowLayout& layout, const std::string& file) {
  std::vector<std::size_t> telling;
  for (std::size_t i = 0; i < rows[0].size(); ++i) {
    const bool used = i == layout.power_column || i == layout.time_column;
    if (!used && !has_unit(rows[0][i]) && take_turns(values(rows, i))) telling.push_back(i + 1);
  }
  if (telling.empty()) {
    return "no column tells them apart; record one that does (nvidia-smi "
           "--query-gpu=timestamp,index,power.draw)";
  }
  return fmt::format("{} {} may tell them apart; name it: --external {}:{},by={}",
                     agreeing(telling.size(), "column", "columns"), fmt::join(telling, ", "), file,
                     layout.power_column + 1, telling[0]);
}

}  // namespace

void check_device_column(const RowCells& rows, std::size_t column, const RowLayout& layout,
                         WallTime today, const std::string& file) {
  std::map<std::string, RowCells> by_device;
  for (const auto& row : rows) by_device[cell(row, column)].push_back(row);
  for (const auto& [device, own] : by_device) {
    if (!come_several_at_a_time(own, layout, today)) continue;
    throw Error(ErrorKind::BadInput,
                fmt::format("{}: column {} does not tell the devices apart: several rows with '{}' "
                            "come at a time; {}",
                            file, column + 1, device, advice(rows, layout, file)));
  }
}

std::optional<std::size_t> find_device_column(const RowCells& rows, const RowLayout& layout,
                                              WallTime today, const std::string& file) {
  if (rows.empty()) return std::nullopt;
  for (std::size_t i = 0; i < rows[0].size(); ++i)
    if (is_identifier(rows[0][i])) return i;
  if (!come_several_at_a_time(rows, layout, today)) return std::nullopt;
  for (std::size_t i = 0; i < rows[0].size(); ++i) {
    const bool used = i == layout.power_column || i == layout.time_column;
    if (!used && counts_in_turn(values(rows, i))) return i;
  }
  throw Error(ErrorKind::BadInput,
              fmt::format("{}: several rows come at a time, as of several devices; {}", file,
                          advice(rows, layout, file)));
}

std::vector<ExternalChannel> channels_by_device(const RowCells& rows, std::size_t column,
                                                const ExternalChannel& like,
                                                const std::string& file) {
  std::vector<ExternalChannel> channels;
  std::set<std::string> seen;
  for (const auto& row : rows) {
    const std::string device = cell(row, column);
    if (device.empty() || !seen.insert(device).second) continue;
    ExternalChannel channel = like;
    channel.layout.device_column = column;
    channel.layout.device = device;
    const bool card = like.level == Level::Gpu;
    channel.device = card && is_number(device) ? "gpu-" + device : device;
    channel.name += (channel.name.empty() ? "" : ":") + channel.device;
    channels.push_back(std::move(channel));
  }
  if (channels.empty()) {
    throw Error(
        ErrorKind::BadInput,
        fmt::format("{}: has no row yet that tells which devices there are; start the meter "
                    "before, so that each device has a row",
                    file));
  }
  return channels;
}

}  // namespace jouletree::meters
