#include "report/serve/contained_path.hpp"

#include <algorithm>
#include <system_error>

namespace jouletree::report {
namespace {

namespace fs = std::filesystem;

bool is_below(const fs::path& root, const fs::path& path) {
  const auto [at_root, at_path] = std::mismatch(root.begin(), root.end(), path.begin(), path.end());
  return at_root == root.end() || (std::next(at_root) == root.end() && at_root->empty());
}

bool leads_out(const fs::path& root, const fs::directory_entry& entry) {
  std::error_code error;
  if (!entry.is_symlink(error)) return false;
  const fs::path target = fs::canonical(entry.path(), error);
  return error || !is_below(root, target);
}

}  // namespace

std::optional<fs::path> contained_path(const fs::path& root,
                                       const std::vector<std::string>& segments) {
  fs::path path = root;
  for (const std::string& segment : segments) path /= segment;
  std::error_code error;
  path = fs::canonical(path, error);
  return error || !is_below(root, path) ? std::nullopt : std::optional(path);
}

bool has_link_out(const fs::path& root, const fs::path& folder) {
  std::error_code error;
  const fs::directory_iterator entries(folder, error);
  return std::any_of(begin(entries), end(entries),
                     [&](const fs::directory_entry& entry) { return leads_out(root, entry); });
}

}  // namespace jouletree::report
