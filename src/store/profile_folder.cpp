#include "store/profile_folder.hpp"

#include <unistd.h>

#include <array>
#include <cerrno>
#include <deque>
#include <fstream>
#include <iterator>
#include <sstream>
#include <system_error>

#include <fmt/format.h>

#include "base/json_problem.hpp"
#include "base/replaced_file.hpp"
#include "jouletree/error.hpp"
#include "jouletree/tree_files.hpp"
#include "store/environment_json.hpp"
#include "store/profile_json.hpp"
#include "store/profile_trace.hpp"
#include "store/profile_trials.hpp"
#include "store/profile_view_json.hpp"
#include "store/recorded_power.hpp"

namespace jouletree::store {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr const char* kProfileFile = "profile.json";
/// Last the one that says that all are there.
constexpr std::array kFiles = {kTreeFile,          "layers.csv", "trials.jsonl",   "latency.csv",
                               "environment.json", "trace.json", "run_trace.json", kProfileFile};

[[noreturn]] void refuse(const fs::path& path, const std::string& problem) {
  throw Error(ErrorKind::BadInput, fmt::format("{}: {}", path.string(), problem));
}

/// One line per event would be nicer to read, but traces are large and for programs.
std::string text_of_trace(const Json& trace) {
  return trace.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

void make_profile_folder(const fs::path& folder) {
  std::error_code error;
  if (fs::exists(folder, error) && !fs::is_directory(folder, error))
    refuse(folder, "is a file; name a folder with -o");
  fs::create_directories(folder, error);
  if (error)
    refuse(folder, fmt::format("cannot be made: {}; name another folder", error.message()));
  if (::access(folder.c_str(), W_OK | X_OK) != 0) {
    refuse(folder, fmt::format("cannot be written: {}; name a folder that you may write",
                               std::generic_category().message(errno)));
  }
}

/// The files of a profile that are made at once.
class ProfileFiles {
 public:
  explicit ProfileFiles(fs::path folder) : folder_(std::move(folder)) {}

  void add(const char* name, const std::string& text) {
    ReplacedFile& file = files_.emplace_back(folder_ / name);
    file.write(text);
    file.flush();
  }

  template <class Write>
  void add_stream(const char* name, const Write& write) {
    std::ostringstream text;
    write(text);
    add(name, text.str());
  }

  /// The older profile ends with its last file, so that no two are ever mixed up.
  void commit() {
    std::error_code error;
    fs::remove(folder_ / kProfileFile, error);
    for (ReplacedFile& file : files_) file.commit();
  }

 private:
  fs::path folder_;
  std::deque<ReplacedFile> files_;
};

}  // namespace

void prepare_profile_folder(const fs::path& folder, OlderProfile older) {
  make_profile_folder(folder);
  std::error_code error;
  for (const std::string_view name : {kPowerFile, kSummaryFile}) {
    if (fs::exists(folder / name, error))
      refuse(folder, fmt::format("holds a recording ({}); name another folder", name));
  }
  for (const char* name : kFiles) {
    const fs::path file = folder / name;
    if (!fs::exists(fs::symlink_status(file, error))) continue;
    if (!fs::is_regular_file(file, error))
      refuse(file, "is in the way, and no file; name another folder");
    if (older == OlderProfile::Keep) {
      refuse(folder,
             fmt::format("holds a profile already ({}); name another folder, or replace the older "
                         "profile with --replace",
                         name));
    }
  }
}

void write_profile_folder(const measure::Profile& profile, const ProfileView& view,
                          const fs::path& folder, OlderProfile older) {
  prepare_profile_folder(folder, older);
  const FiguresOf figures = measure::figures_of(profile);
  ProfileFiles files(folder);
  files.add_stream(kTreeFile,
                   [&](std::ostream& out) { write_tree_line(profile.tree, out, figures); });
  files.add_stream("layers.csv",
                   [&](std::ostream& out) { write_layers(profile.tree, out, figures); });
  files.add_stream("trials.jsonl", [&](std::ostream& out) { write_trials(profile, out); });
  files.add_stream("latency.csv", [&](std::ostream& out) {
    for (const double seconds : profile.latencies_s) out << fmt::format("{}\n", seconds);
  });
  files.add("environment.json", json_text(environment_json(profile.environment)));
  files.add("trace.json", text_of_trace(trace_json(profile)));
  files.add("run_trace.json", text_of_trace(run_trace_json(profile)));
  // Last, because who finds it expects all the others.
  files.add(kProfileFile, json_text(profile_json(profile, view)));
  files.commit();
}

bool holds_profile(const fs::path& folder) {
  std::error_code error;
  return fs::is_regular_file(folder / kProfileFile, error);
}

StoredProfile read_profile_folder(const fs::path& folder) {
  const fs::path path = folder / kProfileFile;
  std::ifstream file(path);
  if (!file) {
    throw Error(ErrorKind::BadInput,
                fmt::format("{}: cannot be read; name a folder that 'jouletree profile -o' wrote",
                            path.string()));
  }
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  StoredProfile stored;
  try {
    stored.json = Json::parse(text);
  } catch (const Json::exception& error) {
    throw Error(ErrorKind::BadInput,
                fmt::format("{}: is a damaged profile ({}); profile the model again", path.string(),
                            json_problem(error, text)));
  }
  stored.view = parse_view(stored.json, path.string());
  return stored;
}

}  // namespace jouletree::store
