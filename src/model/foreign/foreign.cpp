#include "model/foreign/foreign.hpp"

#include <fmt/format.h>

#include "jouletree/error.hpp"
#include "model/foreign/file_kind.hpp"

namespace jouletree::model::foreign {

const FileKind* kind_of(const SeenFile& file) {
  for (const auto part :
       {marked_kinds(), archive_kinds(), text_kinds(), message_kinds(), last_kinds()}) {
    for (const FileKind& kind : part)
      if (kind.fits(file)) return &kind;
  }
  return nullptr;
}

std::string sentence(const FileKind& kind, const SeenFile& file) {
  const std::string detail = kind.detail == nullptr ? "" : kind.detail(file);
  const auto with_words = [&](std::string_view text) {
    return fmt::format(fmt::runtime(text), fmt::arg("file", file.file_word()),
                       fmt::arg("folder", file.folder_word()),
                       fmt::arg("path", file.path().string()), fmt::arg("detail", detail));
  };
  return fmt::format("this is {}; {}", with_words(kind.what), with_words(kind.advice));
}

std::string describe_file(const std::filesystem::path& path, std::string_view bytes) {
  const SeenFile file(path, bytes);
  if (const FileKind* kind = kind_of(file)) return sentence(*kind, file);
  return "JouleTree does not know this kind of file, or it is damaged; give an ONNX file or a "
         "TorchScript file, and if it was downloaded, compare its size "
         "with "
         "the original";
}

std::optional<std::string> describe_lost_content(const std::filesystem::path& path,
                                                 std::string_view bytes) {
  const SeenFile file(path, bytes);
  const FileKind* kind = kind_of(file);
  if (kind == nullptr) return std::nullopt;
  for (const std::string_view name : {"empty", "git-lfs", "git-annex", "html", "storage-error"})
    if (kind->name == name) return sentence(*kind, file);
  return std::nullopt;
}

void refuse_folder(const std::filesystem::path& path) {
  std::error_code ignored;
  if (!std::filesystem::is_directory(path, ignored)) return;
  throw Error(ErrorKind::BadInput, fmt::format("{}: {}", path.string(), describe_folder(path)));
}

}  // namespace jouletree::model::foreign
