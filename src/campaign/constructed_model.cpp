#include "campaign/constructed_model.hpp"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>
#include <iterator>
#include <sstream>

#include <fmt/format.h>

#include "jouletree/error.hpp"
#include "runtime/python_programs.hpp"

namespace jouletree::campaign {
namespace {

namespace fs = std::filesystem;

/// Runs a program without input; what it prints goes to a file. Returns its exit code, -1 where it
/// could not be started or was killed.
int run_program(const std::vector<std::string>& words, const fs::path& output) {
  std::vector<char*> arguments;
  for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, output.c_str(),
                                   O_WRONLY | O_CREAT | O_TRUNC, 0600);
  posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, STDERR_FILENO);
  pid_t pid = 0;
  const int problem =
      posix_spawnp(&pid, arguments[0], &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (problem != 0) return -1;
  int status = 0;
  while (::waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/// The last line says what went wrong.
std::string last_line(const fs::path& file) {
  std::ifstream stream(file);
  std::string line;
  std::string last = "it ended without a word";
  while (std::getline(stream, line))
    if (!line.empty()) last = line;
  return last;
}

}  // namespace

fs::path constructed_model(const Item& item, const fs::path& folder, const fs::path& scratch) {
  const auto files = runtime::python_files();
  const auto refuse = [&](const std::string& why) {
    throw Error(ErrorKind::BadInput, fmt::format("{}: {}", item.target, why));
  };
  if (!files)
    refuse("functions of Python need JouleTree's Python files, which this installation lacks");
  const fs::path request = scratch / "request.json";
  const fs::path result = scratch / "model.pt";
  const fs::path output = scratch / "output.txt";
  nlohmann::ordered_json inputs = nlohmann::ordered_json::object();
  for (const auto& [name, shape] : item.inputs) inputs[name] = shape;
  std::ofstream(request) << nlohmann::ordered_json{{"function", item.target},
                                                   {"arguments", item.arguments},
                                                   {"inputs", inputs},
                                                   {"folder", folder.string()},
                                                   {"result", result.string()}};
  std::string problem = "no Python was found; install one with PyTorch, or name it in the plan";
  for (const fs::path& python : runtime::python_programs(item.python)) {
    const fs::path script = *files / "jouletree/torch/constructing.py";
    const int code = run_program({python.string(), script.string(), request.string()}, output);
    if (code == 0) return result;
    problem = fmt::format("{} says: {}", python.string(), last_line(output));
    // 3: it has no PyTorch; another one may.
    constexpr int kNoTorch = 3;
    if (code != kNoTorch) break;
  }
  refuse(problem);
  return result;
}

}  // namespace jouletree::campaign
