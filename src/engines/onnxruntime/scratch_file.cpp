#include "engines/onnxruntime/scratch_file.hpp"

#include <fstream>

#include <fmt/format.h>

#include "jouletree/error.hpp"

namespace jouletree::engines {

void write_file(const std::filesystem::path& path, std::string_view bytes) {
  std::ofstream file(path, std::ios::binary);
  file << bytes;
  if (!file.flush()) throw Error(ErrorKind::Failed, fmt::format("cannot write {}", path.string()));
}

}  // namespace jouletree::engines
