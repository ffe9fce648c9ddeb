#include "model/torchscript/archive.hpp"

#include "base/mapped_file.hpp"
#include "base/zip_archive.hpp"

namespace jouletree::model::torchscript {
namespace {

/// The name without the folder that PyTorch puts around everything.
std::string_view inside(std::string_view name) {
  const std::size_t slash = name.find('/');
  return slash == std::string_view::npos ? name : name.substr(slash + 1);
}

bool starts_with(std::string_view text, std::string_view start) {
  return text.substr(0, start.size()) == start;
}

bool looks_pickled(std::string_view bytes) {
  // Protocol 2 or newer, whose first object is PyTorch's number or a dictionary.
  return bytes.size() > 2 && bytes[0] == '\x80' && bytes[1] >= 2 && bytes[1] <= 5;
}

}  // namespace

Archive archive_of(std::string_view bytes) {
  if (looks_pickled(bytes)) return Archive::Checkpoint;
  if (!starts_with(bytes, kZipMark)) return Archive::None;
  bool code = false;
  bool constants = false;
  bool pickle = false;
  bool exported = false;
  bool old = false;
  for (const ZipEntry& file : zip_entries(bytes).value_or(std::vector<ZipEntry>())) {
    const std::string_view entry = inside(file.name);
    code = code || starts_with(entry, "code/");
    constants = constants || entry == "constants.pkl";
    pickle = pickle || entry == "data.pkl";
    exported = exported || starts_with(entry, "serialized_exported_program") ||
               (starts_with(entry, "models/") && entry.ends_with(".json")) ||
               entry == "archive_format";
    old = old || entry == "model.json";
  }
  if (exported) return Archive::ExportedProgram;
  if (pickle && (code || constants)) return Archive::TorchScript;
  if (old) return Archive::OldTorchScript;
  return pickle ? Archive::Checkpoint : Archive::OtherZip;
}

bool is_program(const std::filesystem::path& path) {
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(path, ignored)) return false;
  const MappedFile file(path);
  const Archive kind = archive_of(file.bytes());
  return kind == Archive::TorchScript || kind == Archive::ExportedProgram;
}

bool is_exported(const std::filesystem::path& path) {
  const MappedFile file(path);
  return archive_of(file.bytes()) == Archive::ExportedProgram;
}

}  // namespace jouletree::model::torchscript
