#include "base/shared_library.hpp"

#include <dlfcn.h>
#include <elf.h>

#include <cstring>
#include <optional>
#include <string_view>

#include <fmt/format.h>

#include "base/mapped_file.hpp"
#include "jouletree/error.hpp"

namespace jouletree {
namespace {

/// This program itself is a library of the right kind.
constexpr unsigned kThisMachine =
#if defined(__x86_64__)
    EM_X86_64;
#elif defined(__aarch64__)
    EM_AARCH64;
#else
    EM_NONE;
#endif
constexpr unsigned char kThisOrder =
    __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? ELFDATA2LSB : ELFDATA2MSB;

template <class Header>
std::optional<Header> header_at(std::string_view bytes, std::size_t at) {
  if (at > bytes.size() || sizeof(Header) > bytes.size() - at) return std::nullopt;
  Header header;
  std::memcpy(&header, bytes.data() + at, sizeof header);
  return header;
}

std::string problem_of_segments(std::string_view bytes, const Elf64_Ehdr& file) {
  constexpr const char* kCutOff = "it was cut off: copy or install it again";
  bool is_loaded = false;
  for (std::size_t i = 0; i < file.e_phnum; ++i) {
    if (file.e_phoff > bytes.size()) return kCutOff;
    const auto segment = header_at<Elf64_Phdr>(bytes, file.e_phoff + i * sizeof(Elf64_Phdr));
    if (!segment) return kCutOff;
    if (segment->p_type != PT_LOAD && segment->p_type != PT_DYNAMIC) continue;
    if (segment->p_offset > bytes.size() || segment->p_filesz > bytes.size() - segment->p_offset)
      return kCutOff;
    is_loaded = is_loaded || segment->p_type == PT_LOAD;
  }
  return is_loaded ? "" : "it is not a shared library";
}

std::string problem_of_bytes(std::string_view bytes) {
  constexpr const char* kOther = "it is not a shared library";
  const auto file = header_at<Elf64_Ehdr>(bytes, 0);
  if (bytes.empty()) return "it is empty";
  if (!bytes.starts_with(std::string_view(ELFMAG, SELFMAG))) return kOther;
  if (!file) return "it was cut off: copy or install it again";
  const unsigned char* const ident = static_cast<const unsigned char*>(file->e_ident);
  const bool is_ours = ident[EI_CLASS] == ELFCLASS64 && ident[EI_DATA] == kThisOrder &&
                       (kThisMachine == EM_NONE || file->e_machine == kThisMachine);
  if (!is_ours) return "it is a library for another kind of processor";
  if (file->e_type != ET_DYN || file->e_phentsize != sizeof(Elf64_Phdr)) return kOther;
  return problem_of_segments(bytes, *file);
}

}  // namespace

std::string shared_library_problem(const std::filesystem::path& file) {
  try {
    return problem_of_bytes(MappedFile(file).bytes());
  } catch (const Error& error) {
    // It begins with the path, which the caller names in its own way.
    const std::string before = file.string() + ": ";
    const std::string told = error.what();
    return told.starts_with(before) ? told.substr(before.size()) : told;
  }
}

OpenedLibrary open_shared_library(const std::string& file, bool all_symbols) {
  if (file.find('/') != std::string::npos) {
    if (const std::string problem = shared_library_problem(file); !problem.empty())
      return {nullptr, fmt::format("{}: {}", file, problem)};
  }
  void* const handle = ::dlopen(file.c_str(), (all_symbols ? RTLD_NOW : RTLD_LAZY) | RTLD_LOCAL);
  if (handle != nullptr) return {handle, ""};
  const char* const words = ::dlerror();
  return {nullptr, words == nullptr ? file + ": it cannot be loaded" : words};
}

}  // namespace jouletree
