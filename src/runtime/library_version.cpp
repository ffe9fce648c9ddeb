#include "runtime/library_version.hpp"

#include <elf.h>

#include <algorithm>
#include <cstring>

#include "base/mapped_file.hpp"
#include "base/shared_library.hpp"
#include "jouletree/error.hpp"

namespace jouletree::runtime {
namespace {

/// A structure of the file; nothing where the file ends before.
template <class Structure>
std::optional<Structure> structure_at(std::string_view bytes, std::uint64_t offset) {
  if (offset > bytes.size() || bytes.size() - offset < sizeof(Structure)) return std::nullopt;
  Structure read;
  std::memcpy(&read, bytes.data() + offset, sizeof read);
  return read;
}

/// "1.30.0" where the table of texts has prefix and version as a text of its own.
std::optional<std::string> version_among(std::string_view texts, std::string_view prefix) {
  const std::string wanted = '\0' + std::string(prefix);
  const std::size_t found = texts.find(wanted);
  if (found == std::string_view::npos) return std::nullopt;
  std::string_view version = texts.substr(found + wanted.size());
  version = version.substr(0, version.find('\0'));
  const bool is_version =
      !version.empty() && version.find_first_not_of("0123456789.") == std::string_view::npos;
  return is_version ? std::optional(std::string(version)) : std::nullopt;
}

std::optional<std::string> version_in_library(std::string_view bytes, std::string_view prefix) {
  const auto header = structure_at<Elf64_Ehdr>(bytes, 0);
  if (!header || header->e_shentsize != sizeof(Elf64_Shdr)) return std::nullopt;
  for (std::uint64_t i = 0; i < header->e_shnum; ++i) {
    const auto section = structure_at<Elf64_Shdr>(bytes, header->e_shoff + i * sizeof(Elf64_Shdr));
    if (!section) return std::nullopt;
    const bool is_of_symbols =
        section->sh_type == SHT_STRTAB && (section->sh_flags & SHF_ALLOC) != 0;
    if (!is_of_symbols || section->sh_offset > bytes.size()) continue;
    if (auto version = version_among(bytes.substr(section->sh_offset, section->sh_size), prefix))
      return version;
  }
  return std::nullopt;
}

}  // namespace

std::optional<std::string> symbol_version(const std::filesystem::path& file,
                                          std::string_view prefix) {
  if (!shared_library_problem(file).empty()) return std::nullopt;
  try {
    return version_in_library(MappedFile(file).bytes(), prefix);
  } catch (const Error&) {
    return std::nullopt;  // Removed just now, or not readable.
  }
}

}  // namespace jouletree::runtime
