#include "engines/data/row_major.hpp"

#include <algorithm>
#include <cstring>

namespace jouletree::engines {
namespace {

std::size_t width_of(const NpyHeader& header) {
  return static_cast<std::size_t>(bits_of(header.type).value_or(8)) / 8;
}

/// How many elements lie between neighbours along each axis, as the file has them.
std::vector<std::size_t> strides_of(const NpyHeader& header) {
  std::vector<std::size_t> strides(header.dims.size());
  std::size_t stride = 1;
  for (std::size_t i = 0; i < strides.size(); ++i) {
    const std::size_t axis = header.column_major ? i : strides.size() - 1 - i;
    strides[axis] = stride;
    stride *= static_cast<std::size_t>(header.dims[axis]);
  }
  return strides;
}

}  // namespace

bool is_row_major(const NpyHeader& header) {
  const auto longer =
      std::count_if(header.dims.begin(), header.dims.end(), [](Dim size) { return size != 1; });
  const bool swapped = header.big_endian && width_of(header) > 1;
  return !swapped && !(header.column_major && longer > 1);
}

std::string to_row_major(const NpyHeader& header, std::string_view numbers) {
  const std::size_t width = width_of(header);
  const std::vector<std::size_t> strides = strides_of(header);
  const auto count = static_cast<std::size_t>(elements_of(header.dims).value());
  std::string ordered(count * width, '\0');
  Dims index(header.dims.size(), 0);
  std::size_t from = 0;
  for (std::size_t element = 0; element < count; ++element) {
    char* const to = ordered.data() + element * width;
    std::memcpy(to, numbers.data() + from * width, width);
    if (header.big_endian) std::reverse(to, to + width);
    for (std::size_t axis = index.size(); axis-- > 0;) {
      from += strides[axis];
      if (++index[axis] < header.dims[axis]) break;
      from -= strides[axis] * static_cast<std::size_t>(header.dims[axis]);
      index[axis] = 0;
    }
  }
  return ordered;
}

}  // namespace jouletree::engines
