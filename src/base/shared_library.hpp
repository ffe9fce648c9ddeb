#pragma once

#include <filesystem>
#include <string>

namespace jouletree {

/// Why this file is no shared library for this program: it was cut off, is for another processor,
/// or is something else. Empty where it may be one. The dynamic linker would not look, and the
/// program would end with SIGBUS in the middle of loading.
[[nodiscard]] std::string shared_library_problem(const std::filesystem::path& file);

/// A library that stays open, or a sentence part that says why there is none.
struct OpenedLibrary {
  void* handle = nullptr;
  std::string problem;
};

/// Looks at the file first. A name without a slash is for the dynamic linker to find.
[[nodiscard]] OpenedLibrary open_shared_library(const std::string& file, bool all_symbols = true);

}  // namespace jouletree
