#pragma once

#include <filesystem>
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

/// Whether PyTorch can run the file without the code that made it: TorchScript, or a program of
/// torch.export. False for what is no file.
[[nodiscard]] bool is_program(const std::filesystem::path& path);

/// Whether torch.export wrote the file. Throws Error(BadInput) for what cannot be read.
[[nodiscard]] bool is_exported(const std::filesystem::path& path);

}  // namespace jouletree::model::torchscript
