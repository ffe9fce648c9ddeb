#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "jouletree/error.hpp"
#include "jouletree/tree_run.hpp"

namespace jouletree::store {

/// Is told, one sentence each, what is odd.
using Warn = std::function<void(const std::string&)>;

/// What to take of a database with measurements of several machines and engines: those whose names
/// hold these texts, and where that leaves several those of the engine that would run the model.
struct PlaceChoice {
  std::string machine{};
  std::string engine{};       ///< Or several texts with commas between them.
  std::string_view runner{};  ///< Of engines::engine_list(); empty: any.
};

/// The runs of all files, profile folders and databases. A run that stands in two of them is used
/// once. Throws Error(BadInput) naming what cannot be read.
[[nodiscard]] std::vector<TreeRun> read_data(const std::vector<std::string>& given,
                                             const Warn& warn, const PlaceChoice& choice = {});

[[nodiscard]] bool is_folder(const std::string& path);
/// The folder itself where it holds a profile, else all folders below it that do, by name.
[[nodiscard]] std::vector<std::string> profiles_below(const std::string& folder);
/// The same. Throws Error(BadInput) where there is none.
[[nodiscard]] std::vector<std::string> profiles_in(const std::string& folder);
/// Folders stand for all profiles in them; the rest stays as given. Throws Error(BadInput), saying
/// what it is, for a folder without any.
[[nodiscard]] std::vector<std::string> with_profiles_below(const std::vector<std::string>& given);
/// The tree file of a folder that 'jouletree profile -o' wrote; else what was given.
[[nodiscard]] std::string file_of_profile(const std::string& given);
[[nodiscard]] bool is_tree_file(const std::string& path);
[[nodiscard]] bool is_operator_csv(const std::string& path);

/// "a.jsonl, b.jsonl and 3 more", for messages.
[[nodiscard]] std::string names_of(const std::vector<std::string>& given);

/// Runs the work; what it refuses about the data is told with their names, unless it names one
/// itself.
template <class Work>
auto of_data(const std::vector<std::string>& given, const std::vector<TreeRun>& runs,
             const Work& work) {
  try {
    return work();
  } catch (const Error& error) {
    const std::string message = error.what();
    for (const TreeRun& run : runs)
      if (!run.file.empty() && message.starts_with(run.file)) throw;
    throw Error(error.kind(), names_of(given) + ": " + message);
  }
}

}  // namespace jouletree::store
