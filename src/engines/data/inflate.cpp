#include "engines/data/inflate.hpp"

#include <zlib.h>

#include <algorithm>
#include <fstream>
#include <vector>

#include <fmt/format.h>

#include "jouletree/error.hpp"

namespace jouletree::engines {
namespace {

/// zlib counts in 32 bits.
constexpr std::size_t kPieceBytes = std::size_t{1} << 20U;

[[noreturn]] void fail_damaged(const std::string& origin) {
  throw Error(ErrorKind::BadInput, fmt::format("{}: is damaged in its archive", origin));
}

uLong crc_of(uLong before, std::string_view bytes) {
  return ::crc32_z(before, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size());
}

class Inflater {
 public:
  Inflater() {
    // A negative number of bits: bare deflate without a header of zlib's own.
    if (::inflateInit2(&stream_, -MAX_WBITS) != Z_OK) throw std::bad_alloc();
  }
  Inflater(const Inflater&) = delete;
  Inflater& operator=(const Inflater&) = delete;
  ~Inflater() { ::inflateEnd(&stream_); }

  /// Takes from `packed` what it needs and gives what it made of it; sets `ended` at the end.
  std::string_view next(std::string_view& packed, bool& ended, const std::string& origin) {
    const auto given = static_cast<uInt>(std::min(packed.size(), kPieceBytes));
    // zlib does not write to its input, but its structure does not say so.
    stream_.next_in = const_cast<Bytef*>(  // NOLINT(cppcoreguidelines-pro-type-const-cast)
        reinterpret_cast<const Bytef*>(packed.data()));
    stream_.avail_in = given;
    stream_.next_out = reinterpret_cast<Bytef*>(piece_.data());
    stream_.avail_out = static_cast<uInt>(piece_.size());
    const int state = ::inflate(&stream_, Z_NO_FLUSH);
    if (state != Z_OK && state != Z_STREAM_END) fail_damaged(origin);
    ended = state == Z_STREAM_END;
    packed.remove_prefix(given - stream_.avail_in);
    return {piece_.data(), piece_.size() - stream_.avail_out};
  }

 private:
  z_stream stream_{};
  std::vector<char> piece_ = std::vector<char>(kPieceBytes);
};

}  // namespace

void check_stored(std::string_view bytes, const ZipEntry& entry, const std::string& origin) {
  if (bytes.size() != entry.bytes || crc_of(0, bytes) != entry.crc) fail_damaged(origin);
}

void inflate_to(const std::filesystem::path& target, std::string_view packed, const ZipEntry& entry,
                const std::string& origin) {
  std::ofstream file(target, std::ios::binary);
  Inflater inflater;
  uLong crc = 0;
  std::uint64_t written = 0;
  for (bool ended = false; !ended;) {
    const std::string_view piece = inflater.next(packed, ended, origin);
    crc = crc_of(crc, piece);
    written += piece.size();
    // A few damaged bytes can ask for any number of bytes.
    if (written > entry.bytes) fail_damaged(origin);
    file.write(piece.data(), static_cast<std::streamsize>(piece.size()));
  }
  if (written != entry.bytes || crc != entry.crc) fail_damaged(origin);
  if (!file.flush()) {
    throw Error(ErrorKind::Missing, fmt::format("cannot unpack {} into {}: is the disk full?",
                                                origin, target.string()));
  }
}

}  // namespace jouletree::engines
