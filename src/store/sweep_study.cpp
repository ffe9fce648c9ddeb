#include "store/sweep_study.hpp"

#include <algorithm>
#include <fstream>
#include <sstream>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "base/bounded_json.hpp"
#include "base/json_or_null.hpp"
#include "base/json_problem.hpp"
#include "base/replaced_file.hpp"
#include "base/text_table.hpp"
#include "jouletree/error.hpp"
#include "store/json_member.hpp"
#include "store/profile_json.hpp"
#include "store/recording.hpp"
#include "store/sweep_run_folder.hpp"

namespace jouletree::store {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr const char* kStudyFormat = "jouletree-study";
constexpr int kStudyVersion = 1;
constexpr const char* kFailuresFile = "failures.json";
constexpr std::string_view kInputPrefix = "input_";

[[noreturn]] void refuse_study(const fs::path& path, const std::string& problem) {
  throw Error(ErrorKind::BadInput, fmt::format("{}: {}", path.string(), problem));
}

/// Files may be anybody's: a study looks at what is below it, and nowhere else.
std::string name_below(const nlohmann::ordered_json& name, const fs::path& file) {
  const std::string text = name.get<std::string>();
  const bool is_one_name = text != ".." && text.find('/') == std::string::npos && !text.empty();
  if (is_one_name) return text;
  refuse_study(file,
               fmt::format("names the folder '{}', which is not one of its own", printable(text)));
}

bool is_study_file(const fs::path& path) {
  std::error_code error;
  return fs::is_regular_file(path, error);
}

Json read_json(const fs::path& file) {
  if (!is_study_file(file)) refuse_study(file, "is not a file");
  std::ostringstream text;
  text << std::ifstream(file).rdbuf();
  try {
    return parse_json<Json>(text.str());
  } catch (const Json::exception& error) {
    refuse_study(file, json_problem(error, text.str()));
  }
}

Json plan_json(const PlannedStudy& plan) {
  Json models = Json::array();
  for (const PlannedModel& model : plan.models) {
    Json formats = Json::array();
    for (const measure::SweepFormat& format : model.formats.formats) {
      formats.push_back({{"format", format.name},
                         {"size", format.size},
                         {"batch", or_null(format.batch)},
                         {"threads", or_null(format.threads)},
                         {"dims", format.dims}});
    }
    models.push_back({{"model", model.name},
                      {"folder", model.folder},
                      {"bytes", or_null(model.bytes)},
                      {"size", model.formats.size_name},
                      {"formats", std::move(formats)}});
  }
  return {{"format", kStudyFormat},
          {"version", kStudyVersion},
          {"settings", plan.settings},
          {"models", std::move(models)}};
}

std::string short_text(const Json& value) {
  constexpr std::size_t kLongest = 60;
  std::string text =
      value.is_null() ? "none" : value.dump(-1, ' ', false, Json::error_handler_t::replace);
  if (text.size() > kLongest) text = text.substr(0, kLongest) + "…";
  return printable(text);
}

/// The first thing in which a study differs from what is asked now; empty where nothing does.
std::string difference(const Json& kept, const Json& asked) {
  const Json& settings = member(kept, "settings");
  for (const auto& [name, value] : asked.at("settings").items()) {
    const Json& there = member(settings, name.c_str());
    if (there != value)
      return fmt::format("{} was {} there and is {} now", name, short_text(there),
                         short_text(value));
  }
  if (member(kept, "models") == asked.at("models")) return "";
  const auto names = [](const Json& json) {
    Json all = Json::array();
    for (const Json& model : member(json, "models")) all.push_back(member(model, "model"));
    return all;
  };
  if (names(kept) != names(asked))
    return fmt::format("the models were {} there and are {} now", short_text(names(kept)),
                       short_text(names(asked)));
  return "the sizes, or a model file, are others";
}

void check_study_version(const Json& json, const fs::path& file) {
  if (member(json, "format") != kStudyFormat)
    refuse_study(file, "is no study of 'jouletree sweep'");
  const Json& version = member(json, "version");
  if (!version.is_number_integer() || version.get<int>() > kStudyVersion) {
    refuse_study(file,
                 fmt::format("is of version {}, and this program reads version {}; use a newer one",
                             short_text(version), kStudyVersion));
  }
}

/// input_… folders right below this one.
std::vector<fs::path> input_folders(const fs::path& folder) {
  return find_folders(folder, [&](const fs::path& path) {
    return path.parent_path() == folder && path.filename().string().starts_with(kInputPrefix);
  });
}

std::vector<std::pair<int, fs::path>> run_folders(const fs::path& format) {
  std::vector<std::pair<int, fs::path>> runs;
  for (const fs::path& path :
       find_folders(format, [&](const fs::path& path) { return path.parent_path() == format; }))
    if (const auto number = sweep_run_number(path.filename().string()))
      runs.emplace_back(*number, path);
  std::sort(runs.begin(), runs.end());
  return runs;
}

class StudyReader {
 public:
  explicit StudyReader(const fs::path& folder) : folder_(fs::path(folder) / "") {
    folder_ = folder_.parent_path();
  }

  SweepStudy read() {
    const fs::path plan = folder_ / kStudyFile;
    if (is_study_file(plan)) {
      read_planned(plan);
    } else {
      read_found();
    }
    const SweepFailures failures = read_sweep_failures(folder_);
    for (measure::StudyModel& model : study_.models) {
      for (measure::StudyFormat& format : model.formats) {
        const auto found = failures.find(failure_key(model.folder, format.name));
        if (found != failures.end()) format.failures = found->second;
      }
    }
    return std::move(study_);
  }

 private:
  void read_planned(const fs::path& file) {
    const Json plan = read_json(file);
    check_study_version(plan, file);
    study_.settings = member(plan, "settings");
    const Json& runs = member(study_.settings, "runs");
    try {
      for (const Json& planned : plan.at("models")) {
        measure::StudyModel& model = study_.models.emplace_back();
        model.name = planned.at("model").get<std::string>();
        model.folder = name_below(planned.at("folder"), file);
        model.size_name = planned.at("size").get<std::string>();
        for (const Json& one : planned.at("formats")) {
          measure::StudyFormat& format = model.formats.emplace_back();
          format.name = name_below(one.at("format"), file);
          format.size = one.at("size").get<double>();
          if (one.at("batch").is_number()) format.batch = one.at("batch").get<Dim>();
          if (one.at("threads").is_number()) format.threads = one.at("threads").get<int>();
          format.dims = one.at("dims").get<std::map<std::string, Dim>>();
          format.planned_runs = runs.is_number_integer() ? runs.get<int>() : 0;
          read_runs(format_folder(folder_, model.folder, format.name), model, format);
        }
      }
    } catch (const Json::exception& error) {
      refuse_study(file, json_problem(error));
    }
  }

  /// Folders that nobody planned: those right here, or one model per folder.
  void read_found() {
    std::vector<fs::path> models{folder_};
    if (input_folders(folder_).empty()) {
      models = find_folders(folder_, [&](const fs::path& path) {
        return path != folder_ && !input_folders(path).empty();
      });
    }
    for (const fs::path& path : models) add_found_model(path);
    if (study_.models.empty()) {
      refuse_study(folder_,
                   "holds no runs (input_FORMAT/run_NUMBER/power_metrics.json); name a folder that "
                   "'jouletree sweep -o' or the experiments of AIPowerMeter wrote");
    }
  }

  void add_found_model(const fs::path& path) {
    measure::StudyModel model;
    const fs::path below = path.lexically_relative(folder_);
    model.folder = below.empty() ? "." : below.string();
    model.name = path.filename().string();
    model.size_name = "input";
    for (const fs::path& input : input_folders(path)) {
      measure::StudyFormat format;
      format.name = input.filename().string().substr(kInputPrefix.size());
      read_runs(input, model, format);
      format.planned_runs = static_cast<int>(format.runs.size());
      if (!format.runs.empty()) model.formats.push_back(std::move(format));
    }
    if (model.formats.empty()) return;
    add_sizes(model);
    study_.models.push_back(std::move(model));
  }

  static void add_sizes(measure::StudyModel& model) {
    std::vector<std::string> names;
    for (const measure::StudyFormat& format : model.formats) names.push_back(format.name);
    const auto sizes = measure::sizes_in_names(names);
    for (std::size_t i = 0; i < sizes.size(); ++i)
      if (!model.formats[i].size) model.formats[i].size = sizes[i];
    std::stable_sort(model.formats.begin(), model.formats.end(), [](const auto& a, const auto& b) {
      return a.size.value_or(0) < b.size.value_or(0);
    });
  }

  void read_runs(const fs::path& folder, measure::StudyModel& model, measure::StudyFormat& format) {
    format.folder = sweep_format_folder(format.name);
    for (const auto& [number, path] : run_folders(folder)) {
      try {
        StoredSweepRun stored = read_sweep_run(path, number);
        if (stored.facts) take_facts(*stored.facts, model, format);
        format.runs.push_back(std::move(stored.run));
        if (study_.machine.is_null()) take_machine(path / "environment.json");
      } catch (const Error& error) {
        study_.notes.push_back(fmt::format("{}; the run is left out", error.what()));
      }
    }
  }

  static void take_facts(const SweepRunFacts& facts, measure::StudyModel& model,
                         measure::StudyFormat& format) {
    if (model.engine.empty()) model.engine = facts.engine;
    if (!format.size) format.size = facts.size;
    if (!format.batch) format.batch = facts.batch;
    if (!format.threads) format.threads = facts.threads;
    if (format.inputs.empty()) format.inputs = facts.inputs;
    if (format.dims.empty()) format.dims = facts.dims;
  }

  void take_machine(const fs::path& file) {
    if (!is_study_file(file)) return;
    try {
      study_.machine = read_json(file);
    } catch (const Error& error) {
      study_.notes.emplace_back(error.what());
    }
  }

  fs::path folder_;
  SweepStudy study_;
};

}  // namespace

std::size_t SweepStudy::runs() const {
  std::size_t count = 0;
  for (const measure::StudyModel& model : models)
    for (const measure::StudyFormat& format : model.formats) count += format.runs.size();
  return count;
}

std::size_t SweepStudy::planned_runs() const {
  std::size_t count = 0;
  for (const measure::StudyModel& model : models)
    for (const measure::StudyFormat& format : model.formats)
      count += static_cast<std::size_t>(std::max(format.planned_runs, 0));
  return count;
}

fs::path format_folder(const fs::path& study, const std::string& model_folder,
                       const std::string& format) {
  return (study / model_folder / sweep_format_folder(format)).lexically_normal();
}

std::string failure_key(const std::string& model_folder, const std::string& format) {
  return model_folder + "/" + format;
}

void begin_study(const fs::path& folder, const PlannedStudy& plan) {
  const fs::path file = folder / kStudyFile;
  const Json asked = plan_json(plan);
  std::error_code error;
  if (is_study_file(file)) {
    const Json kept = read_json(file);
    check_study_version(kept, file);
    const std::string other = difference(kept, asked);
    if (other.empty()) return;
    refuse_study(folder,
                 fmt::format("holds a study of other settings: {}; go on with those settings, or "
                             "name another folder with -o",
                             other));
  }
  if (fs::exists(folder, error) && !fs::is_directory(folder, error))
    refuse_study(folder, "is a file; name a folder with -o");
  if (!input_folders(folder).empty()) {
    refuse_study(
        folder,
        "holds runs of another program; 'jouletree sweep compile' reads them; name another "
        "folder with -o");
  }
  fs::create_directories(folder, error);
  if (error)
    refuse_study(folder, fmt::format("cannot be made: {}; name another folder", error.message()));
  replace_file(file, json_text(asked));
}

SweepStudy read_study(const fs::path& folder) {
  std::error_code error;
  if (!fs::is_directory(folder, error)) refuse_study(folder, "there is no such folder");
  return StudyReader(folder).read();
}

SweepFailures read_sweep_failures(const fs::path& folder) {
  const fs::path file = folder / kFailuresFile;
  if (!is_study_file(file)) return {};
  try {
    return read_json(file).get<SweepFailures>();
  } catch (const Json::exception& error) {
    refuse_study(file, json_problem(error));
  }
}

void write_sweep_failures(const fs::path& folder, const SweepFailures& failures) {
  const fs::path file = folder / kFailuresFile;
  std::error_code error;
  if (failures.empty()) {
    fs::remove(file, error);
  } else {
    replace_file(file, json_text(Json(failures)));
  }
}

}  // namespace jouletree::store
