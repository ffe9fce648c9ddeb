#include "store/database/deflated.hpp"

#include <zlib.h>

#include <stdexcept>

namespace jouletree::store {
namespace {

const Bytef* bytes_of(std::string_view text) {
  return reinterpret_cast<const Bytef*>(text.data());  // NOLINT: zlib reads unsigned bytes
}

Bytef* bytes_of(std::string& text) {
  return reinterpret_cast<Bytef*>(text.data());  // NOLINT: zlib writes unsigned bytes
}

}  // namespace

std::string deflated(std::string_view bytes) {
  uLongf size = compressBound(bytes.size());
  std::string packed(size, '\0');
  if (compress2(bytes_of(packed), &size, bytes_of(bytes), bytes.size(), Z_DEFAULT_COMPRESSION) !=
      Z_OK)
    throw std::runtime_error("zlib cannot pack");
  packed.resize(size);
  return packed;
}

std::string inflated(std::string_view packed, std::size_t size) {
  std::string bytes(size, '\0');
  uLongf length = size;
  // An empty target is refused by some versions of zlib.
  Bytef none = 0;
  const int result =
      uncompress(size == 0 ? &none : bytes_of(bytes), &length, bytes_of(packed), packed.size());
  if (result != Z_OK || length != size) throw std::runtime_error("packed bytes are damaged");
  return bytes;
}

}  // namespace jouletree::store
