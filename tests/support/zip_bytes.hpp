#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace jouletree::test {

struct ZippedFile {
  std::string name;
  std::string content;
  bool deflated = false;
};

inline std::string little_endian(std::uint64_t value, std::size_t bytes) {
  std::string text;
  for (std::size_t i = 0; i < bytes; ++i) text += static_cast<char>((value >> (8 * i)) & 0xFF);
  return text;
}

inline std::uint32_t crc_of(const std::string& bytes) {
  std::uint32_t crc = 0xFFFFFFFF;
  for (const char byte : bytes) {
    crc ^= static_cast<unsigned char>(byte);
    for (int bit = 0; bit < 8; ++bit) crc = (crc >> 1U) ^ ((crc & 1U) != 0 ? 0xEDB88320 : 0);
  }
  return ~crc;
}

/// The shortest way to deflate: one block that says that it is not compressed.
inline std::string deflate(const std::string& bytes) {
  return "\x01" + little_endian(bytes.size(), 2) + little_endian(~bytes.size() & 0xFFFF, 2) + bytes;
}

/// A zip archive of small files, whose own headers have an extra field as NumPy's have.
inline std::string zip_bytes(const std::vector<ZippedFile>& files) {
  std::string bytes;
  std::string directory;
  for (const auto& [name, content, deflated] : files) {
    const std::string packed = deflated ? deflate(content) : content;
    const std::string about = little_endian(20, 2) + little_endian(0, 2) +
                              little_endian(deflated ? 8 : 0, 2) + little_endian(0, 4) +
                              little_endian(crc_of(content), 4) + little_endian(packed.size(), 4) +
                              little_endian(content.size(), 4) + little_endian(name.size(), 2);
    directory.append("PK\x01\x02" + little_endian(20, 2));
    directory.append(about).append(12, '\0');
    directory.append(little_endian(bytes.size(), 4)).append(name);
    bytes.append("PK\x03\x04").append(about);
    bytes.append(little_endian(20, 2)).append(name).append(20, '\0').append(packed);
  }
  const std::size_t begin = bytes.size();
  return bytes + directory + "PK\x05\x06" + std::string(4, '\0') + little_endian(files.size(), 2) +
         little_endian(files.size(), 2) + little_endian(directory.size(), 4) +
         little_endian(begin, 4) + little_endian(0, 2);
}

}  // namespace jouletree::test
