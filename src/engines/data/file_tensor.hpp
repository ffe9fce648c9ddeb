#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

#include "base/mapped_file.hpp"
#include "jouletree/value_type.hpp"

namespace jouletree::engines {

/// A tensor that stands in a file as engines read it: little-endian elements, row by row.
struct FileTensor {
  std::string origin;  ///< What people know it by: the file that they gave, and where in it.
  std::string name;    ///< As its file says; may be empty.
  DataType type = DataType::Undefined;
  Dims dims;
  std::filesystem::path path;  ///< Of the file with the elements, which may be one of ours.
  std::size_t offset = 0;      ///< Of the first element in it.
  std::shared_ptr<const MappedFile> file;

  /// Its elements. Throws Error(BadInput) where the file holds fewer.
  [[nodiscard]] std::string_view bytes() const;
};

/// Names for files of our own in one folder, none twice.
class ScratchFiles {
 public:
  explicit ScratchFiles(std::filesystem::path folder) : folder_(std::move(folder)) {}
  [[nodiscard]] std::filesystem::path next();
  /// A new file of these bytes. Throws Error(Missing) where there is no room for it.
  [[nodiscard]] std::filesystem::path keep(std::string_view bytes);

 private:
  std::filesystem::path folder_;
  int used_ = 0;
};

}  // namespace jouletree::engines
