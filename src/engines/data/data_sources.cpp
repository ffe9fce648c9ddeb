#include "engines/data/data_sources.hpp"

#include <algorithm>
#include <charconv>
#include <fstream>

#include <fmt/format.h>

#include "base/zip_archive.hpp"
#include "engines/data/npy_file.hpp"
#include "engines/data/npy_header.hpp"
#include "engines/data/proto_file.hpp"

namespace jouletree::engines {
namespace {

namespace fs = std::filesystem;

/// `told` is the flag with what was given.
[[noreturn]] void fail(const std::string& told, const std::string& problem) {
  throw Error(ErrorKind::BadInput, fmt::format("{}: {}", told, problem));
}

struct GivenSource {
  std::string input;
  fs::path path;
};

/// Names of inputs and of files may both contain '=': what exists decides.
GivenSource split(const std::string& given, const std::string& told) {
  if (fs::exists(given)) return {"", given};
  for (std::size_t at = given.find('='); at != std::string::npos; at = given.find('=', at + 1)) {
    if (at > 0 && fs::exists(given.substr(at + 1)))
      return {given.substr(0, at), given.substr(at + 1)};
  }
  const std::size_t at = given.find('=');
  const std::string path = at == std::string::npos ? given : given.substr(at + 1);
  if (at == 0 || path.empty()) fail(told, "give NAME=FILE.npy, NAME=FILE.pb, FILE.npz or a folder");
  fail(told, fmt::format("there is no file {}", path));
}

enum class Kind { Folder, Npy, Npz, Proto };

Kind kind_of(const fs::path& path, const std::string& told) {
  if (fs::is_directory(path)) return Kind::Folder;
  // A pipe could only be read once, and nobody may ever write to it.
  if (!fs::is_regular_file(path)) fail(told, fmt::format("{} is not a file", path.string()));
  std::string begin(kNpyMark.size(), '\0');
  std::ifstream file(path, std::ios::binary);
  if (!file) fail(told, fmt::format("{} cannot be read", path.string()));
  file.read(begin.data(), static_cast<std::streamsize>(begin.size()));
  const std::string extension = path.extension().string();
  if (begin.starts_with(kNpyMark) || extension == ".npy") return Kind::Npy;
  if (begin.starts_with(kZipMark) || extension == ".npz") return Kind::Npz;
  if (extension == ".pb") return Kind::Proto;
  fail(told, fmt::format("{} is not a .npy, .npz or .pb file", path.string()));
}

/// The number in "input_7.pb"; nothing for another name.
std::optional<std::size_t> position_in(const std::string& name) {
  constexpr std::string_view kBegin = "input_";
  constexpr std::string_view kEnd = ".pb";
  if (!name.starts_with(kBegin) || !name.ends_with(kEnd)) return std::nullopt;
  std::size_t position = 0;
  const char* const end = name.data() + name.size() - kEnd.size();
  const auto parsed = std::from_chars(name.data() + kBegin.size(), end, position);
  if (parsed.ec != std::errc{} || parsed.ptr != end) return std::nullopt;
  return position;
}

std::vector<OfferedTensor> read_folder(const fs::path& folder, const std::string& told,
                                       ScratchFiles& scratch) {
  std::vector<std::pair<std::size_t, fs::path>> files;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
    if (const auto position = position_in(entry.path().filename().string()))
      files.emplace_back(*position, entry.path());
  }
  if (files.empty()) {
    const bool above = fs::exists(folder / "test_data_set_0");
    fail(told, fmt::format("there is no input_0.pb in this folder{}",
                           above ? "; take test_data_set_0 in it" : ""));
  }
  std::sort(files.begin(), files.end());
  std::vector<OfferedTensor> offered;
  offered.reserve(files.size());
  for (const auto& [position, path] : files)
    offered.push_back({read_proto(path, scratch), "", position});
  return offered;
}

}  // namespace

std::vector<OfferedTensor> read_data_source(const std::string& given, ScratchFiles& scratch,
                                            std::string_view flag, const WantedArray& wanted) try {
  const std::string told = fmt::format("{} {}", flag, given);
  const GivenSource source = split(given, told);
  const Kind kind = kind_of(source.path, told);
  const bool names_inputs = kind == Kind::Folder || kind == Kind::Npz;
  if (names_inputs && !source.input.empty()) {
    fail(told, fmt::format("{} may hold data for several inputs: give it without '{}='",
                           source.path.string(), source.input));
  }
  std::vector<OfferedTensor> offered;
  switch (kind) {
    case Kind::Folder: return read_folder(source.path, told, scratch);
    case Kind::Npy: offered.push_back({read_npy(source.path, scratch), source.input, {}}); break;
    case Kind::Proto:
      offered.push_back({read_proto(source.path, scratch), source.input, {}});
      break;
    case Kind::Npz:
      for (FileTensor& tensor : read_npz(source.path, scratch, wanted))
        offered.push_back({std::move(tensor), "", {}});
      for (OfferedTensor& array : offered) array.wanted_input = array.tensor.name;
  }
  return offered;
} catch (const fs::filesystem_error& error) {
  fail(fmt::format("{} {}", flag, given), error.code().message());
}

}  // namespace jouletree::engines
