#include "store/sql/file_header.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <map>
#include <mutex>
#include <string_view>
#include <utility>

namespace jouletree::store::sql {
namespace {

constexpr std::string_view kMagic("SQLite format 3\0", 16);

using FileId = std::pair<dev_t, ino_t>;

struct KeptFiles {
  std::mutex mutex;
  std::map<FileId, int> descriptors;
};

KeptFiles& kept_files() {
  static KeptFiles files;
  return files;
}

FileHeader header_in(int descriptor) {
  std::array<char, kMagic.size()> begin{};
  const ssize_t bytes = ::pread(descriptor, begin.data(), begin.size(), 0);
  if (bytes <= 0) return FileHeader::None;
  return std::string_view(begin.data(), static_cast<std::size_t>(bytes)) == kMagic
             ? FileHeader::Sqlite
             : FileHeader::Other;
}

}  // namespace

FileHeader header_of(const std::filesystem::path& path) {
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0) return FileHeader::None;
  // A pipe or a device would wait, or give bytes that are then gone.
  if (!S_ISREG(status.st_mode))
    return S_ISDIR(status.st_mode) ? FileHeader::None : FileHeader::Other;
  KeptFiles& files = kept_files();
  const std::lock_guard lock(files.mutex);
  const FileId id{status.st_dev, status.st_ino};
  if (const auto kept = files.descriptors.find(id); kept != files.descriptors.end())
    return header_in(kept->second);
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return FileHeader::None;
  const FileHeader header = header_in(descriptor);
  if (header == FileHeader::Other) {
    ::close(descriptor);
  } else {
    files.descriptors.emplace(id, descriptor);
  }
  return header;
}

}  // namespace jouletree::store::sql
