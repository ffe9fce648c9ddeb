#include "store/recorded_power.hpp"

#include <algorithm>
#include <fstream>

#include <fmt/format.h>

#include "jouletree/error.hpp"
#include "store/line_holes.hpp"

namespace jouletree::store {
namespace {

/// Numbers the runs. Lines of JouleTree name theirs; a segment whose lines name none, or one that
/// was there before, is the next run.
class RunNumbers {
 public:
  void end_segment() { in_segment_ = false; }
  void number(PowerRow& row) {
    const bool named = row.run > 0;
    if (!in_segment_ || named != named_) begin_segment(row);
    named_ = named;
    row.run = named ? row.run + shift_ : next_;
    last_ = std::max(last_, row.run);
  }
  [[nodiscard]] bool in_segment() const { return in_segment_; }

 private:
  void begin_segment(const PowerRow& row) {
    in_segment_ = true;
    next_ = last_ + 1;
    shift_ = row.run <= last_ ? next_ - row.run : 0;
  }

  bool in_segment_ = false;
  bool named_ = false;
  int last_ = 0;
  int next_ = 1;
  int shift_ = 0;
};

/// Some recorders write rates of use as shares of 1, others in per cent. Nothing is more than all
/// busy, so that one rate above 1 tells about all of them.
void settle_rates(std::vector<PowerRow>& rows) {
  const auto per_cent = [](const PowerRow& row) {
    return !row.ours && std::any_of(row.card_utilisation.begin(), row.card_utilisation.end(),
                                    [](const auto& card) { return card.second > 1; });
  };
  if (std::none_of(rows.begin(), rows.end(), per_cent)) return;
  for (PowerRow& row : rows) {
    if (row.ours) continue;
    for (auto& [card, rate] : row.card_utilisation) rate /= 100;
  }
}

}  // namespace

RecordedPower read_power_file(const std::filesystem::path& file) {
  std::error_code error;
  std::ifstream in;
  // A pipe would be waited for.
  if (std::filesystem::is_regular_file(file, error)) in.open(file);
  if (!in.is_open()) {
    throw Error(ErrorKind::BadInput,
                fmt::format("{}: cannot be read; check path and permissions", file.string()));
  }
  RecordedPower power;
  RunNumbers runs;
  int number = 0;
  for (std::string line; std::getline(in, line);) {
    ++number;
    if (line.find_first_not_of(" \t\r") == std::string::npos) continue;
    if (auto row = parse_power_line(line)) {
      runs.number(*row);
      power.rows.push_back(std::move(*row));
    } else if (ends_segment(line)) {
      runs.end_segment();
    } else if (++power.unreadable_lines == 1) {
      power.first_unreadable = number;
    }
  }
  power.segment_open = runs.in_segment();
  settle_rates(power.rows);
  mark_holes(power.rows);
  return power;
}

}  // namespace jouletree::store
