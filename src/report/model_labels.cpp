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

ModelNames names_of_model(const std::string& given) {
  std::error_code unknown;
  std::filesystem::path path = std::filesystem::path(given).lexically_normal();
  if (!path.has_filename()) path = path.parent_path();
  // A folder's name has no ending, whatever points are in it.
  const bool is_folder = std::filesystem::is_directory(given, unknown);
  return {(is_folder ? path.filename() : path.stem()).string(), path.filename().string(), given};
}

std::vector<std::string> distinct_labels(const std::vector<ModelNames>& models) {
  std::vector<std::string> labels(models.size());
  for (const auto which : {&ModelNames::name, &ModelNames::longer, &ModelNames::whole}) {
    for (std::size_t i = 0; i < models.size(); ++i) labels[i] = models[i].*which;
    if (all_differ(labels)) return labels;
  }
  std::set<std::string> seen;
  for (std::size_t i = 0; i < labels.size(); ++i)
    if (!seen.insert(labels[i]).second) labels[i] += fmt::format(" ({})", i + 1);
  return labels;
}

}  // namespace jouletree::report
