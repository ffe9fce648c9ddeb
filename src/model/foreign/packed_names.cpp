#include "model/foreign/packed_names.hpp"

#include <zlib.h>

#include <array>
#include <charconv>
#include <optional>

namespace jouletree::model::foreign {
namespace {

constexpr std::size_t kBlock = 512;
constexpr std::size_t kMostNames = 10'000;

std::string_view field(std::string_view header, std::size_t at, std::size_t size) {
  const std::string_view whole = header.substr(at, size);
  return whole.substr(0, whole.find('\0'));
}

/// Reads the headers of a tar archive that comes in pieces of any size.
class TarReader {
 public:
  /// False when nothing more needs to be known.
  bool take(std::string_view bytes) {
    while (!bytes.empty()) {
      const std::size_t skipped = std::min<std::uint64_t>(skip_, bytes.size());
      skip_ -= skipped;
      bytes.remove_prefix(skipped);
      const std::size_t taken = std::min(kBlock - header_.size(), bytes.size());
      header_ += bytes.substr(0, taken);
      bytes.remove_prefix(taken);
      if (header_.size() == kBlock && !read_header()) return false;
    }
    return true;
  }
  [[nodiscard]] std::vector<std::string> take_names() { return std::move(names_); }

 private:
  bool read_header() {
    if (!is_tar(header_)) return false;
    std::string_view digits = field(header_, 124, 12);
    digits.remove_prefix(std::min(digits.find_first_not_of(' '), digits.size()));
    std::uint64_t size = 0;
    std::from_chars(digits.data(), digits.data() + digits.size(), size, 8);
    constexpr std::uint64_t kLargest = std::uint64_t{1} << 40U;
    if (size > kLargest || names_.size() == kMostNames) return false;
    const char type = header_[156];
    if (type == '0' || type == '\0') {
      const std::string_view prefix = field(header_, 345, 155);
      const bool has_prefix = !prefix.empty() && header_.compare(257, 6, "ustar", 6) == 0;
      names_.push_back((has_prefix ? std::string(prefix) + "/" : "") +
                       std::string(field(header_, 0, 100)));
    }
    skip_ = (size + kBlock - 1) / kBlock * kBlock;
    header_.clear();
    return true;
  }

  std::string header_;
  std::uint64_t skip_ = 0;
  std::vector<std::string> names_;
};

/// Frees what zlib took.
class Inflater {
 public:
  explicit Inflater(std::string_view packed) {
    constexpr int kGzip = 15 + 16;
    // zlib does not write to its input, but its structure does not say so.
    // NOLINTNEXTLINE(cppcoreguidelines-pro-type-const-cast,cppcoreguidelines-pro-type-reinterpret-cast)
    stream_.next_in = const_cast<Bytef*>(reinterpret_cast<const Bytef*>(packed.data()));
    constexpr std::size_t kMost = std::size_t{1} << 30U;
    stream_.avail_in = static_cast<uInt>(std::min(packed.size(), kMost));
    is_open_ = inflateInit2(&stream_, kGzip) == Z_OK;
  }
  Inflater(const Inflater&) = delete;
  Inflater& operator=(const Inflater&) = delete;
  ~Inflater() {
    if (is_open_) inflateEnd(&stream_);
  }

  /// Nothing at the end, or where the bytes are damaged.
  std::optional<std::string_view> next() {
    if (!is_open_) return std::nullopt;
    // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast)
    stream_.next_out = reinterpret_cast<Bytef*>(piece_.data());
    stream_.avail_out = static_cast<uInt>(piece_.size());
    const int state = inflate(&stream_, Z_NO_FLUSH);
    const std::size_t made = piece_.size() - stream_.avail_out;
    if ((state != Z_OK && state != Z_STREAM_END) || made == 0) return std::nullopt;
    return std::string_view(piece_.data(), made);
  }

 private:
  z_stream stream_ = {};
  bool is_open_ = false;
  std::array<char, std::size_t{1} << 16U> piece_ = {};
};

}  // namespace

bool is_tar(std::string_view bytes) {
  return bytes.size() >= kBlock && bytes.substr(257).starts_with("ustar");
}

std::vector<std::string> tar_names(std::string_view bytes) {
  TarReader reader;
  reader.take(bytes);
  return reader.take_names();
}

std::vector<std::string> packed_tar_names(std::string_view gzip) {
  constexpr std::size_t kMostUnpacked = std::size_t{1} << 28U;
  TarReader reader;
  Inflater inflater(gzip);
  std::size_t unpacked = 0;
  for (auto piece = inflater.next(); piece && unpacked < kMostUnpacked; piece = inflater.next()) {
    unpacked += piece->size();
    if (!reader.take(*piece)) break;
  }
  return reader.take_names();
}

}  // namespace jouletree::model::foreign
