#pragma once

#include <string>
#include <string_view>

namespace jouletree::test {

/// What cannot be refused any more must not happen.
void require(bool holds);

/// A file in memory, with a path.
class MemoryFile {
 public:
  explicit MemoryFile(std::string_view bytes);
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;
  ~MemoryFile();
  [[nodiscard]] std::string path() const;

 private:
  int descriptor_;
};

}  // namespace jouletree::test
