#include "engines/data/npy_file.hpp"

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

FileTensor array_of(const std::shared_ptr<const MappedFile>& archive,
                    const std::filesystem::path& path, const ZipEntry& entry,
                    ScratchFiles& scratch) {
  std::string origin = fmt::format("{}: {}", path.string(), entry.name);
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

std::vector<FileTensor> read_npz(const std::filesystem::path& path, ScratchFiles& scratch) {
  const auto archive = std::make_shared<const MappedFile>(path);
  const auto entries = zip_entries(archive->bytes());
  if (!entries)
    fail_to_read_npy(path.string(), "this is not a NumPy archive (.npz), or it is cut short");
  std::vector<FileTensor> tensors;
  for (const ZipEntry& entry : *entries) {
    constexpr std::string_view kSuffix = ".npy";
    if (!entry.name.ends_with(kSuffix)) {
      fail_to_read_npy(path.string(),
                       fmt::format("holds '{}', which is not a .npy array", entry.name));
    }
    tensors.push_back(array_of(archive, path, entry, scratch));
    tensors.back().name = entry.name.substr(0, entry.name.size() - kSuffix.size());
  }
  if (tensors.empty()) fail_to_read_npy(path.string(), "this archive holds no arrays");
  return tensors;
}

}  // namespace jouletree::engines
