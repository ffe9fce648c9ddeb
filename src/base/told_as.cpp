#include "base/told_as.hpp"

namespace jouletree {

std::string told_as(std::string text, const std::filesystem::path& file, const std::string& name) {
  const std::string path = file.string();
  if (path.empty() || name.empty()) return text;
  for (std::size_t at = text.find(path); at != std::string::npos;
       at = text.find(path, at + name.size()))
    text.replace(at, path.size(), name);
  return text;
}

}  // namespace jouletree
