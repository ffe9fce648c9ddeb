#include "cli/model_to_run.hpp"

#include "cli/interrupts.hpp"
#include "zoo/build_model.hpp"
#include "zoo/named_model.hpp"
#include "zoo/written_model.hpp"

namespace jouletree::cli {

ModelToRun::ModelToRun(const std::string& model) : file_(model) {
  if (!zoo::is_zoo_name(model)) return;
  told_as_ = "zoo: " + model;
  const zoo::WrittenModel written = zoo::written_model(model);
  file_ = scratch_.emplace().path() / (written.architecture->name + ".onnx");
  zoo::build_model(*written.architecture, written.settings, 1, file_);
  Interrupts::check();
}

}  // namespace jouletree::cli
