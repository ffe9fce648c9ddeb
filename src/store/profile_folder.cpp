#include "store/profile_folder.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <fstream>
#include <iterator>
#include <sstream>
#include <system_error>

#include <fmt/format.h>

#include "base/bounded_json.hpp"
#include "base/json_problem.hpp"
#include "base/mapped_file.hpp"
#include "base/replaced_files.hpp"
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

/// A hidden folder for new files that replace older ones.
constexpr const char* kReplacing = ".jouletree-profile";
constexpr std::array kFiles = {kTreeFile,        kLayersFile,  kTrialsFile,      kLatencyFile,
                               kEnvironmentFile, "trace.json", "run_trace.json", kProfileFile};

[[noreturn]] void refuse(const fs::path& path, const std::string& problem) {
  throw Error(ErrorKind::BadInput, fmt::format("{}: {}", path.string(), problem));
}

/// One line per event would be nicer to read, but traces are large and for programs.
std::string text_of_trace(const Json& trace) {
  return trace.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

/// Whoever names a file wants one of those in the folder.
void refuse_file_name(const fs::path& folder) {
  constexpr std::array<std::string_view, 9> kEndings = {
      ".csv", ".json", ".jsonl", ".html", ".svg", ".md", ".txt", ".xlsx", ".parquet"};
  const bool is_file_name =
      std::find(kEndings.begin(), kEndings.end(), folder.extension().string()) != kEndings.end();
  if (std::error_code error; !is_file_name || fs::exists(folder, error)) return;
  refuse(folder,
         fmt::format("is the name of a file, and a profile is a folder; name it '{}', for example: "
                     "in it, layers.csv is the per-layer CSV, tree.jsonl the tree file and "
                     "profile.json everything",
                     fs::path(folder).replace_extension().string()));
}

void make_profile_folder(const fs::path& folder) {
  if (folder.empty())
    throw Error(ErrorKind::BadInput, "the path of the profile is empty: name a folder");
  refuse_file_name(folder);
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

template <class Write>
std::string text_of_stream(const Write& write) {
  std::ostringstream text;
  write(text);
  return text.str();
}

}  // namespace

void prepare_profile_folder(const fs::path& folder, OlderProfile older) {
  make_profile_folder(folder);
  finish_replacing(folder, kReplacing);
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
  ReplacedFiles files(folder, kReplacing);
  files.add(kTreeFile, text_of_stream([&](std::ostream& out) {
              write_tree_line(profile.tree, out, figures);
            }));
  files.add(kLayersFile,
            text_of_stream([&](std::ostream& out) { write_layers(profile.tree, out, figures); }));
  files.add(kTrialsFile, text_of_stream([&](std::ostream& out) { write_trials(profile, out); }));
  files.add(kLatencyFile, text_of_stream([&](std::ostream& out) {
              for (const double seconds : profile.latencies_s) out << fmt::format("{}\n", seconds);
            }));
  files.add(kEnvironmentFile, json_text(environment_json(profile.environment)));
  files.add("trace.json", text_of_trace(trace_json(profile)));
  files.add("run_trace.json", text_of_trace(run_trace_json(profile)));
  files.add(kProfileFile, json_text(profile_json(profile, view)));
  files.commit();
}

void replace_profile_json(const fs::path& folder, std::string_view json) {
  finish_replacing(folder, kReplacing);
  ReplacedFiles files(folder, kReplacing);
  files.add(kProfileFile, json);
  files.commit();
}

void copy_profile_folder(const fs::path& from, const fs::path& to, OlderProfile older,
                         std::string_view json) {
  prepare_profile_folder(to, older);
  if (std::error_code unknown; fs::equivalent(from, to, unknown)) {
    replace_profile_json(to, json);
    return;
  }
  finish_replacing(from, kReplacing);
  ReplacedFiles files(to, kReplacing);
  files.add(kProfileFile, json);
  for (const char* name : kFiles) {
    if (name == std::string_view(kProfileFile)) continue;
    const fs::path path = profile_file(from, name);
    std::error_code error;
    if (!fs::is_regular_file(path, error)) continue;
    files.add(name, MappedFile(path).bytes());
  }
  files.commit();
}

fs::path profile_file(const fs::path& folder, const std::string& name) {
  return find_in_set(folder, kReplacing, name);
}

bool holds_profile(const fs::path& folder) {
  std::error_code error;
  return folder.filename() != kReplacing &&
         fs::is_regular_file(profile_file(folder, kProfileFile), error);
}

StoredProfile read_profile_folder(const fs::path& folder, Leftovers leftovers) {
  if (leftovers == Leftovers::Move) finish_replacing(folder, kReplacing);
  fs::path path = profile_file(folder, kProfileFile);
  std::ifstream file(path);
  if (!file) {  // A writer may have moved it just now.
    path = profile_file(folder, kProfileFile);
    file.open(path);
  }
  if (!file) {
    std::error_code error;
    const bool is_there = fs::exists(folder, error);
    const char* const problem = !is_there ? "does not exist"
                                : fs::exists(path, error)
                                    ? "holds a profile.json that cannot be read"
                                : fs::is_directory(folder, error) ? "holds no profile.json"
                                                                  : "is not a folder";
    throw Error(ErrorKind::BadInput,
                fmt::format("{}: {}; name a folder that 'jouletree profile -o' wrote",
                            folder.string(), problem));
  }
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  StoredProfile stored;
  try {
    stored.json = parse_json<Json>(text);
  } catch (const Json::exception& error) {
    throw Error(ErrorKind::BadInput,
                fmt::format("{}: is a damaged profile ({}); profile the model again", path.string(),
                            json_problem(error, text)));
  }
  stored.view = parse_view(stored.json, path.string());
  return stored;
}

}  // namespace jouletree::store
