#include "store/run_folder.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <fstream>
#include <sstream>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "base/open_folder.hpp"
#include "base/replaced_file.hpp"
#include "jouletree/error.hpp"
#include "store/profile_folder.hpp"
#include "store/recording.hpp"
#include "store/stored_run_json.hpp"

namespace jouletree::store {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void fail(const fs::path& path, const std::string& problem) {
  throw Error(ErrorKind::BadInput, fmt::format("{}: {}", path.string(), problem));
}

void make_folder(const fs::path& folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) {
    fail(folder,
         fmt::format("cannot be made: {}; name a folder that you may write", error.message()));
  }
}

void refuse_recording(const fs::path& folder) {
  for (const std::string_view name : {kPowerFile, kSummaryFile}) {
    std::error_code error;
    if (fs::exists(folder / name, error)) {
      fail(folder,
           fmt::format("holds {} already; add to it with --append, or name another folder", name));
    }
  }
}

/// 'show' would show the profile alone.
void refuse_profile(const fs::path& folder) {
  if (holds_profile(folder)) {
    fail(folder,
         "holds a profile (profile.json), and a recording needs a folder of its own; name another "
         "folder with -o");
  }
}

int open_lines(const fs::path& file) {
  const int descriptor = ::open(file.c_str(), O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC, 0666);
  if (descriptor < 0) {
    fail(file, fmt::format("cannot be written: {}; name a folder that you may write",
                           std::generic_category().message(errno)));
  }
  struct stat status = {};
  if (::fstat(descriptor, &status) == 0 && S_ISFIFO(status.st_mode)) {
    ::close(descriptor);
    fail(file, "is a pipe, and nobody may ever read from it; name another folder");
  }
  return descriptor;
}

/// Its size; nothing if it is no regular file.
std::optional<off_t> size_of(int descriptor) {
  struct stat status = {};
  if (::fstat(descriptor, &status) != 0 || !S_ISREG(status.st_mode)) return std::nullopt;
  return status.st_size;
}

/// Writes all or nothing: what a full disk cut off is taken back, unless others have written behind
/// it. The errno, or 0.
int write_whole(int descriptor, std::string_view bytes) {
  const auto size = size_of(descriptor);
  off_t done = 0;
  while (!bytes.empty()) {
    const ssize_t written = ::write(descriptor, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) {
      const int error = errno;
      if (size && size_of(descriptor) == *size + done) (void)!::ftruncate(descriptor, *size);
      return error;
    }
    bytes.remove_prefix(static_cast<std::size_t>(written));
    done += written;
  }
  return 0;
}

}  // namespace

RunFolder::RunFolder(fs::path folder, Mode mode) : folder_(std::move(folder)) {
  make_folder(folder_);
  refuse_profile(folder_);
  const OpenFolder together(folder_);
  together.lock();
  if (mode == Mode::New) refuse_recording(folder_);
  const std::set<int> others = claimed_runs(folder_);
  const fs::path lines = folder_ / kPowerFile;
  if (mode == Mode::Append) read_earlier(lines);
  if (!others.empty()) run_ = std::max(run_, *others.rbegin() + 1);
  if (run_ > kHighestRun) {
    fail(folder_,
         fmt::format("holds run {}, behind which none fits; name another folder", kHighestRun));
  }
  std::erase_if(earlier_.runs, [&](const StoredRun& run) { return others.contains(run.number); });
  descriptor_ = open_lines(lines);
  claim_.emplace(folder_, run_);
  // Otherwise the last line is that of a run that goes on.
  if (!others.empty()) return;
  finish_last_line();
  mark_end();
}

RunFolder::~RunFolder() {
  claim_.reset();
  ::close(descriptor_);
}

StoredRuns RunFolder::summary() const {
  const fs::path summary = folder_ / kSummaryFile;
  std::error_code error;
  if (!fs::is_regular_file(summary, error)) return {};
  std::ostringstream text;
  text << std::ifstream(summary).rdbuf();
  return parse_summary(text.str(), summary.string());
}

void RunFolder::read_earlier(const fs::path& lines) {
  earlier_ = summary();
  std::error_code error;
  if (fs::is_regular_file(lines, error)) {
    const RecordedPower power = read_power_file(lines);
    segment_open_ = power.segment_open;
    earlier_ = join_runs(std::move(earlier_), runs_of_rows(power.rows));
  }
  if (!earlier_.runs.empty()) run_ = earlier_.runs.back().number + 1;
}

void RunFolder::finish_last_line() {
  const auto size = size_of(descriptor_);
  char last = '\n';
  if (!size || *size == 0 || ::pread(descriptor_, &last, 1, *size - 1) != 1 || last == '\n') return;
  write("\n");
}

void RunFolder::end_run() {
  const OpenFolder together(folder_);
  together.lock();
  claim_.reset();
  if (claimed_runs(folder_).empty()) mark_end();
}

void RunFolder::mark_end() {
  if (!segment_open_) return;
  const std::string mark = std::string(kSegmentEnd) + "\n";
  segment_open_ = write_whole(descriptor_, mark) != 0;
}

StoredRuns RunFolder::finish(StoredRun run, const SummaryText& text) {
  const OpenFolder together(folder_);
  together.lock();
  const int number = run.number;
  StoredRuns all = summary();
  std::erase_if(all.runs, [&](const StoredRun& other) { return other.number == number; });
  earlier_.runs.push_back(std::move(run));
  all = join_runs(std::move(all), earlier_);
  replace_file(folder_ / kSummaryFile, text(all));
  return all;
}

void RunFolder::add(std::string_view line) {
  if (write(line)) segment_open_ = true;
}

bool RunFolder::write(std::string_view line) {
  const int error = write_whole(descriptor_, line);
  if (error == 0) return true;
  ++lost_lines_;
  if (problem_.empty()) {
    problem_ = fmt::format("{}: cannot be written: {}", (folder_ / kPowerFile).string(),
                           std::generic_category().message(error));
  }
  return false;
}

}  // namespace jouletree::store
