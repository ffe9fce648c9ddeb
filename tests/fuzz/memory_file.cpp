#include "memory_file.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <cstdlib>

#include <fmt/format.h>

namespace jouletree::test {

void require(bool holds) {
  if (!holds) std::abort();
}

MemoryFile::MemoryFile(std::string_view bytes) : descriptor_(::memfd_create("bytes", MFD_CLOEXEC)) {
  require(descriptor_ >= 0 &&
          ::write(descriptor_, bytes.data(), bytes.size()) == static_cast<ssize_t>(bytes.size()));
}

MemoryFile::~MemoryFile() { ::close(descriptor_); }

std::string MemoryFile::path() const { return fmt::format("/proc/self/fd/{}", descriptor_); }

}  // namespace jouletree::test
