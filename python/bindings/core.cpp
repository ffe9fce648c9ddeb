#include "bindings/bindings.hpp"

namespace jouletree::python {

NB_MODULE(_core, module) {
  module.doc() = "JouleTree's C++ library, as the package jouletree calls it.";
  module.attr("__version__") = JOULETREE_VERSION;
  // Whoever ends a program with results in hand has done nothing wrong.
  nanobind::set_leak_warnings(false);
  bind_errors(module);
  bind_files(module);
  bind_quantity_text(module);
  bind_python_words(module);
  bind_metric_words(module);
  bind_own_metrics(module);
  bind_inspect(module);
  bind_measure(module);
  bind_profile(module);
  bind_score(module);
  bind_sweep(module);
  bind_torch_engine(module);
  bind_compare(module);
  bind_gate(module);
  bind_page(module);
  bind_predict(module);
  bind_inspect_recording(module);
  bind_database(module);
}

}  // namespace jouletree::python
