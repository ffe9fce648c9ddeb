#include "base/mapped_file.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <string>
#include <system_error>

#include <fmt/format.h>

#include "base/display_width.hpp"
#include "jouletree/error.hpp"

namespace jouletree {
namespace {

class Descriptor {
 public:
  explicit Descriptor(const std::filesystem::path& path)
      : number_(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() {
    if (number_ >= 0) ::close(number_);
  }
  [[nodiscard]] int number() const { return number_; }

 private:
  int number_;
};

[[noreturn]] void fail_to_read(const std::filesystem::path& path, const std::string& problem) {
  throw Error(ErrorKind::BadInput, fmt::format("{}: {}", path.string(), problem));
}

[[noreturn]] void fail_with_errno(const std::filesystem::path& path) {
  if (errno == ENOENT || errno == ENOTDIR)
    fail_to_read(path, "there is no such file; check the path");
  if (errno == EACCES) fail_to_read(path, "may not be read; check its permissions");
  fail_to_read(path, std::generic_category().message(errno));
}

/// What a signal handler may read: maps of this process, as many as fit.
struct KnownMap {
  std::atomic<bool> is_taken = false;
  std::atomic<const char*> begin = nullptr;
  std::atomic<std::size_t> size = 0;
  std::array<char, 512> name{};
};
constexpr std::size_t kMostMaps = 64;
std::array<KnownMap, kMostMaps> known_maps;

/// The number of maps where none is free.
std::size_t remember_map(const char* begin, std::size_t size, const std::filesystem::path& path) {
  for (std::size_t i = 0; i < kMostMaps; ++i) {
    KnownMap& map = known_maps[i];
    if (map.is_taken.exchange(true)) continue;
    const std::string name = printable(path.native());
    const std::size_t copied = name.copy(map.name.data(), map.name.size() - 1);
    map.name[copied] = '\0';
    map.size = size;
    map.begin = begin;
    return i;
  }
  return kMostMaps;
}

void forget_map(std::size_t slot) {
  if (slot >= kMostMaps) return;
  known_maps[slot].begin = nullptr;
  known_maps[slot].is_taken = false;
}

void write_text(const char* text) { (void)!::write(STDERR_FILENO, text, std::strlen(text)); }

/// Only what a signal handler may call.
void end_for_shortened_file(int /*signal*/, siginfo_t* info, void* /*context*/) {
  const auto* const place = static_cast<const char*>(info->si_addr);
  for (const KnownMap& map : known_maps) {
    const char* const begin = map.begin;
    if (begin == nullptr || place < begin || place >= begin + map.size) continue;
    constexpr int kBadInput = 2;
    write_text("jouletree: ");
    write_text(map.name.data());
    write_text(": became shorter while it was read; try again when nobody writes it\n");
    ::_exit(kBadInput);
  }
  // Not ours: the instruction runs again, and ends the program as if nobody had looked.
  std::signal(SIGBUS, SIG_DFL);
}

}  // namespace

void explain_shortened_files() {
  struct sigaction action = {};
  action.sa_sigaction = end_for_shortened_file;
  action.sa_flags = SA_SIGINFO;
  ::sigemptyset(&action.sa_mask);
  ::sigaction(SIGBUS, &action, nullptr);
}

MappedFile::MappedFile(const std::filesystem::path& path) : slot_(kMostMaps) {
  if (path.empty()) throw Error(ErrorKind::BadInput, "the path of a file is empty: give a file");
  const Descriptor file(path);
  if (file.number() < 0) fail_with_errno(path);
  struct stat status = {};
  if (::fstat(file.number(), &status) != 0) fail_with_errno(path);
  if (S_ISDIR(status.st_mode)) fail_to_read(path, "is a folder; give a file");
  if (!S_ISREG(status.st_mode)) fail_to_read(path, "is not a regular file");
  size_ = static_cast<std::size_t>(status.st_size);
  if (size_ == 0) return;
  void* mapped = ::mmap(nullptr, size_, PROT_READ, MAP_PRIVATE, file.number(), 0);
  if (mapped == MAP_FAILED) fail_with_errno(path);
  data_ = static_cast<const char*>(mapped);
  slot_ = remember_map(data_, size_, path);
  // Weights lie between the few bytes that are read: reading ahead would load them.
  ::madvise(mapped, size_, MADV_RANDOM);
}

void MappedFile::release(std::string_view part) const {
  const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  const auto start = static_cast<std::size_t>(part.data() - data_);
  const std::size_t first = (start + page - 1) / page * page;
  const std::size_t last = (start + part.size()) / page * page;
  // The map is never written to, so that nothing gets lost.
  if (first < last) {
    ::madvise(const_cast<char*>(data_) + first,  // NOLINT(cppcoreguidelines-pro-type-const-cast)
              last - first, MADV_DONTNEED);
  }
}

MappedFile::~MappedFile() {
  forget_map(slot_);
  if (data_ != nullptr)
    ::munmap(const_cast<char*>(data_), size_);  // NOLINT(cppcoreguidelines-pro-type-const-cast)
}

}  // namespace jouletree
