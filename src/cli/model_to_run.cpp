#include "cli/model_to_run.hpp"

#include "cli/interrupts.hpp"
#include "zoo/build_model.hpp"
#include "zoo/catalogue.hpp"
#include "zoo/named_model.hpp"

namespace jouletree::cli {

ModelToRun::ModelToRun(const std::string& model) : file_(model) {
  if (!zoo::is_zoo_name(model)) return;
  told_as_ = "zoo: " + model;
  file_ = scratch_.emplace().path() / (model + ".onnx");
  const zoo::Architecture& architecture = zoo::find_architecture(model);
  zoo::build_model(architecture, architecture.settings, 1, file_);
  Interrupts::check();
}

}  // namespace jouletree::cli
