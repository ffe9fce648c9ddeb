#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace jouletree::model::foreign {

/// True if the bytes begin with the header of a tar archive.
[[nodiscard]] bool is_tar(std::string_view bytes);

/// Names of the files in a tar archive, as far as the bytes reach.
[[nodiscard]] std::vector<std::string> tar_names(std::string_view bytes);

/// Names of the files in a tar archive that gzip packed, as far as its first 256 MiB reach; none
/// if something else is packed.
[[nodiscard]] std::vector<std::string> packed_tar_names(std::string_view gzip);

}  // namespace jouletree::model::foreign
