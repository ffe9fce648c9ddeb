#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "engines/engine.hpp"
#include "jouletree/model_recipe.hpp"

namespace jouletree::engines {

/// How an engine is opened. Engines refuse what they do not know.
struct EngineOptions {
  std::filesystem::path scratch;  ///< For files; must outlive the engine. The caller removes it.
  int threads = 1;
  std::string execution = "sequential";  ///< Or "parallel": branches at the same time.
  std::string level = "all";             ///< Of the engine's own optimisation.
  std::string device = "cpu";            ///< "cuda:0", or what the engine calls it.
  std::map<std::string, std::string> device_options;
  std::string python;                   ///< Of PyTorch; empty: whichever has it.
  std::function<void()> check;          ///< Called while the engine starts or loads; may throw.
  std::optional<ModelRecipe> recipe{};  ///< Of PyTorch: how Python makes or trains the model.
};

struct EngineRow {
  std::string_view name;  ///< For flags: "onnxruntime".
  std::unique_ptr<Engine> (*open)(const EngineOptions& options);
  /// Bytes of a model's file and of the files with its data; nothing where others may run it.
  std::optional<std::int64_t> (*bytes_of)(const std::filesystem::path& file);
};

/// Every engine that measures. A file is for the first that takes it; the last says what is wrong
/// with a file that none takes.
[[nodiscard]] std::span<const EngineRow> engine_list();

/// A file that can be profiled.
struct ModelFile {
  std::string_view engine;  ///< Of engine_list(), that runs it.
  std::int64_t bytes = 0;   ///< Of it and of the files with its data.
};
/// Throws Error(BadInput) for what no engine can run, and says what to do with it.
[[nodiscard]] ModelFile model_file(const std::filesystem::path& path);

/// Throws Error(BadInput) for a name that is not in the list, Error(Missing) where the engine is
/// not there.
[[nodiscard]] std::unique_ptr<Engine> open_engine(std::string_view name,
                                                  const EngineOptions& options);

}  // namespace jouletree::engines
