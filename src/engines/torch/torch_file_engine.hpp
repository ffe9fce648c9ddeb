#pragma once

#include <memory>

#include "engines/engine_list.hpp"

namespace jouletree::engines {

/// A TorchScript file or a program of torch.export, run by PyTorch in a Python process. Throws
/// Error(Missing) where no Python has a PyTorch that is new enough, and Error(BadInput) for options
/// that only other engines have.
[[nodiscard]] std::unique_ptr<Engine> open_torch(const EngineOptions& options);

[[nodiscard]] std::optional<std::int64_t> bytes_of_torch_file(const std::filesystem::path& file);

}  // namespace jouletree::engines
