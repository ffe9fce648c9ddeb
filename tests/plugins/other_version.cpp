// Of a future or an earlier interface, of which only the first member is known: reading more would
// be a defect.
#include <cstdint>

namespace {
constexpr std::uint32_t kVersion = OTHER_VERSION;
}

extern "C" const std::uint32_t* jouletree_metric_plugin() { return &kVersion; }
