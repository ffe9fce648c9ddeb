#include "runtime/python_programs.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <set>
#include <string_view>

#include <fmt/format.h>

#include "jouletree/error.hpp"
#include "runtime/engine_folder.hpp"

namespace jouletree::runtime {
namespace {

namespace fs = std::filesystem;

bool is_program(const fs::path& path) {
  std::error_code ignored;
  return fs::is_regular_file(path, ignored) && ::access(path.c_str(), X_OK) == 0;
}

/// In the order in which a shell looks for it.
std::vector<fs::path> find_on_path(std::string_view name, const Environment& environment) {
  std::vector<fs::path> programs;
  const std::string path = environment("PATH").value_or("/usr/local/bin:/usr/bin:/bin");
  std::size_t begin = 0;
  while (begin <= path.size()) {
    const std::size_t end = std::min(path.find(':', begin), path.size());
    const std::string folder = path.substr(begin, end - begin);
    fs::path found = fs::path(folder.empty() ? "." : folder) / name;
    if (is_program(found)) programs.push_back(std::move(found));
    begin = end + 1;
  }
  return programs;
}

/// `said_by` is the flag or the variable that names it.
fs::path named_program(const std::string& name, const char* said_by,
                       const Environment& environment) {
  const bool has_folder = name.find('/') != std::string::npos;
  const auto found = has_folder ? std::vector<fs::path>{name} : find_on_path(name, environment);
  if (!found.empty() && is_program(found.front())) return found.front();
  throw Error(ErrorKind::Missing,
              fmt::format("{} {}: there is no such program; name a Python that has PyTorch, like "
                          "/usr/bin/python3",
                          said_by, name));
}

}  // namespace

std::optional<std::string> environment_variable(const char* name) {
  const char* value = std::getenv(name);
  if (value == nullptr || *value == '\0') return std::nullopt;
  return value;
}

std::vector<fs::path> python_programs(const std::string& chosen, const Environment& environment) {
  if (!chosen.empty()) return {named_program(chosen, "--python", environment)};
  if (const auto named = environment("JOULETREE_PYTHON"))
    return {named_program(*named, "JOULETREE_PYTHON", environment)};
  std::vector<fs::path> programs;
  // One of each folder: python3 and python are the same there, and /bin may be /usr/bin.
  std::set<fs::path> folders;
  const auto add = [&](const fs::path& program) {
    std::error_code ignored;
    if (is_program(program) && folders.insert(fs::canonical(program.parent_path(), ignored)).second)
      programs.push_back(program);
  };
  if (const auto own = environment("JOULETREE_PACKAGE_PYTHON")) add(*own);
  for (const char* active : {"VIRTUAL_ENV", "CONDA_PREFIX"})
    if (const auto folder = environment(active)) add(fs::path(*folder) / "bin/python");
  for (const char* name : {"python3", "python"})
    for (const fs::path& found : find_on_path(name, environment)) add(found);
  return programs;
}

std::optional<fs::path> python_files() {
  const fs::path engines = fs::absolute(engine_folder());
  // In a wheel the engines are in the package: jouletree/lib/jouletree.
  for (const fs::path& folder : {engines / "python", engines / "../../.."}) {
    std::error_code ignored;
    if (fs::exists(folder / "jouletree/torch/worker.py", ignored)) return folder.lexically_normal();
  }
  return std::nullopt;
}

}  // namespace jouletree::runtime
