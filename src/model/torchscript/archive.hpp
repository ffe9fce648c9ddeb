#pragma once

#include <string_view>

namespace jouletree::model::torchscript {

/// What a file that PyTorch may have written is.
enum class Archive {
  None,             ///< Nothing that PyTorch writes.
  TorchScript,      ///< A program with its weights, from torch.jit.
  Checkpoint,       ///< Pickled Python objects: weights that need their own Python code.
  ExportedProgram,  ///< From torch.export.
  OldTorchScript,   ///< From PyTorch before 1.0 was out.
  OtherZip,
};

/// Looks at the names in the archive only; nothing is unpacked and nothing unpickled.
[[nodiscard]] Archive archive_of(std::string_view bytes);

}  // namespace jouletree::model::torchscript
