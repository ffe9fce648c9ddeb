#include "model/foreign/seen_file.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace jouletree::model::foreign {
namespace {

/// Bytes of the letter that begins with this one; 0 if no letter of UTF-8 does.
std::size_t letter_size(unsigned char first) {
  if (first < 0x80) return 1;
  if (first >= 0xC2 && first <= 0xDF) return 2;
  if (first >= 0xE0 && first <= 0xEF) return 3;
  return first >= 0xF0 && first <= 0xF4 ? 4 : 0;
}

/// The last letter may be cut off.
bool is_utf8(std::string_view text) {
  while (!text.empty()) {
    const std::size_t size = letter_size(static_cast<unsigned char>(text[0]));
    if (size == 0) return false;
    const std::string_view rest = text.substr(1, size - 1);
    const auto continues = [](char byte) {
      return (static_cast<unsigned char>(byte) & 0xC0U) == 0x80U;
    };
    if (!std::all_of(rest.begin(), rest.end(), continues)) return false;
    text.remove_prefix(std::min(size, text.size()));
  }
  return true;
}

std::string_view trimmed_text(std::string_view head) {
  constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
  if (head.starts_with(kByteOrderMark)) head.remove_prefix(kByteOrderMark.size());
  const bool is_text =
      is_utf8(head) && std::all_of(head.begin(), head.end(), [](char letter) {
        const auto code = static_cast<unsigned char>(letter);
        return code >= 0x20 ? code != 0x7F : letter == '\n' || letter == '\r' || letter == '\t';
      });
  const std::size_t begin = head.find_first_not_of(" \t\r\n");
  return is_text && begin != std::string_view::npos ? head.substr(begin) : std::string_view();
}

}  // namespace

SeenFile::SeenFile(std::filesystem::path path, std::string_view bytes)
    : path_(std::move(path)), bytes_(bytes), text_(trimmed_text(head())) {
  if (bytes.starts_with(kZipMark)) entries_ = zip_entries(bytes).value_or(std::vector<ZipEntry>());
}

bool SeenFile::has(std::string_view mark, std::size_t at) const {
  return at <= bytes_.size() && bytes_.substr(at).starts_with(mark);
}

std::optional<std::uint64_t> SeenFile::number(std::size_t at, std::size_t bytes) const {
  if (at > bytes_.size() || bytes > bytes_.size() - at) return std::nullopt;
  std::uint64_t number = 0;
  for (std::size_t i = bytes; i > 0; --i)
    number = number << 8U | static_cast<unsigned char>(bytes_[at + i - 1]);
  return number;
}

bool SeenFile::is_called(std::string_view ending) const {
  return path_.filename().string().ends_with(ending);
}

std::string SeenFile::file_word() const { return shell_word(path_.string()); }

std::string SeenFile::folder_word() const {
  const std::string folder = path_.parent_path().string();
  return folder.empty() ? "." : shell_word(folder);
}

std::string shell_word(const std::string& text) {
  constexpr std::string_view kPlain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./=:,@%+";
  if (!text.empty() && text.find_first_not_of(kPlain) == std::string::npos) return text;
  std::string word = "'";
  for (const char letter : text)
    word += letter == '\'' ? std::string("'\\''") : std::string(1, letter);
  return word + "'";
}

std::string some_names(const std::vector<std::string>& names) {
  constexpr std::size_t kMost = 4;
  const std::size_t shown = names.size() > kMost + 1 ? kMost : names.size();
  std::string text;
  for (std::size_t i = 0; i < shown; ++i) {
    const bool is_last = i + 1 == names.size();
    text += (i == 0 ? "" : is_last ? " and " : ", ") + names[i];
  }
  if (shown < names.size()) text += fmt::format(" and {} more", names.size() - shown);
  return text;
}

}  // namespace jouletree::model::foreign
