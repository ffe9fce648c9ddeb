#include "engines/data/npy_file.hpp"

#include <iterator>
#include <map>
#include <set>

#include <fmt/format.h>

#include "engines/data/inflate.hpp"
#include "engines/data/npy_header.hpp"
#include "engines/data/row_major.hpp"

namespace jouletree::engines {
namespace {

[[noreturn]] void fail_to_read_npy(const std::string& origin, const std::string& problem) {
  throw Error(ErrorKind::BadInput, fmt::format("{}: {}", origin, problem));
}

/// The array whose .npy bytes begin at `offset` of the file and are `size` long.
FileTensor array_at(std::shared_ptr<const MappedFile> file, const std::filesystem::path& path,
                    std::size_t offset, std::size_t size, std::string origin,
                    ScratchFiles& scratch) {
  const std::string_view bytes = file->bytes().substr(offset, size);
  const NpyHeader header = parse_npy_header(bytes, origin);
  FileTensor tensor;
  tensor.origin = std::move(origin);
  tensor.type = header.type;
  tensor.dims = header.dims;
  if (is_row_major(header)) {
    tensor.path = std::filesystem::absolute(path);
    tensor.offset = offset + header.data_at;
    tensor.file = std::move(file);
  } else {
    tensor.path = scratch.keep(to_row_major(header, bytes.substr(header.data_at)));
    tensor.file = std::make_shared<const MappedFile>(tensor.path);
  }
  return tensor;
}

constexpr std::string_view kNpySuffix = ".npy";

std::string array_name(const ZipEntry& entry) {
  return std::string(entry.name.substr(0, entry.name.size() - kNpySuffix.size()));
}

std::string origin_of(const std::filesystem::path& path, const ZipEntry& entry) {
  return fmt::format("{}: {}", path.string(), entry.name);
}

/// A small archive can unpack to any number of bytes if its entries share their content, or claim
/// more than deflate can make of what is there.
void refuse_what_no_program_packs(std::string_view archive, const std::vector<ZipEntry>& entries,
                                  const std::filesystem::path& path) {
  constexpr std::uint64_t kMostPerPackedByte = 1032;
  std::map<const char*, std::pair<const char*, const ZipEntry*>> taken;  // By their begin.
  std::set<std::string_view> names;
  for (const ZipEntry& entry : entries) {
    if (!names.insert(entry.name).second)
      fail_to_read_npy(path.string(), fmt::format("holds '{}' twice", entry.name));
    const auto packed = packed_bytes_of(archive, entry);
    if (!packed || packed->empty()) continue;  // Its reader says what is wrong.
    if (entry.bytes / kMostPerPackedByte > packed->size())
      fail_to_read_npy(origin_of(path, entry), "is damaged in its archive");
    taken.emplace(packed->data(), std::pair(packed->data() + packed->size(), &entry));
    const auto here = taken.find(packed->data());
    const bool overlaps_next =
        std::next(here) != taken.end() && std::next(here)->first < here->second.first;
    const bool overlaps_last = here != taken.begin() && std::prev(here)->second.first > here->first;
    if (here->second.second != &entry || overlaps_next || overlaps_last) {
      fail_to_read_npy(origin_of(path, entry),
                       "shares its content with another array; save the archive again");
    }
  }
}

FileTensor array_of(const std::shared_ptr<const MappedFile>& archive,
                    const std::filesystem::path& path, const ZipEntry& entry,
                    ScratchFiles& scratch) {
  std::string origin = origin_of(path, entry);
  const auto packed = packed_bytes_of(archive->bytes(), entry);
  if (!packed) fail_to_read_npy(origin, "is cut short in its archive");
  if (entry.encrypted) fail_to_read_npy(origin, "is encrypted");
  if (entry.method == ZipMethod::Stored) {
    check_stored(*packed, entry, origin);
    const auto offset = static_cast<std::size_t>(packed->data() - archive->bytes().data());
    return array_at(archive, path, offset, packed->size(), std::move(origin), scratch);
  }
  if (entry.method != ZipMethod::Deflated) {
    fail_to_read_npy(origin,
                     fmt::format("is packed by zip method {}; stored and deflated ones can be read",
                                 static_cast<int>(entry.method)));
  }
  const std::filesystem::path unpacked = scratch.next();
  inflate_to(unpacked, *packed, entry, origin);
  auto file = std::make_shared<const MappedFile>(unpacked);
  const std::size_t size = file->bytes().size();
  return array_at(std::move(file), unpacked, 0, size, std::move(origin), scratch);
}

}  // namespace

FileTensor read_npy(const std::filesystem::path& path, ScratchFiles& scratch) {
  auto file = std::make_shared<const MappedFile>(path);
  const std::size_t size = file->bytes().size();
  return array_at(std::move(file), path, 0, size, path.string(), scratch);
}

std::vector<FileTensor> read_npz(const std::filesystem::path& path, ScratchFiles& scratch,
                                 const WantedArray& wanted) {
  const auto archive = std::make_shared<const MappedFile>(path);
  const auto entries = zip_entries(archive->bytes());
  if (!entries)
    fail_to_read_npy(path.string(), "this is not a NumPy archive (.npz), or it is cut short");
  for (const ZipEntry& entry : *entries) {
    if (!entry.name.ends_with(kNpySuffix)) {
      fail_to_read_npy(path.string(),
                       fmt::format("holds '{}', which is not a .npy array", entry.name));
    }
    if (wanted) wanted(array_name(entry), origin_of(path, entry));
  }
  refuse_what_no_program_packs(archive->bytes(), *entries, path);
  std::vector<FileTensor> tensors;
  for (const ZipEntry& entry : *entries) {
    tensors.push_back(array_of(archive, path, entry, scratch));
    tensors.back().name = array_name(entry);
  }
  if (tensors.empty()) fail_to_read_npy(path.string(), "this archive holds no arrays");
  return tensors;
}

}  // namespace jouletree::engines
