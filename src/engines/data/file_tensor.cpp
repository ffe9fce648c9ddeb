#include "engines/data/file_tensor.hpp"

#include <fstream>

#include <fmt/format.h>

namespace jouletree::engines {

std::string_view FileTensor::bytes() const {
  const ValueType value{type, dims, ValueKind::Tensor, std::nullopt};
  const auto needed = static_cast<std::size_t>(value.bytes().value());
  if (needed == 0) return {};
  if (offset > file->bytes().size() || needed > file->bytes().size() - offset) {
    throw Error(ErrorKind::BadInput,
                fmt::format("{}: {} of {} need {} bytes, but {} are there", origin, name_of(type),
                            to_string(dims), needed,
                            file->bytes().size() - std::min(offset, file->bytes().size())));
  }
  return file->bytes().substr(offset, needed);
}

std::filesystem::path ScratchFiles::next() {
  return folder_ / fmt::format("input_{}.bin", used_++);
}

std::filesystem::path ScratchFiles::keep(std::string_view bytes) {
  std::filesystem::path path = next();
  std::ofstream file(path, std::ios::binary);
  file.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  if (!file.flush()) {
    throw Error(ErrorKind::Missing,
                fmt::format("cannot write {}: is the disk full?", path.string()));
  }
  return path;
}

}  // namespace jouletree::engines
