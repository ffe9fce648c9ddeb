#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace jouletree::model::foreign {

/// What a file that could not be read as an ONNX model is, and how to get from there to a model
/// that can be read: one sentence without the path. Reads little of the file.
[[nodiscard]] std::string describe_file(const std::filesystem::path& path, std::string_view bytes);

/// The same of a folder that was given in the place of a model file; names the models in it.
[[nodiscard]] std::string describe_folder(const std::filesystem::path& path);

/// The same of a file that does not hold what it should, whatever that is: a pointer of Git LFS, a
/// web page, nothing at all. Nothing for all other files.
[[nodiscard]] std::optional<std::string> describe_lost_content(const std::filesystem::path& path,
                                                               std::string_view bytes);

/// Throws Error(BadInput) with the description if the path is a folder.
void refuse_folder(const std::filesystem::path& path);

}  // namespace jouletree::model::foreign
