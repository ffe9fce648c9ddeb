#include "runtime/onnx_runtime.hpp"

#include <dlfcn.h>
#include <link.h>

#include <array>
#include <charconv>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/shared_library.hpp"
#include "jouletree/error.hpp"
#include "runtime/isolated_call.hpp"
#include "runtime/library_version.hpp"

namespace jouletree::runtime {
namespace {

namespace fs = std::filesystem;

constexpr const char* kName = "ONNX Runtime";
/// The official name first; Debian 13 has only the second one, in its development package.
constexpr std::array kLibraryNames = {"libonnxruntime.so.1", "libonnxruntime.so"};

/// The start of the engine's C interface, the same in all its versions. Declared here because the
/// build needs no engine and no headers of one.
struct ApiBase {
  const void* (*get_api)(std::uint32_t version);
  const char* (*get_version_string)();
};

fs::path& folder_of_others() {
  static fs::path folder;
  return folder;
}

/// The numbers behind "libonnxruntime.so.": {1, 31, 1}. Empty for the name of another file.
std::vector<int> version_in(const std::string& name) {
  const std::string start = std::string(kLibraryNames[0]) + ".";
  if (!name.starts_with(start)) return {};
  std::vector<int> numbers{1};
  const char* at = name.data() + start.size();
  const char* const end = name.data() + name.size();
  while (at < end) {
    int number = 0;
    const auto [behind, error] = std::from_chars(at, end, number);
    if (error != std::errc() || (behind != end && *behind != '.')) return {};
    numbers.push_back(number);
    at = behind == end ? end : behind + 1;
  }
  return numbers;
}

std::optional<fs::path> library_in(const fs::path& folder) {
  std::error_code ignored;
  if (folder.empty()) return std::nullopt;
  for (const char* name : kLibraryNames)
    if (fs::path file = folder / name; fs::exists(file, ignored)) return file;
  std::optional<fs::path> newest;
  std::vector<int> version;
  for (fs::directory_iterator entry(folder, ignored), end; entry != end; entry.increment(ignored)) {
    std::vector<int> found = version_in(entry->path().filename().string());
    if (found.empty() || found <= version) continue;
    version = std::move(found);
    newest = entry->path();
  }
  return newest;
}

fs::path path_of(void* library) {
  const link_map* map = nullptr;
  if (dlinfo(library, RTLD_DI_LINKMAP, static_cast<void*>(&map)) != 0) return {};
  std::error_code unreadable;
  fs::path path = fs::canonical(map->l_name, unreadable);
  return unreadable ? fs::path(map->l_name) : path;
}

[[noreturn]] void fail_to_load() {
  const char* reason = dlerror();
  throw Error(ErrorKind::Missing, reason == nullptr ? "it cannot be loaded" : reason);
}

std::string describe(void* library) {
  const auto get_base =
      reinterpret_cast<const ApiBase* (*)()>(dlsym(library, "OrtGetApiBase"));  // NOLINT: dlsym
  if (get_base == nullptr) fail_to_load();
  return fmt::format("{} in {}", get_base()->get_version_string(), path_of(library).string());
}

EngineStatus status_of(const fs::path& file) {
  const IsolatedAnswer answer = call_isolated([&file] {
    const auto [library, problem] = open_shared_library(file.string(), false);
    if (library == nullptr) throw Error(ErrorKind::Missing, problem);
    return describe(library);
  });
  if (answer.ok) return {kName, answer.text, true};
  return {
      kName,
      fmt::format("{} is broken ({}); {}", file.string(), answer.text, how_to_get_onnx_runtime()),
      false};
}

EngineStatus status_from_linker() {
  const IsolatedAnswer answer = call_isolated([] {
    for (const char* name : kLibraryNames) {
      if (void* library = dlopen(name, RTLD_LAZY | RTLD_LOCAL); library != nullptr)
        return describe(library);
    }
    return std::string();
  });
  if (answer.ok && !answer.text.empty()) return {kName, answer.text, true};
  if (answer.ok) return {kName, how_to_get_onnx_runtime(), false};
  return {kName,
          fmt::format("the system's {} is broken ({}); {}", kLibraryNames[0], answer.text,
                      how_to_get_onnx_runtime()),
          false};
}

/// Where the dynamic linker looks for what a name without a folder stands for.
std::optional<fs::path> library_of_linker() {
  std::vector<fs::path> folders;
  if (const char* const chosen = std::getenv("LD_LIBRARY_PATH"); chosen != nullptr) {
    std::string_view rest = chosen;
    while (!rest.empty()) {
      const std::size_t colon = std::min(rest.find(':'), rest.size());
      folders.emplace_back(rest.substr(0, colon));
      rest.remove_prefix(std::min(colon + 1, rest.size()));
    }
  }
  std::error_code ignored;
  for (const char* folder : {"/usr/local/lib", "/usr/lib64", "/usr/lib"})
    folders.emplace_back(folder);
  for (fs::directory_iterator entry("/usr/lib", ignored), end; entry != end;
       entry.increment(ignored)) {
    if (entry->path().filename().string().ends_with("-linux-gnu")) folders.push_back(entry->path());
  }
  for (const fs::path& folder : folders)
    if (auto file = library_in(folder)) return file;
  return std::nullopt;
}

}  // namespace

void set_onnx_runtime_folder(const fs::path& folder) { folder_of_others() = folder; }

std::optional<fs::path> onnx_runtime_library(const fs::path& engine_folder) {
  if (const char* root = std::getenv("ONNXRUNTIME_ROOT"); root != nullptr && *root != '\0') {
    for (const char* inside : {"lib", "lib64", "."})
      if (auto file = library_in(fs::path(root) / inside)) return file;
    return std::nullopt;
  }
  for (const fs::path& folder : {engine_folder, folder_of_others()})
    if (auto file = library_in(folder)) return file;
  return kLibraryNames[0];
}

EngineStatus find_onnx_runtime(const fs::path& engine_folder) {
  if (const char* root = std::getenv("ONNXRUNTIME_ROOT"); root != nullptr && *root != '\0') {
    for (const char* inside : {"lib", "lib64", "."})
      if (const auto file = library_in(fs::path(root) / inside)) return status_of(*file);
    return {
        kName,
        fmt::format("ONNXRUNTIME_ROOT is {}, but there is no lib/{} in it", root, kLibraryNames[0]),
        false};
  }
  for (const fs::path& folder : {engine_folder, folder_of_others()})
    if (const auto file = library_in(folder)) return status_of(*file);
  return status_from_linker();
}

std::optional<std::string> onnx_runtime_version(const fs::path& engine_folder) {
  auto file = onnx_runtime_library(engine_folder);
  if (file && !file->has_parent_path()) file = library_of_linker();
  if (!file) return std::nullopt;
  std::error_code unreadable;
  const fs::path path = fs::canonical(*file, unreadable);
  if (unreadable) return std::nullopt;
  if (auto version = symbol_version(path, "VERS_")) return version;
  const std::vector<int> numbers = version_in(path.filename().string());
  if (numbers.size() < 2) return std::nullopt;
  return fmt::format("{}", fmt::join(numbers, "."));
}

}  // namespace jouletree::runtime
