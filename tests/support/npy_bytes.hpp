#pragma once

#include <string>
#include <vector>

namespace jouletree::test {

/// What a .npy file begins with, around the text of its header.
inline std::string npy_header(int version, const std::string& text) {
  std::string bytes = "\x93NUMPY";
  bytes += static_cast<char>(version);
  bytes += '\0';
  for (std::size_t i = 0; i < (version == 1 ? 2U : 4U); ++i)
    bytes += static_cast<char>((text.size() >> (8 * i)) & 0xFF);
  return bytes + text;
}

/// A whole .npy file; type and shape as NumPy writes them: "<f4", "(2, 3)".
template <class Number>
std::string npy_bytes(const std::string& type, const std::string& shape,
                      const std::vector<Number>& numbers, bool fortran_order = false) {
  const std::string order = fortran_order ? "True" : "False";
  return npy_header(1, "{'descr': '" + type + "', 'fortran_order': " + order +
                           ", 'shape': " + shape + ", }\n") +
         std::string(reinterpret_cast<const char*>(numbers.data()),
                     numbers.size() * sizeof(Number));
}

}  // namespace jouletree::test
