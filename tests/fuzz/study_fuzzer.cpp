#include <cstddef>
#include <cstdint>

#include "read_bytes.hpp"

// libFuzzer calls this name. NOLINTNEXTLINE(readability-identifier-naming)
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  jouletree::test::read_study_bytes({reinterpret_cast<const char*>(data), size});
  return 0;
}
