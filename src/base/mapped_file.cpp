#include "base/mapped_file.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

#include <fmt/format.h>

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

}  // namespace

MappedFile::MappedFile(const std::filesystem::path& path) {
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
  if (data_ != nullptr)
    ::munmap(const_cast<char*>(data_), size_);  // NOLINT(cppcoreguidelines-pro-type-const-cast)
}

}  // namespace jouletree
