#pragma once

#include <string>
#include <vector>

namespace jouletree::test {

/// A zip archive of empty files with these names.
inline std::string empty_zip(const std::vector<std::string>& names) {
  const auto number = [](std::size_t value, std::size_t bytes) {
    std::string text;
    for (std::size_t i = 0; i < bytes; ++i) text += static_cast<char>((value >> (8 * i)) & 0xFF);
    return text;
  };
  std::string bytes;
  std::string directory;
  for (const std::string& name : names) {
    directory += "PK\x01\x02" + std::string(24, '\0') + number(name.size(), 2) +
                 std::string(12, '\0') + number(bytes.size(), 4) + name;
    bytes += "PK\x03\x04" + std::string(22, '\0') + number(name.size(), 2) + number(0, 2) + name;
  }
  const std::size_t begin = bytes.size();
  return bytes + directory + "PK\x05\x06" + std::string(4, '\0') + number(names.size(), 2) +
         number(names.size(), 2) + number(directory.size(), 4) + number(begin, 4) + number(0, 2);
}

}  // namespace jouletree::test
