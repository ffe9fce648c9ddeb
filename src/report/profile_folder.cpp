#include "report/profile_folder.hpp"

#include <fstream>
#include <sstream>

#include <fmt/format.h>

#include "base/replaced_file.hpp"
#include "jouletree/error.hpp"
#include "jouletree/tree_files.hpp"
#include "report/environment_json.hpp"
#include "report/profile_report.hpp"
#include "report/profile_trace.hpp"
#include "report/profile_trials.hpp"
#include "report/profile_view_json.hpp"

namespace jouletree {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr const char* kProfileFile = "profile.json";

void write_file(const fs::path& path, const std::string& text) {
  ReplacedFile file(path);
  file.write(text);
  file.commit();
}

template <class Write>
void write_stream(const fs::path& path, const Write& write) {
  std::ostringstream text;
  write(text);
  write_file(path, text.str());
}

}  // namespace

void make_profile_folder(const fs::path& folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) {
    throw Error(ErrorKind::BadInput,
                fmt::format("cannot make the folder {}: {}", folder.string(), error.message()));
  }
}

void write_profile_folder(const Profile& profile, const ProfileView& view, const fs::path& folder) {
  make_profile_folder(folder);
  const FiguresOf figures = figures_of(profile);
  write_stream(folder / kTreeFile,
               [&](std::ostream& out) { write_tree_line(profile.tree, out, figures); });
  write_stream(folder / "layers.csv",
               [&](std::ostream& out) { write_layers(profile.tree, out, figures); });
  write_stream(folder / "trials.jsonl", [&](std::ostream& out) { write_trials(profile, out); });
  write_stream(folder / "latency.csv", [&](std::ostream& out) {
    for (const double seconds : profile.latencies_s) out << fmt::format("{}\n", seconds);
  });
  write_file(folder / "environment.json", json_text(environment_json(profile.environment)));
  // One line per event would be nicer to read, but traces are large and for programs.
  write_file(folder / "trace.json",
             trace_json(profile).dump(-1, ' ', false, Json::error_handler_t::replace) + "\n");
  // Last, because who finds it expects all the others.
  write_file(folder / kProfileFile, json_text(profile_json(profile, view)));
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
  StoredProfile stored;
  stored.json = Json::parse(file, nullptr, false);
  if (stored.json.is_discarded()) {
    throw Error(ErrorKind::BadInput,
                fmt::format("{}: is no JSON; profile the model again", path.string()));
  }
  stored.view = parse_view(stored.json, path.string());
  return stored;
}

}  // namespace jouletree
