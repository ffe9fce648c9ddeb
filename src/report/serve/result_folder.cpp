#include "report/serve/result_folder.hpp"

#include <algorithm>
#include <array>
#include <functional>

#include <fmt/format.h>

#include "base/number_format.hpp"
#include "report/serve/contained_path.hpp"

namespace jouletree::report {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;

constexpr int kDeepest = 16;
constexpr std::size_t kMostEntries = 100'000;
constexpr auto kLookAgain = 1s;
/// Looking takes no more than a twentieth of the time of a core.
constexpr int kRestPerLook = 19;

bool may_be_result(const fs::path& file) {
  constexpr std::array<std::string_view, 5> kEndings = {".json", ".jsonl", ".sqlite", ".sqlite3",
                                                        ".db"};
  return std::find(kEndings.begin(), kEndings.end(), file.extension().string()) != kEndings.end();
}

}  // namespace

bool FoundResults::is_going_on() const {
  return std::any_of(results.begin(), results.end(),
                     [](const FoundResult& one) { return one.progress.is_going_on; });
}

std::shared_ptr<const FoundResults> ResultFolder::results() {
  const std::lock_guard lock(mutex_);
  const Clock::time_point begin = Clock::now();
  if (last_ && begin < look_again_) return last_;
  FoundResults found;
  entries_left_ = kMostEntries;
  look_into(root_, kDeepest, found);
  if (entries_left_ == 0) {
    found.problems.push_back(
        fmt::format("The folder holds more than {} files; the rest was not looked at.",
                    with_separators(kMostEntries)));
  }
  std::sort(found.results.begin(), found.results.end(),
            [](const FoundResult& a, const FoundResult& b) {
              return std::tie(b.state.changed, a.path) < std::tie(a.state.changed, b.path);
            });
  std::string marks;
  for (const FoundResult& one : found.results)
    marks += fmt::format("{} {} {}\n", one.path.string(), one.state.mark, one.progress.words);
  found.mark = std::hash<std::string>{}(marks);
  last_ = std::make_shared<const FoundResults>(std::move(found));
  const Clock::time_point end = Clock::now();
  look_again_ = end + std::max<Clock::duration>(kLookAgain, kRestPerLook * (end - begin));
  return last_;
}

void ResultFolder::look_into(const fs::path& folder, int depth, FoundResults& found) {
  // What lies in a result belongs to it.
  if (const auto kind = result_kind_of(folder)) {
    if (has_link_out(root_, folder)) {
      found.led_out.push_back(folder.lexically_relative(root_));
      found.problems.push_back(fmt::format(
          "{}: is not shown, because a link in it leads out of the folder that is served",
          folder.lexically_relative(root_).string()));
    } else {
      add(folder, *kind, found);
    }
    return;
  }
  std::error_code error;
  fs::directory_iterator entries(folder, error);
  if (error) {
    found.problems.push_back(
        fmt::format("{}: cannot be read: {}", folder.string(), error.message()));
    return;
  }
  for (; entries != fs::directory_iterator() && entries_left_ > 0; entries.increment(error)) {
    if (error) break;
    --entries_left_;
    const fs::directory_entry& entry = *entries;
    if (entry.path().filename().string().starts_with('.') || entry.is_symlink(error)) continue;
    if (entry.is_directory(error)) {
      if (depth > 0) look_into(entry.path(), depth - 1, found);
    } else if (may_be_result(entry.path())) {
      look_at_file(entry.path(), found);
    }
  }
}

void ResultFolder::look_at_file(const fs::path& file, FoundResults& found) {
  Known& known = known_[file];
  const std::uint64_t mark = state_of(ResultKind::Unfinished, file).mark;
  if (known.mark != mark) known = {mark, result_kind_of(file), {}, false};
  if (!known.kind) return;
  if (*known.kind == ResultKind::Unfinished &&
      !progress_of(*known.kind, file, state_of(*known.kind, file)).is_going_on)
    return;  // Whatever it is, it is no result.
  FoundResult& one = found.results.emplace_back();
  one.path = file.lexically_relative(root_);
  one.kind = *known.kind;
  one.state = state_of(one.kind, file);
  one.progress = progress_of(one.kind, file, one.state);
}

void ResultFolder::add(const fs::path& path, ResultKind kind, FoundResults& found) {
  FoundResult& one = found.results.emplace_back();
  one.path = path == root_ ? fs::path(".") : path.lexically_relative(root_);
  one.kind = kind;
  one.state = state_of(kind, path);
  one.progress = progress_of(kind, path, one.state);
  Known& known = known_[path];
  if (known.mark != one.state.mark || !known.is_summed_up)
    known = {one.state.mark, kind, summary_of(kind, path), true};
  one.summary = known.summary;
}

}  // namespace jouletree::report
