#pragma once

#include <filesystem>
#include <string>

#include "jouletree/error.hpp"

namespace jouletree {

/// The text with each path of the file replaced by what its user calls it; an empty name changes
/// nothing.
[[nodiscard]] std::string told_as(std::string text, const std::filesystem::path& file,
                                  const std::string& name);

/// What the work returns. An Error of it calls the file what its user calls it: files of models
/// from the zoo are temporary.
template <class Work>
auto with_errors_told_as(const std::filesystem::path& file, const std::string& name, Work work) {
  try {
    return work();
  } catch (const Error& error) {
    throw Error(error.kind(), told_as(error.what(), file, name));
  }
}

}  // namespace jouletree
