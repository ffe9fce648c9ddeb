// A library that ends every process that loads it.

#include <cstdlib>

namespace {

[[maybe_unused]] const int kNeverSet = [] {
  std::abort();
  return 0;
}();

}  // namespace
