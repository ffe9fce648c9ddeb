#include "measure/child_command.hpp"

#include <spawn.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <sstream>
#include <system_error>

#include <fmt/format.h>

#include "jouletree/error.hpp"

extern char** environ;  // NOLINT(readability-redundant-declaration)

namespace jouletree::measure {
namespace {

constexpr int kNotFound = 127;
constexpr int kNotExecutable = 126;

/// The errno of executing this file; 0 if it can be.
int problem_with(const std::string& file) {
  struct stat status = {};
  if (::stat(file.c_str(), &status) != 0) return errno;
  if (S_ISDIR(status.st_mode)) return EISDIR;
  return ::access(file.c_str(), X_OK) == 0 ? 0 : errno;
}

CannotStart cannot_start(const std::string& program, int error) {
  if (error == ENOENT || error == ENOTDIR) {
    const bool is_path = program.find('/') != std::string::npos;
    return {kNotFound, fmt::format("there is no command '{}'; check {}", program,
                                   is_path ? "its path" : "its name and PATH")};
  }
  return {kNotExecutable, fmt::format("'{}' cannot be executed: {}", program,
                                      std::generic_category().message(error))};
}

class SpawnAttributes {
 public:
  explicit SpawnAttributes(const sigset_t& blocked) {
    posix_spawnattr_init(&attributes_);
    posix_spawnattr_setsigmask(&attributes_, &blocked);
    // This program ignores it for its own files; the command shall not.
    sigset_t by_default;
    ::sigemptyset(&by_default);
    ::sigaddset(&by_default, SIGXFSZ);
    posix_spawnattr_setsigdefault(&attributes_, &by_default);
    posix_spawnattr_setflags(&attributes_, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  }
  SpawnAttributes(const SpawnAttributes&) = delete;
  SpawnAttributes& operator=(const SpawnAttributes&) = delete;
  ~SpawnAttributes() { posix_spawnattr_destroy(&attributes_); }

  [[nodiscard]] const posix_spawnattr_t* get() const { return &attributes_; }

 private:
  posix_spawnattr_t attributes_{};
};

CommandEnd end_of(int status) {
  if (WIFSIGNALED(status)) return {0, WTERMSIG(status)};
  return {WEXITSTATUS(status), 0};
}

/// Of a program that is there: then it is not the program that the system did not find.
CannotStart why_not_started(const std::string& program, int error) {
  if ((error == ENOENT || error == ENOTDIR) && !check_command(program)) {
    return {
        kNotExecutable,
        fmt::format("'{}' cannot be executed: the interpreter that its first line names, or the "
                    "loader that it needs, is not there",
                    program)};
  }
  return cannot_start(program, error);
}

}  // namespace

std::optional<CannotStart> check_command(const std::string& program) {
  if (program.find('/') != std::string::npos) {
    const int problem = problem_with(program);
    return problem == 0 ? std::nullopt : std::optional(cannot_start(program, problem));
  }
  const char* const path = std::getenv("PATH");  // NOLINT(concurrency-mt-unsafe)
  std::istringstream folders(path != nullptr ? path : "/bin:/usr/bin");
  int problem = ENOENT;
  for (std::string folder; !program.empty() && std::getline(folders, folder, ':');) {
    const int found = problem_with((folder.empty() ? "." : folder) + "/" + program);
    if (found == 0) return std::nullopt;
    if (found == EACCES) problem = found;
  }
  return cannot_start(program, problem);
}

ChildCommand::ChildCommand(const std::vector<std::string>& words, const sigset_t& blocked) {
  ::prctl(PR_SET_CHILD_SUBREAPER, 1UL, 0UL, 0UL, 0UL);
  std::vector<std::string> owned = words;
  std::vector<char*> pointers;
  pointers.reserve(owned.size() + 1);
  for (std::string& word : owned) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  const SpawnAttributes attributes(blocked);
  const int error =
      ::posix_spawnp(&pid_, pointers[0], nullptr, attributes.get(), pointers.data(), environ);
  if (error != 0) throw StartError(why_not_started(words[0], error));
}

void ChildCommand::reap() {
  int status = 0;
  for (pid_t ended = 0; (ended = ::waitpid(-1, &status, WNOHANG)) > 0;) {
    if (ended == pid_) end_ = end_of(status);
  }
}

}  // namespace jouletree::measure
