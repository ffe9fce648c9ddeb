#include "store/measured_data.hpp"

#include <algorithm>
#include <filesystem>
#include <map>
#include <span>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/mapped_file.hpp"
#include "base/number_of.hpp"
#include "jouletree/error.hpp"
#include "jouletree/operator_csv.hpp"
#include "model/foreign/foreign.hpp"
#include "store/database/database_runs.hpp"
#include "store/profile_folder.hpp"
#include "store/run_place.hpp"

namespace jouletree::store {
namespace {

namespace fs = std::filesystem;

char first_letter(const std::string& path) {
  const MappedFile file(path);
  const std::size_t place = file.bytes().find_first_not_of(" \t\r\n");
  return place == std::string_view::npos ? '\0' : file.bytes()[place];
}

void refuse_predictor(const std::string& path) {
  const MappedFile file(path);
  if (file.bytes().substr(0, 256).find("\"jouletree predictor\"") == std::string_view::npos) return;
  throw Error(ErrorKind::BadInput,
              fmt::format("{}: is a predictor, not data; 'jouletree predict' and 'jouletree "
                          "explain' read it. Name measured data here",
                          path));
}

std::vector<std::string> files_of(const std::vector<std::string>& given) {
  std::vector<std::string> files;
  for (const std::string& one : given) {
    if (!is_folder(one)) {
      files.push_back(one);
      continue;
    }
    for (const std::string& profile : profiles_in(one)) files.push_back(file_of_profile(profile));
  }
  return files;
}

std::vector<TreeRun> read_file(const std::string& path, const Warn& warn) {
  refuse_predictor(path);
  TreeRuns data = first_letter(path) == '{' ? read_tree_file(path) : read_operator_csv(path);
  for (const std::string& warning : data.warnings) warn(warning);
  add_place_of_profile(path, data.runs);
  return std::move(data.runs);
}

std::vector<TreeRun> read_database(const std::string& location, const PlaceChoice& choice,
                                   const Warn& warn) {
  Database database(sql::parse_location(location), sql::Access::Read);
  return database_runs(database, choose_place(database, choice), warn);
}

bool same_values(const TreeRun& one, const TreeRun& other) {
  const auto equal = [](const RunNode& a, const RunNode& b) {
    return a.id == b.id && a.time_s == b.time_s && a.energy_j == b.energy_j &&
           a.predicted_energy_j == b.predicted_energy_j;
  };
  return std::equal(one.nodes.begin(), one.nodes.end(), other.nodes.begin(), other.nodes.end(),
                    equal);
}

/// A training step is no repetition of an inference of the same model.
bool has_same_nodes(const TreeRun& one, const TreeRun& other) {
  return std::equal(one.nodes.begin(), one.nodes.end(), other.nodes.begin(), other.nodes.end(),
                    [](const RunNode& a, const RunNode& b) { return a.id == b.id; });
}

/// Joins the runs of files; what stands in two of them is taken once.
class JoinedRuns {
 public:
  explicit JoinedRuns(const Warn& warn) : warn_(warn) {}

  void add(std::vector<TreeRun> runs) {
    std::map<std::string, std::size_t> copies;   // by the file that has them, too
    std::map<std::string, std::size_t> repeats;  // the same run, measured again
    const std::size_t before = runs_.size();
    std::string file;
    for (TreeRun& run : runs) {
      file = run.file;
      // A table may list an operator twice; only what another file has is a copy.
      TreeRun* const known = find(run, before);
      if (known != nullptr && same_values(*known, run)) {
        ++copies[known->file];
        if (!known->measured_on) take_place(run, *known);
        continue;
      }
      if (known != nullptr) ++repeats[known->file];
      places_.emplace(key_of(run), runs_.size());
      runs_.push_back(std::move(run));
    }
    report(file, copies, repeats);
  }

  std::vector<TreeRun> take() && { return std::move(runs_); }

 private:
  static std::string key_of(const TreeRun& run) { return run.device + "\n" + run.nodes.front().id; }

  /// Of two copies, one may say where it was measured.
  static void take_place(TreeRun& from, TreeRun& run) {
    run.measured_on = std::move(from.measured_on);
    run.measured_at = std::move(from.measured_at);
  }

  TreeRun* find(const TreeRun& run, std::size_t before) {
    TreeRun* found = nullptr;
    const auto [first, last] = places_.equal_range(key_of(run));
    for (auto place = first; place != last; ++place) {
      if (place->second >= before || !has_same_nodes(runs_[place->second], run)) continue;
      found = &runs_[place->second];
      if (same_values(*found, run)) break;
    }
    return found;
  }

  void report(const std::string& file, const std::map<std::string, std::size_t>& copies,
              const std::map<std::string, std::size_t>& repeats) const {
    for (const auto& [other, count] : copies) {
      warn_(fmt::format("{}: {} {} in {}, too; {} used once", file, number_of(count, "run"),
                        agreeing(count, "stands", "stand"), other,
                        agreeing(count, "it is", "they are")));
    }
    for (const auto& [other, count] : repeats) {
      warn_(
          fmt::format("{}: {} {} in {} with other values, too; all of them are used, as repeated "
                      "measurements of the same device",
                      file, number_of(count, "run"), agreeing(count, "stands", "stand"), other));
    }
  }

  const Warn& warn_;
  std::vector<TreeRun> runs_;
  std::multimap<std::string, std::size_t> places_;
};

}  // namespace

bool is_folder(const std::string& path) {
  std::error_code error;
  return fs::is_directory(path, error);
}

std::vector<std::string> profiles_below(const std::string& folder) {
  if (holds_profile(folder)) return {folder};
  std::vector<std::string> found;
  std::error_code error;
  const auto options = fs::directory_options::skip_permission_denied;
  for (fs::recursive_directory_iterator place(folder, options, error), end; place != end;
       place.increment(error)) {
    if (error) break;
    if (place->is_directory(error) && holds_profile(place->path()))
      found.push_back(place->path().string());
  }
  std::sort(found.begin(), found.end());
  return found;
}

std::vector<std::string> profiles_in(const std::string& folder) {
  std::vector<std::string> found = profiles_below(folder);
  if (found.empty()) {
    throw Error(ErrorKind::BadInput,
                fmt::format("{}: holds no profile; name a folder that 'jouletree profile MODEL -o "
                            "FOLDER' wrote, or one above such folders",
                            folder));
  }
  return found;
}

std::vector<std::string> with_profiles_below(const std::vector<std::string>& given) {
  std::vector<std::string> all;
  for (const std::string& one : given) {
    if (!is_folder(one)) {
      all.push_back(one);
      continue;
    }
    const std::vector<std::string> profiles = profiles_below(one);
    if (profiles.empty()) model::foreign::refuse_folder(one);
    all.insert(all.end(), profiles.begin(), profiles.end());
  }
  return all;
}

std::vector<TreeRun> read_data(const std::vector<std::string>& given, const Warn& warn,
                               const PlaceChoice& choice) {
  JoinedRuns joined(warn);
  for (const std::string& file : files_of(given)) {
    joined.add(sql::names_database(file) ? read_database(file, choice, warn)
                                         : read_file(file, warn));
  }
  return std::move(joined).take();
}

std::string file_of_profile(const std::string& given) {
  return is_folder(given) && holds_profile(given) ? profile_file(given, kTreeFile).string() : given;
}

bool is_tree_file(const std::string& path) {
  std::error_code error;
  return fs::is_regular_file(path, error) && first_letter(path) == '{';
}

bool is_operator_csv(const std::string& path) {
  std::error_code error;
  if (!fs::is_regular_file(path, error)) return false;
  // Also those that are none: their reader says what they lack.
  if (fs::path(path).extension() == ".csv") return true;
  const MappedFile file(path);
  const std::string_view header = file.bytes().substr(0, file.bytes().find('\n'));
  const auto has = [&](std::string_view text) {
    return header.find(text) != std::string_view::npos;
  };
  return header.starts_with("name,type,") || has("op_class,") ||
         (has("model_name,") && has(",time_s"));
}

std::string names_of(const std::vector<std::string>& given) {
  constexpr std::size_t kMost = 3;
  const auto shown = std::span(given).first(std::min(kMost, given.size()));
  std::string text = fmt::format("{}", fmt::join(shown, ", "));
  if (given.size() > shown.size()) text += fmt::format(" and {} more", given.size() - shown.size());
  return text;
}

}  // namespace jouletree::store
