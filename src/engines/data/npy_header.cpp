#include "engines/data/npy_header.hpp"

#include <algorithm>
#include <charconv>
#include <optional>

#include <fmt/format.h>

namespace jouletree::engines {
namespace {

struct ElementRow {
  std::string_view code;  ///< Kind and bytes, as NumPy writes them.
  DataType type;
};

constexpr ElementRow kElements[] = {
    {"b1", DataType::Bool},    {"i1", DataType::Int8},    {"i2", DataType::Int16},
    {"i4", DataType::Int32},   {"i8", DataType::Int64},   {"u1", DataType::UInt8},
    {"u2", DataType::UInt16},  {"u4", DataType::UInt32},  {"u8", DataType::UInt64},
    {"f2", DataType::Float16}, {"f4", DataType::Float32}, {"f8", DataType::Float64},
};

/// Reads the Python dictionary in which NumPy describes an array.
class HeaderText {
 public:
  HeaderText(std::string_view text, const std::string& origin) : rest_(text), origin_(origin) {}

  NpyHeader parse() {
    NpyHeader header;
    bool has_type = false;
    bool has_order = false;
    bool has_dims = false;
    expect('{');
    while (!take('}')) {
      const std::string_view key = quoted();
      expect(':');
      if (key == "descr") {
        set_type(header);
        has_type = true;
      } else if (key == "fortran_order") {
        header.column_major = truth();
        has_order = true;
      } else if (key == "shape") {
        header.dims = dims();
        has_dims = true;
      } else {
        damaged();
      }
      if (!take(',')) {
        expect('}');
        break;
      }
    }
    if (!has_type || !has_order || !has_dims) damaged();
    return header;
  }

 private:
  [[noreturn]] void fail(const std::string& problem) const {
    throw Error(ErrorKind::BadInput, fmt::format("{}: {}", origin_, problem));
  }
  [[noreturn]] void damaged() const { fail("the header of this .npy array is damaged"); }

  void skip_spaces() {
    rest_.remove_prefix(std::min(rest_.find_first_not_of(" \t\r\n"), rest_.size()));
  }

  bool take(char letter) {
    skip_spaces();
    if (!rest_.starts_with(letter)) return false;
    rest_.remove_prefix(1);
    return true;
  }

  void expect(char letter) {
    if (!take(letter)) damaged();
  }

  std::string_view quoted() {
    skip_spaces();
    if (rest_.empty() || (rest_[0] != '\'' && rest_[0] != '"')) damaged();
    const std::size_t end = rest_.find(rest_[0], 1);
    if (end == std::string_view::npos) damaged();
    const std::string_view text = rest_.substr(1, end - 1);
    rest_.remove_prefix(end + 1);
    return text;
  }

  bool truth() {
    skip_spaces();
    for (const auto& [word, value] : {std::pair("True", true), std::pair("False", false)}) {
      if (!rest_.starts_with(word)) continue;
      rest_.remove_prefix(std::string_view(word).size());
      return value;
    }
    damaged();
  }

  Dims dims() {
    Dims dims;
    expect('(');
    while (!take(')')) {
      Dim size = 0;
      skip_spaces();
      const auto [end, error] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), size);
      if (error != std::errc{} || size < 0) damaged();
      rest_.remove_prefix(static_cast<std::size_t>(end - rest_.data()));
      (void)take('L');  // Python 2 marks long numbers.
      dims.push_back(size);
      if (!take(',')) {
        expect(')');
        break;
      }
    }
    return dims;
  }

  void set_type(NpyHeader& header) {
    skip_spaces();
    if (rest_.starts_with('[') || rest_.starts_with('('))
      fail("holds records of several fields; save each field as an array of its own");
    const std::string_view code = quoted();
    if (code.find('O') != std::string_view::npos)
      fail("holds Python objects; save it as an array of numbers");
    if (code.empty()) damaged();
    const bool has_order = std::string_view("<>=|").find(code[0]) != std::string_view::npos;
    header.big_endian = code[0] == '>';
    for (const ElementRow& row : kElements)
      if (row.code == code.substr(has_order ? 1 : 0)) header.type = row.type;
    if (header.type == DataType::Undefined) {
      fail(
          fmt::format("holds elements of NumPy's type '{}'; booleans, integers and real numbers of "
                      "8 to 64 bits can be read",
                      code));
    }
  }

  std::string_view rest_;
  const std::string& origin_;
};

std::size_t little_endian(std::string_view bytes) {
  std::size_t number = 0;
  for (std::size_t i = bytes.size(); i-- > 0;)
    number = number << 8U | static_cast<unsigned char>(bytes[i]);
  return number;
}

/// Nothing where a damaged header asks for more than 64 bits can count.
std::optional<std::size_t> bytes_needed(const NpyHeader& header) {
  if (std::find(header.dims.begin(), header.dims.end(), 0) != header.dims.end()) return 0;
  auto bytes = static_cast<std::size_t>(bits_of(header.type).value_or(8)) / 8;
  for (const Dim size : header.dims)
    if (__builtin_mul_overflow(bytes, static_cast<std::size_t>(size), &bytes)) return std::nullopt;
  return bytes;
}

}  // namespace

NpyHeader parse_npy_header(std::string_view bytes, const std::string& origin) {
  const auto fail = [&](const std::string& problem) {
    throw Error(ErrorKind::BadInput, fmt::format("{}: {}", origin, problem));
  };
  if (!bytes.starts_with(kNpyMark)) fail("this is not a NumPy array (.npy)");
  const std::size_t length_at = kNpyMark.size() + 2;
  if (bytes.size() < length_at + 4) fail("this .npy array is cut short");
  const int version = static_cast<unsigned char>(bytes[kNpyMark.size()]);
  if (version < 1 || version > 3)
    fail(fmt::format("this .npy array has format version {}; 1 to 3 can be read", version));
  const std::size_t length_bytes = version == 1 ? 2 : 4;
  const std::size_t length = little_endian(bytes.substr(length_at, length_bytes));
  const std::size_t text_at = length_at + length_bytes;
  if (length > bytes.size() - text_at) fail("this .npy array is cut short in its header");
  NpyHeader header = HeaderText(bytes.substr(text_at, length), origin).parse();
  header.data_at = text_at + length;
  const std::optional<std::size_t> needed = bytes_needed(header);
  const std::size_t held = bytes.size() - header.data_at;
  if (!needed || held < *needed) {
    fail(fmt::format("this .npy array is cut short: {} of {} need {} bytes, but {} are there",
                     name_of(header.type), to_string(header.dims),
                     needed ? std::to_string(*needed) : "more than 2^64", held));
  }
  return header;
}

}  // namespace jouletree::engines
