#pragma once

#include <string>
#include <string_view>

#include "jouletree/value_type.hpp"

namespace jouletree::engines {

inline constexpr std::string_view kNpyMark("\x93NUMPY", 6);

/// What stands before the numbers of a NumPy array (.npy).
struct NpyHeader {
  DataType type = DataType::Undefined;
  Dims dims;
  bool big_endian = false;
  bool column_major = false;  ///< What NumPy calls Fortran order.
  std::size_t data_at = 0;    ///< Where the numbers begin.
};

/// Format versions 1 to 3. Throws Error(BadInput) for what is no such array, holds fewer numbers
/// than it says, or has elements that are no plain numbers; `origin` names it in errors.
[[nodiscard]] NpyHeader parse_npy_header(std::string_view bytes, const std::string& origin);

}  // namespace jouletree::engines
