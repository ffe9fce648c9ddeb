#include "meters/machine_facts.hpp"

#include <algorithm>
#include <cstring>
#include <fstream>

#include <fmt/format.h>

#include "meters/value_file.hpp"

namespace jouletree::meters {
namespace {

/// The value behind the first "key : value" of /proc/cpuinfo.
std::string cpuinfo_value(const std::filesystem::path& root, const std::string& key) {
  std::ifstream file(root / "proc/cpuinfo");
  std::string line;
  while (std::getline(file, line)) {
    const auto colon = line.find(": ");
    if (line.starts_with(key) && colon != std::string::npos) return line.substr(colon + 2);
  }
  return "";
}

}  // namespace

std::string cpu_model(const std::filesystem::path& root) {
  return cpuinfo_value(root, "model name");
}

bool is_virtual_machine(const std::filesystem::path& root) {
  const std::string flags = " " + cpuinfo_value(root, "flags") + " ";
  return flags.find(" hypervisor ") != std::string::npos;
}

std::string container_name(const std::filesystem::path& root) {
  std::error_code error;
  if (std::filesystem::exists(root / ".dockerenv", error)) return "Docker";
  if (std::filesystem::exists(root / "run/.containerenv", error)) return "Podman";
  if (const auto named = read_line(root / "run/systemd/container"); named && !named->empty())
    return *named;
  std::ifstream groups(root / "proc/1/cgroup");
  for (std::string line; std::getline(groups, line);) {
    for (const char* name : {"kubepods", "docker", "containerd", "lxc", "podman"})
      if (line.find(name) != std::string::npos) return name;
  }
  return "";
}

std::string kernel_command(const std::filesystem::path& root, const std::string& command) {
  return (container_name(root).empty() ? "" : "on the host of this container: ") + command;
}

std::string group_command(const std::filesystem::path& root, const std::string& files) {
  return kernel_command(
      root, fmt::format("sudo groupadd -f energy && sudo usermod -aG energy \"$(id -un)\" && sudo "
                        "chgrp energy {0} && sudo chmod g+r {0}; then log in again",
                        files));
}

std::vector<std::filesystem::path> folders_in(const std::filesystem::path& directory,
                                              const std::string& prefix) {
  std::vector<std::filesystem::path> found;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(directory, error)) {
    const std::string name = entry.path().filename();
    if (name.starts_with(prefix) && entry.is_directory(error)) found.push_back(entry.path());
  }
  std::sort(found.begin(), found.end(), [](const auto& a, const auto& b) {
    return ::strverscmp(a.filename().c_str(), b.filename().c_str()) < 0;
  });
  return found;
}

}  // namespace jouletree::meters
