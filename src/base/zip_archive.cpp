#include "base/zip_archive.hpp"

#include <algorithm>
#include <array>

namespace jouletree {
namespace {

constexpr std::string_view kEntryMark("PK\x01\x02", 4);
constexpr std::string_view kEndMark("PK\x05\x06", 4);
constexpr std::string_view kBigEndMark("PK\x06\x06", 4);
constexpr std::size_t kHeaderBytes = 30;
constexpr std::size_t kEntryBytes = 46;
constexpr std::size_t kEndBytes = 22;
constexpr std::size_t kLongestComment = 65535;
/// Stands for a number of 64 bits that is written elsewhere.
constexpr std::uint64_t kSeeBigNumber = 0xFFFFFFFF;

std::uint64_t number_at(std::string_view bytes, std::size_t at, std::size_t size) {
  std::uint64_t number = 0;
  for (std::size_t i = 0; i < size && at + i < bytes.size(); ++i)
    number |= static_cast<std::uint64_t>(static_cast<unsigned char>(bytes[at + i])) << (8 * i);
  return number;
}

/// Where the list of entries begins; nothing for a file that was cut.
std::optional<std::size_t> directory_of(std::string_view bytes) {
  const std::size_t searched = std::min(bytes.size(), kLongestComment + kEndBytes);
  const std::size_t in_tail = bytes.substr(bytes.size() - searched).rfind(kEndMark);
  if (in_tail == std::string_view::npos) return std::nullopt;
  const std::size_t end = bytes.size() - searched + in_tail;
  if (end + kEndBytes > bytes.size()) return std::nullopt;
  std::uint64_t begin = number_at(bytes, end + 16, 4);
  if (begin == kSeeBigNumber) {
    const std::size_t big_end = bytes.substr(0, end).rfind(kBigEndMark);
    if (big_end == std::string_view::npos) return std::nullopt;
    begin = number_at(bytes, big_end + 48, 8);
  }
  if (begin >= bytes.size()) return std::nullopt;
  return static_cast<std::size_t>(begin);
}

/// Numbers that need 64 bits stand in an extra field, in this order, those that need fewer do not.
void read_big_numbers(std::string_view extras, ZipEntry& entry) {
  constexpr std::uint64_t kBigNumbers = 1;
  while (extras.size() >= 4) {
    const std::uint64_t kind = number_at(extras, 0, 2);
    const std::size_t size = number_at(extras, 2, 2);
    const std::string_view content = extras.substr(4, size);
    if (kind == kBigNumbers) {
      std::size_t at = 0;
      for (std::uint64_t* number : {&entry.bytes, &entry.packed_bytes, &entry.header_at}) {
        if (*number != kSeeBigNumber || at + 8 > content.size()) continue;
        *number = number_at(content, at, 8);
        at += 8;
      }
    }
    extras.remove_prefix(std::min(extras.size(), 4 + size));
  }
}

ZipEntry entry_at(std::string_view bytes, std::size_t at) {
  ZipEntry entry;
  entry.encrypted = (number_at(bytes, at + 8, 2) & 1U) != 0;
  entry.method = static_cast<ZipMethod>(number_at(bytes, at + 10, 2));
  entry.crc = static_cast<std::uint32_t>(number_at(bytes, at + 16, 4));
  entry.packed_bytes = number_at(bytes, at + 20, 4);
  entry.bytes = number_at(bytes, at + 24, 4);
  entry.header_at = number_at(bytes, at + 42, 4);
  return entry;
}

}  // namespace

std::optional<std::vector<ZipEntry>> zip_entries(std::string_view archive) {
  const auto begin = directory_of(archive);
  if (!begin) return std::nullopt;
  std::vector<ZipEntry> entries;
  std::size_t at = *begin;
  while (archive.substr(at, kEntryMark.size()) == kEntryMark &&
         at + kEntryBytes <= archive.size()) {
    ZipEntry entry = entry_at(archive, at);
    const std::size_t name = number_at(archive, at + 28, 2);
    const std::size_t extras = number_at(archive, at + 30, 2);
    const std::size_t comment = number_at(archive, at + 32, 2);
    const std::string_view behind = archive.substr(at + kEntryBytes);
    entry.name = behind.substr(0, name);
    if (name < behind.size()) read_big_numbers(behind.substr(name, extras), entry);
    entries.push_back(entry);
    at += kEntryBytes + name + extras + comment;
    if (at > archive.size()) break;
  }
  return entries;
}

std::optional<std::string_view> packed_bytes_of(std::string_view archive, const ZipEntry& entry) {
  if (entry.header_at >= archive.size()) return std::nullopt;
  const std::string_view header = archive.substr(entry.header_at);
  if (header.size() < kHeaderBytes || !header.starts_with(kZipMark)) return std::nullopt;
  // Its own list of extra fields is often longer than the one at the end.
  const std::size_t skipped = kHeaderBytes + number_at(header, 26, 2) + number_at(header, 28, 2);
  if (skipped > header.size() || entry.packed_bytes > header.size() - skipped) return std::nullopt;
  return header.substr(skipped, entry.packed_bytes);
}

}  // namespace jouletree
