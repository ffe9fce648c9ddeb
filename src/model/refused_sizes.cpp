#include "model/refused_sizes.hpp"

#include "jouletree/error.hpp"
#include "model/torchscript/archive.hpp"

namespace jouletree::model {

void refuse_sizes(const std::filesystem::path& file, const InputSettings& settings) {
  if (!torchscript::is_exported(file)) return;
  try {
    (void)read_model(file, settings);
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::BadInput) throw;
    // What cannot be read for its own sizes either may still run.
    try {
      (void)read_model(file, {});
    } catch (const Error&) {
      return;
    }
    throw;
  }
}

}  // namespace jouletree::model
