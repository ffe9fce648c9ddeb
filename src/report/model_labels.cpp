#include "report/model_labels.hpp"

#include <filesystem>
#include <set>

#include <fmt/format.h>

namespace jouletree::report {
namespace {

bool all_differ(const std::vector<std::string>& labels) {
  return std::set<std::string>(labels.begin(), labels.end()).size() == labels.size();
}

}  // namespace

std::vector<std::string> labels_of(const std::vector<std::string>& models) {
  std::vector<std::string> stems;
  std::vector<std::string> files;
  for (const std::string& model : models) {
    std::error_code unknown;
    std::filesystem::path path = std::filesystem::path(model).lexically_normal();
    if (!path.has_filename()) path = path.parent_path();
    // A folder's name has no ending, whatever points are in it.
    stems.push_back(
        (std::filesystem::is_directory(model, unknown) ? path.filename() : path.stem()).string());
    files.push_back(path.filename().string());
  }
  if (all_differ(stems)) return stems;
  if (all_differ(files)) return files;
  std::vector<std::string> labels = models;
  std::set<std::string> seen;
  for (std::size_t i = 0; i < labels.size(); ++i)
    if (!seen.insert(labels[i]).second) labels[i] += fmt::format(" ({})", i + 1);
  return labels;
}

}  // namespace jouletree::report
