#include <cstddef>
#include <cstdint>

#include "inspect_bytes.hpp"

// libFuzzer calls this name. NOLINTNEXTLINE(readability-identifier-naming)
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  jouletree::test::inspect_bytes({reinterpret_cast<const char*>(data), size});
  return 0;
}
