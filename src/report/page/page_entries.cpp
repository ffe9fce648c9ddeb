#include "report/page/page_entries.hpp"

#include <fstream>
#include <iterator>

#include <fmt/format.h>

#include "base/bounded_json.hpp"
#include "base/json_problem.hpp"
#include "base/mapped_file.hpp"
#include "base/number_of.hpp"
#include "jouletree/error.hpp"
#include "report/page/comparison_metrics.hpp"
#include "report/page/page_items.hpp"
#include "store/json_member.hpp"
#include "store/measured_data.hpp"
#include "store/profile_folder.hpp"
#include "store/recording.hpp"
#include "store/sweep_json.hpp"
#include "store/sweep_study.hpp"
#include "zoo/named_model.hpp"

namespace jouletree::report {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;
using store::member;

constexpr const char* kSweepFormat = "jouletree-sweep";
constexpr int kSweepVersion = 1;
constexpr std::size_t kMostRuns = 8;
constexpr std::size_t kMostRecordings = 24;

[[noreturn]] void refuse(const std::string& path, const std::string& problem) {
  throw Error(ErrorKind::BadInput, fmt::format("{}: {}", path, problem));
}

std::string text_of_file(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

Json parse_file(const std::string& path) {
  const MappedFile file(path);
  try {
    return parse_json<Json>(file.bytes());
  } catch (const nlohmann::json::exception& error) {
    refuse(path, fmt::format("is no whole JSON file ({}); make it again", json_problem(error)));
  }
}

std::string text_member(const Json& json, const char* key) {
  const Json& found = member(json, key);
  return found.is_string() ? found.get<std::string>() : "";
}

bool is_json_file(const std::string& path) {
  std::error_code error;
  if (!fs::is_regular_file(path, error)) return false;
  const MappedFile file(path);
  const std::size_t place = file.bytes().find_first_not_of(" \t\r\n");
  return place != std::string_view::npos && file.bytes()[place] == '{';
}

/// A tree file is JSON as well, but one object in each line.
bool is_tree_file(const std::string& path) {
  const MappedFile file(path);
  const std::string_view line = file.bytes().substr(0, file.bytes().find('\n'));
  return line.find("\"frontend_tree\"") != std::string_view::npos;
}

bool begins_like_sweep(const fs::path& folder) {
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder, error))
    if (entry.path().filename().string().starts_with("input_")) return true;
  return fs::is_regular_file(folder / store::kStudyFile, error);
}

/// Runs were added since it was written.
bool is_outdated(const fs::path& sweep_file) {
  std::error_code error;
  const fs::file_time_type written = fs::last_write_time(sweep_file, error);
  if (error) return true;
  for (const auto& entry : fs::recursive_directory_iterator(
           sweep_file.parent_path(), fs::directory_options::skip_permission_denied, error)) {
    std::error_code unreadable;
    if (!entry.path().filename().string().starts_with("input_")) continue;
    if (entry.last_write_time(unreadable) > written && !unreadable) return true;
  }
  return false;
}

/// " (batch 8, sequence 128)", as far as they are known.
std::string sizes_of(const TreeRun& run) {
  std::string sizes;
  if (run.batch) sizes += fmt::format("batch {:g}", *run.batch);
  if (run.sequence)
    sizes += fmt::format("{}sequence {:g}", sizes.empty() ? "" : ", ", *run.sequence);
  return sizes.empty() ? "" : " (" + sizes + ")";
}

ModelNames names_of_profile(const std::string& model, const std::string& folder) {
  const fs::path path = fs::path(folder).lexically_normal();
  const std::string last =
      path.filename().empty() ? path.parent_path().filename().string() : path.filename().string();
  return {model, last == model ? folder : fmt::format("{} ({})", model, last), folder};
}

}  // namespace

void PageReader::read(const std::string& given) {
  try {
    std::error_code error;
    if (fs::is_directory(given, error)) {
      read_folder(given);
    } else if (auto kept = store::kept_models_of(given)) {
      for (const store::KeptModel& model : *kept) add_kept(model);
    } else if (is_json_file(given)) {
      read_json(given);
    } else {
      read_model(given);
    }
  } catch (const Error& error) {
    problems_.emplace_back(error.what());
  }
}

void PageReader::read_folder(const std::string& folder) {
  const fs::path sweep_file = fs::path(folder) / store::kSweepFile;
  if (std::error_code error; fs::exists(sweep_file, error)) {
    if (!is_outdated(sweep_file) || !add_unfinished_sweep(folder)) add_sweep(sweep_file);
    return;
  }
  const std::vector<std::string> profiles = store::profiles_below(folder);
  if (profiles.empty() && begins_like_sweep(folder)) {
    if (add_unfinished_sweep(folder)) return;
    refuse(folder, fmt::format("holds the runs of a sweep, but no {}; make it with 'jouletree "
                               "sweep compile {}'",
                               store::kSweepFile, folder));
  }
  if (profiles.empty()) {
    const std::vector<fs::path> recordings = store::find_folders(folder, store::holds_recording);
    if (recordings.empty()) {
      refuse(folder,
             "holds no profile, no sweep and no recording; name a folder that 'jouletree profile "
             "-o', 'sweep -o' or 'run -o' wrote");
    }
    add_recordings(recordings);
    return;
  }
  for (const std::string& profile : profiles) {
    try {
      read_profile(profile);
    } catch (const Error& error) {
      problems_.emplace_back(error.what());
    }
  }
}

bool PageReader::add_unfinished_sweep(const std::string& folder) {
  std::optional<Json> json;
  try {
    json = store::sweep_json(store::analyse(store::read_study(folder)));
  } catch (const Error&) {
    return false;  // It has no run yet.
  }
  add_sweep_item(*json, folder);
  return true;
}

void PageReader::add_recordings(const std::vector<fs::path>& folders) {
  for (const fs::path& folder : folders) {
    if (entries_.size() >= kMostRecordings) {
      problems_.push_back(fmt::format("{} hold recordings; the first {} are shown",
                                      number_of(folders.size(), "folder"), kMostRecordings));
      return;
    }
    try {
      const std::string label = folder.lexically_normal().filename().string();
      entries_.push_back(
          {{label.empty() ? folder.string() : label, folder.string(), folder.string()},
           "",
           recording_item(store::read_recording(folder), label, folder.string()),
           {}});
    } catch (const Error& error) {
      problems_.emplace_back(error.what());
    }
  }
}

void PageReader::read_profile(const std::string& folder) {
  const store::ProfileView view = store::read_profile_folder(folder, store::Leftovers::Leave).view;
  const std::string tree_line = text_of_file(store::profile_file(folder, store::kTreeFile));
  const ModelNames names = names_of_profile(view.model, folder);
  try {
    ComparedProfile profile = compared_profile(view, tree_line, folder, view.model);
    profile.trials = store::trials_in(folder);
    add_profile(std::move(profile), tree_line, names);
  } catch (const Error& error) {
    // What was measured is in another file.
    problems_.push_back(fmt::format("{}; its counts are left out", error.what()));
    entries_.push_back({names, view.model, profile_item(view, tree_line, view.model, folder), {}});
  }
}

void PageReader::add_profile(ComparedProfile profile, std::string_view tree_line,
                             const ModelNames& names, const std::vector<std::string>& notes) {
  const std::string& model = profile.view.model;
  PageEntry entry{names, model, {}, {}};
  entry.item = profile_item(profile.view, tree_line, model, profile.model.file);
  for (const std::string& note : notes) entry.item["notes"].push_back(note);
  entry.compared = std::move(profile);
  entries_.push_back(std::move(entry));
}

void PageReader::add_kept(const store::KeptModel& kept) {
  add_profile(compared_profile(kept, kept.label), kept.tree_line,
              {kept.label, kept.longer_label, kept.place}, kept.notes);
}

void PageReader::add_sweep(const fs::path& file) {
  const Json json = parse_file(file.string());
  if (text_member(json, "format") != kSweepFormat)
    refuse(file.string(), "is no study of 'jouletree sweep'");
  const Json& version = member(json, "version");
  if (!version.is_number_integer() || version.get<int>() != kSweepVersion) {
    refuse(file.string(), fmt::format("has version {}; this program reads version {}: use a newer "
                                      "one, or compile the study again",
                                      version.dump(), kSweepVersion));
  }
  add_sweep_item(json, file.parent_path());
}

void PageReader::add_sweep_item(const Json& json, const fs::path& folder) {
  const fs::path path = folder.lexically_normal();
  const std::string last =
      path.filename().empty() ? path.parent_path().filename().string() : path.filename().string();
  const std::string name = last.empty() ? (folder / store::kSweepFile).string() : last;
  entries_.push_back({{name, folder.string(), (folder / store::kSweepFile).string()},
                      "",
                      sweep_item(json, name, folder.string()),
                      {}});
}

void PageReader::read_json(const std::string& file) {
  if (is_tree_file(file)) {
    read_trees(file);
    return;
  }
  const fs::path path(file);
  const Json json = parse_file(file);
  if (text_member(json, "format") == kSweepFormat) {
    add_sweep(path);
  } else if (path.filename() == store::kProfileFile) {
    read_profile(path.has_parent_path() ? path.parent_path().string() : ".");
  } else if (!add_printed(json, file, path.stem().string())) {
    refuse(file,
           "is neither a prediction nor a cross-validation, a comparison, a sweep or a profile; "
           "name what 'jouletree predict', 'crossvalidate' or 'compare' printed with --format "
           "json");
  }
}

bool PageReader::add_printed(const Json& json, const std::string& file, const std::string& name) {
  if (member(json, "folds").is_array() && member(json, "overall").is_object()) {
    const std::string longer = file.empty() ? name : fs::path(file).filename().string();
    entries_.push_back({{name, longer, file.empty() ? name : file},
                        "",
                        crossvalidation_item(json, name, file),
                        {}});
    return true;
  }
  if (is_comparison(json)) {
    read_comparison(json, file);
    return true;
  }
  if (!member(json, "runs").is_array()) return false;
  read_predictions(json, file);
  return true;
}

void PageReader::read_predictions(const Json& json, const std::string& file) {
  const Json& runs = json["runs"];
  for (const Json& run : runs) {
    if (&run - &runs.front() >= static_cast<std::ptrdiff_t>(kMostRuns)) {
      problems_.push_back(fmt::format("{}: holds {}; the first {} are shown",
                                      file.empty() ? "the prediction" : file,
                                      number_of(runs.size(), "prediction"), kMostRuns));
      break;
    }
    const std::string model = text_member(run, "model");
    const std::string name = model + ", predicted";
    const auto in = [&](const std::string& place) {
      return place.empty() ? name : fmt::format("{} ({})", name, place);
    };
    entries_.push_back({{name, in(fs::path(file).filename().string()), in(file)},
                        model,
                        prediction_item(run, name, file),
                        {}});
  }
}

void PageReader::read_comparison(const Json& json, const std::string& file) {
  for (const Json& one : json["models"]) {
    const std::string model = text_member(one, "model");
    const std::string name = model + ", compared";
    const std::string source = file.empty() ? text_member(one, "file") : file;
    PageEntry entry{{name, fmt::format("{} ({})", name, source), source + "#" + model},
                    model,
                    empty_item("compared", name, source),
                    {}};
    const std::vector<tree::MetricResult> metrics =
        metrics_in(member(one, "metrics"), metrics_.entries());
    entry.item["metrics"] = page_metrics(metrics);
    if (const Json& notes = member(one, "notes"); notes.is_array()) entry.item["notes"] = notes;
    if (&one == &json["models"].front() && member(json, "differences").is_array()) {
      entry.item["notes"].push_back(
          "where profiles differ, module by module, is shown where the profiles themselves are "
          "given");
    }
    entry.compared.emplace();
    entry.compared->model.label = name;
    entry.compared->model.file = source;
    entry.compared->model.knows_types = false;
    entry.compared->model.metrics = metrics;
    entries_.push_back(std::move(entry));
  }
}

void PageReader::read_trees(const std::string& file) {
  TreeRuns data = read_tree_file(file);
  for (const std::string& warning : data.warnings) problems_.push_back(warning);
  if (data.runs.size() > kMostRuns) {
    problems_.push_back(fmt::format("{}: holds {}; the first {} are shown", file,
                                    number_of(data.runs.size(), "run"), kMostRuns));
    data.runs.resize(kMostRuns);
  }
  for (const TreeRun& run : data.runs) {
    entries_.push_back({{run.model, run.model + sizes_of(run),
                         fmt::format("{}{} ({})", run.model, sizes_of(run), place_of(run))},
                        run.model,
                        run_item(run, run.model, place_of(run)),
                        {}});
  }
}

void PageReader::read_model(const std::string& given) {
  const std::shared_ptr<const Graph> graph = zoo::read_or_make(given, settings_);
  const ModelTree tree = build_tree(graph, applicable_settings(*graph, settings_));
  const std::vector<tree::MetricResult> metrics = metrics_.of(tree, tree.name);
  ModelNames names = names_of_model(given);
  names.name += ", counted";
  add_counted(tree, metrics, names, given);
}

void PageReader::add_counted(const ModelTree& tree, const std::vector<tree::MetricResult>& metrics,
                             const ModelNames& names, const std::string& source) {
  PageEntry entry{names, tree.name, counted_item(tree, metrics, tree.name, source), {}};
  entry.compared.emplace();
  entry.compared->model = compared_model(tree, tree.name, metrics);
  entries_.push_back(std::move(entry));
}

}  // namespace jouletree::report
