#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace jouletree {

/// Every zip archive that holds a file begins with it.
inline constexpr std::string_view kZipMark("PK\x03\x04", 4);

enum class ZipMethod : std::uint16_t { Stored = 0, Deflated = 8 };

/// One file of a zip archive, as the list at the archive's end tells.
struct ZipEntry {
  std::string_view name;
  bool encrypted = false;
  ZipMethod method = ZipMethod::Stored;  ///< May be another number.
  std::uint32_t crc = 0;                 ///< Of the unpacked bytes.
  std::uint64_t packed_bytes = 0;
  std::uint64_t bytes = 0;
  std::uint64_t header_at = 0;
};

/// All files of an archive; views point into its bytes. Nothing for one whose end was cut off.
[[nodiscard]] std::optional<std::vector<ZipEntry>> zip_entries(std::string_view archive);

/// The bytes of a file as they stand in the archive, packed or not. Nothing where they would reach
/// beyond its end.
[[nodiscard]] std::optional<std::string_view> packed_bytes_of(std::string_view archive,
                                                              const ZipEntry& entry);

}  // namespace jouletree
