#include <cstddef>
#include <cstdint>

#include "inspect_bytes.hpp"

// Whole archives, and graphs for which the archive is made here: most changes to an archive would
// only break the archive. libFuzzer calls this name.
// NOLINTNEXTLINE(readability-identifier-naming)
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  if (bytes.starts_with("PK")) {
    jouletree::test::inspect_bytes(bytes);
  } else {
    jouletree::test::inspect_program(bytes);
  }
  return 0;
}
