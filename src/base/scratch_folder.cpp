#include "base/scratch_folder.hpp"

#include <stdlib.h>  // NOLINT: mkdtemp() is not in cstdlib

#include <string>

#include <fmt/format.h>

#include "jouletree/error.hpp"

namespace jouletree {

ScratchFolder::ScratchFolder() {
  std::string name = (std::filesystem::temp_directory_path() / "jouletree-XXXXXX").string();
  if (::mkdtemp(name.data()) == nullptr)
    throw Error(ErrorKind::Missing, fmt::format("cannot make a folder like {}", name));
  path_ = name;
}

ScratchFolder::~ScratchFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

}  // namespace jouletree
