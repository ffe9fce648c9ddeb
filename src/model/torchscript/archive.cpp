#include "model/torchscript/archive.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace jouletree::torchscript {
namespace {

constexpr std::string_view kFileMark("PK\x03\x04", 4);
constexpr std::string_view kEntryMark("PK\x01\x02", 4);
constexpr std::string_view kEndMark("PK\x05\x06", 4);
constexpr std::string_view kBigEndMark("PK\x06\x06", 4);
constexpr std::size_t kEntryBytes = 46;
constexpr std::size_t kEndBytes = 22;
constexpr std::size_t kLongestComment = 65535;

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
  constexpr std::uint64_t kSeeBigEnd = 0xFFFFFFFF;
  if (begin == kSeeBigEnd) {
    const std::size_t big_end = bytes.substr(0, end).rfind(kBigEndMark);
    if (big_end == std::string_view::npos) return std::nullopt;
    begin = number_at(bytes, big_end + 48, 8);
  }
  if (begin >= bytes.size()) return std::nullopt;
  return static_cast<std::size_t>(begin);
}

std::vector<std::string_view> names_in(std::string_view bytes) {
  std::vector<std::string_view> names;
  const auto begin = directory_of(bytes);
  if (!begin) return names;
  std::size_t at = *begin;
  while (bytes.substr(at, kEntryMark.size()) == kEntryMark && at + kEntryBytes <= bytes.size()) {
    const std::size_t name = number_at(bytes, at + 28, 2);
    const std::size_t rest = number_at(bytes, at + 30, 2) + number_at(bytes, at + 32, 2);
    names.push_back(bytes.substr(at + kEntryBytes, name));
    at += kEntryBytes + name + rest;
    if (at > bytes.size()) break;
  }
  return names;
}

/// The name without the folder that PyTorch puts around everything.
std::string_view inside(std::string_view name) {
  const std::size_t slash = name.find('/');
  return slash == std::string_view::npos ? name : name.substr(slash + 1);
}

bool starts_with(std::string_view text, std::string_view start) {
  return text.substr(0, start.size()) == start;
}

bool looks_pickled(std::string_view bytes) {
  // Protocol 2 or newer, whose first object is PyTorch's number or a dictionary.
  return bytes.size() > 2 && bytes[0] == '\x80' && bytes[1] >= 2 && bytes[1] <= 5;
}

}  // namespace

Archive archive_of(std::string_view bytes) {
  if (looks_pickled(bytes)) return Archive::Checkpoint;
  if (!starts_with(bytes, kFileMark)) return Archive::None;
  bool code = false;
  bool constants = false;
  bool pickle = false;
  bool exported = false;
  bool old = false;
  for (const std::string_view name : names_in(bytes)) {
    const std::string_view entry = inside(name);
    code = code || starts_with(entry, "code/");
    constants = constants || entry == "constants.pkl";
    pickle = pickle || entry == "data.pkl";
    exported = exported || starts_with(entry, "serialized_exported_program") ||
               starts_with(entry, "models/model.json");
    old = old || entry == "model.json";
  }
  if (exported) return Archive::ExportedProgram;
  if (code || constants) return Archive::TorchScript;
  if (old) return Archive::OldTorchScript;
  return pickle ? Archive::Checkpoint : Archive::OtherZip;
}

}  // namespace jouletree::torchscript
