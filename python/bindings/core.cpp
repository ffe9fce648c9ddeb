#include "bindings/bindings.hpp"

namespace jouletree::python {

NB_MODULE(_core, module) {
  module.doc() = "JouleTree's C++ library, as the package jouletree calls it.";
  module.attr("__version__") = JOULETREE_VERSION;
  for (const auto bind : {bind_errors, bind_inspect}) bind(module);
}

}  // namespace jouletree::python
