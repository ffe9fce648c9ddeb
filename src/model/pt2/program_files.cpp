#include "model/pt2/program_files.hpp"

#include <zlib.h>

#include <algorithm>
#include <map>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/number_format.hpp"
#include "base/zip_archive.hpp"
#include "jouletree/error.hpp"

namespace jouletree::model::pt2 {
namespace {

/// A file per stored tensor; the largest mixtures of experts have some ten thousand.
constexpr std::size_t kMostEntries = 65'536;
/// A graph of a hundred thousand operators takes a third of it.
constexpr std::uint64_t kLargestText = std::uint64_t{256} << 20U;
/// PyTorch compresses nothing: what is packed was packed by somebody else, and a small file must
/// not take much memory.
constexpr std::uint64_t kLargestUnpacked = std::uint64_t{64} << 20U;
constexpr std::uint64_t kLargestMark = 64;
/// Deflating gains at most a factor of 1032.
constexpr std::uint64_t kLargestGain = 1040;

constexpr std::string_view kModels = "models/";
constexpr std::string_view kJson = ".json";
constexpr std::string_view kOldProgram = "serialized_exported_program.json";
/// What torch.export.save calls the only program, and torch.export.load looks for.
constexpr std::string_view kMainProgram = "model";

[[noreturn]] void refuse(const std::string& problem) { throw Error(ErrorKind::BadInput, problem); }

/// The name without the folder around everything. Old archives have none.
std::string_view without_folder(std::string_view name) {
  if (name == kOldProgram) return name;
  const std::size_t slash = name.find('/');
  return slash == std::string_view::npos ? name : name.substr(slash + 1);
}

std::string inflated(std::string_view packed, const ZipEntry& entry) {
  if (entry.bytes / kLargestGain > packed.size())
    refuse(
        fmt::format("'{}' in it cannot be unpacked: it says that it holds {}, more than its {} can",
                    entry.name, shortened_bytes(static_cast<double>(entry.bytes)),
                    shortened_bytes(static_cast<double>(packed.size()))));
  std::string bytes(entry.bytes, '\0');
  z_stream stream{};
  if (::inflateInit2(&stream, -MAX_WBITS) != Z_OK) throw std::bad_alloc();
  // zlib does not change what it reads, but says nowhere that it does not.
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data()));
  stream.avail_in = static_cast<uInt>(packed.size());
  stream.next_out = reinterpret_cast<Bytef*>(bytes.data());
  stream.avail_out = static_cast<uInt>(bytes.size());
  const int state = ::inflate(&stream, Z_FINISH);
  const bool is_whole = state == Z_STREAM_END && stream.avail_out == 0;
  ::inflateEnd(&stream);
  if (!is_whole)
    refuse(fmt::format("'{}' in it is damaged: it cannot be unpacked; copy or save the file again",
                       entry.name));
  return bytes;
}

/// The files of an archive by their names.
class ArchiveFiles {
 public:
  explicit ArchiveFiles(std::string_view archive)
      : archive_(archive), entries_(zip_entries(archive).value_or(std::vector<ZipEntry>())) {
    if (entries_.size() > kMostEntries) {
      refuse(
          fmt::format("it is an archive of {} files, and a program of torch.export has at most "
                      "{}; save the program again with torch.export.save",
                      with_separators(static_cast<std::int64_t>(entries_.size())),
                      with_separators(static_cast<std::int64_t>(kMostEntries))));
    }
    for (const ZipEntry& entry : entries_) by_name_.emplace(without_folder(entry.name), &entry);
  }

  [[nodiscard]] bool has(std::string_view name) const { return by_name_.count(name) > 0; }

  /// The rest of the names that begin so.
  [[nodiscard]] std::vector<std::string_view> below(std::string_view folder) const {
    std::vector<std::string_view> names;
    for (auto entry = by_name_.lower_bound(folder);
         entry != by_name_.end() && entry->first.starts_with(folder); ++entry)
      names.push_back(entry->first.substr(folder.size()));
    return names;
  }

  /// Empty for a file that is not there.
  [[nodiscard]] std::string_view text(std::string_view name, std::uint64_t largest,
                                      std::deque<std::string>& unpacked) const {
    const auto found = by_name_.find(name);
    if (found == by_name_.end()) return {};
    const ZipEntry& entry = *found->second;
    if (entry.method != ZipMethod::Stored) largest = std::min(largest, kLargestUnpacked);
    if (entry.bytes > largest || entry.packed_bytes > largest) {
      refuse(fmt::format(
          "'{}' in it holds {}, and JouleTree reads at most {} of such a file", entry.name,
          shortened_bytes(static_cast<double>(std::max(entry.bytes, entry.packed_bytes))),
          shortened_bytes(static_cast<double>(largest))));
    }
    const auto packed = packed_bytes_of(archive_, entry);
    if (!packed || entry.encrypted)
      refuse(fmt::format("'{}' in it {}; copy or save the file again", entry.name,
                         packed ? "is encrypted" : "lies beyond the end of the file"));
    if (entry.method == ZipMethod::Stored) return *packed;
    if (entry.method != ZipMethod::Deflated)
      refuse(fmt::format("'{}' in it is packed by method {}, which JouleTree cannot unpack",
                         entry.name, static_cast<int>(entry.method)));
    return unpacked.emplace_back(inflated(*packed, entry));
  }

 private:
  std::string_view archive_;
  std::vector<ZipEntry> entries_;
  std::map<std::string_view, const ZipEntry*> by_name_;
};

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && static_cast<unsigned char>(text.back()) <= ' ') text.remove_suffix(1);
  return text;
}

void check_format(const ArchiveFiles& files, std::deque<std::string>& unpacked) {
  if (!files.has("archive_format")) return;
  const std::string_view format = trimmed(files.text("archive_format", kLargestMark, unpacked));
  if (format == "pt2") return;
  refuse(fmt::format("its archive_format is '{}', and that of torch.export.save is 'pt2'", format));
}

/// Names of the programs in the archive, without their endings.
std::vector<std::string> program_names(const ArchiveFiles& files) {
  std::vector<std::string> names;
  for (const std::string_view name : files.below(kModels))
    if (name.ends_with(kJson)) names.emplace_back(name.substr(0, name.size() - kJson.size()));
  return names;
}

[[noreturn]] void refuse_without_graph(const ArchiveFiles& files) {
  const bool compiled = !files.below("data/aotinductor").empty();
  refuse(fmt::format(
      "this archive of torch.export holds {}no graph, so that there is nothing to count; save the "
      "program that it was made from: torch.export.save(program, 'model.pt2')",
      compiled ? "code that AOTInductor compiled, but " : ""));
}

std::string chosen_program(const std::vector<std::string>& names, std::vector<std::string>& notes) {
  if (names.size() == 1) return names.front();
  std::vector<std::string> others;
  for (const std::string& name : names)
    if (name != kMainProgram) others.push_back(name);
  if (others.size() == names.size()) {
    refuse(
        fmt::format("this archive holds {} programs: {}; save the one that you want in a file of "
                    "its own: torch.export.save(torch.export.pt2_archive._package.load_pt2(file)"
                    ".exported_programs['{}'], 'model.pt2')",
                    names.size(), fmt::join(names, ", "), names.front()));
  }
  notes.push_back(
      fmt::format("the archive holds other programs beside '{}', which were not read: {}",
                  kMainProgram, fmt::join(others, ", ")));
  return std::string(kMainProgram);
}

}  // namespace

ProgramFiles program_files(std::string_view archive) {
  const ArchiveFiles files(archive);
  ProgramFiles found;
  check_format(files, found.unpacked);
  const std::vector<std::string> names = program_names(files);
  if (names.empty() && !files.has(kOldProgram)) refuse_without_graph(files);
  const auto text = [&](const std::string& name) {
    return files.text(name, kLargestText, found.unpacked);
  };
  if (names.empty()) {
    found.program = text(std::string(kOldProgram));
    return found;
  }
  const std::string name = chosen_program(names, found.notes);
  found.program = text(fmt::format("{}{}{}", kModels, name, kJson));
  found.weights = text(fmt::format("data/weights/{}_weights_config.json", name));
  return found;
}

}  // namespace jouletree::model::pt2
