#include "report/kept_calibrations.hpp"

#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstring>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/number_of.hpp"
#include "base/replaced_file.hpp"
#include "jouletree/error.hpp"
#include "report/predictor_use.hpp"
#include "store/sql/location.hpp"

namespace jouletree::report {
namespace {

namespace fs = std::filesystem;

/// Letters and digits with single dashes between them.
std::string file_word(std::string_view text) {
  constexpr std::size_t kLongest = 48;
  std::string word;
  for (const char letter : text) {
    const auto code = static_cast<unsigned char>(letter);
    const bool is_kept = code < 0x80 && (std::isalnum(code) != 0 || letter == '.');
    if (is_kept) {
      word += static_cast<char>(std::tolower(code));
    } else if (!word.empty() && word.back() != '-') {
      word += '-';
    }
    if (word.size() == kLongest) break;
  }
  while (word.ends_with('-')) word.pop_back();
  return word;
}

std::string newest_date(const Predictor& predictor) {
  std::string newest;
  for (const TrainedOn& trained : predictor.info().measured_on)
    newest = std::max(newest, trained.to);
  return newest;
}

bool is_for(const Predictor& predictor, const MeasuredOn& here) {
  const auto& places = predictor.info().measured_on;
  return !places.empty() && parts_elsewhere(places, here).empty();
}

/// 0 for what is no predictor, and can go.
std::size_t models_in(const fs::path& file) {
  try {
    return Predictor::read(file).info().models.size();
  } catch (const Error&) {
    return 0;
  }
}

/// What to say to predict with this one.
std::string way_to(const KeptCalibration& calibration, const MeasuredOn& here) {
  const auto& places = calibration.predictor.info().measured_on;
  const std::vector<tree::PlacePart> parts = parts_elsewhere(places, here);
  const bool is_thread_count = parts == std::vector{tree::PlacePart::Threads};
  return fmt::format("{} ({})", places_text(places),
                     is_thread_count ? fmt::format("--threads {}", *places.front().place.threads)
                                     : "--predictor " + calibration.file.string());
}

}  // namespace

fs::path calibrations_folder() { return store::sql::default_file().parent_path() / "calibrations"; }

fs::path calibration_file(const MeasuredOn& place) {
  constexpr std::size_t kDigits = 8;  // Of the key: enough to tell machines of one user apart.
  std::vector<std::string> words;
  const auto add = [&](std::string_view text) {
    if (std::string word = file_word(text); !word.empty()) words.push_back(std::move(word));
  };
  add(place.machine);
  add(place.machine_key.substr(0, kDigits));
  add(place.engine);
  add(tree::short_version(place.version));
  if (place.threads) add(number_of(*place.threads, "thread"));
  if (place.device != "cpu") add(place.device);
  if (place.level != "all") add(place.level);
  if (place.execution != "sequential") add(place.execution);
  return calibrations_folder() / fmt::format("{}.json", fmt::join(words, "-"));
}

void prepare_calibrations() {
  const fs::path folder = calibrations_folder();
  std::error_code error;
  fs::create_directories(folder, error);
  const bool is_writable = !error && ::access(folder.c_str(), W_OK | X_OK) == 0;
  if (is_writable) return;
  throw Error(
      ErrorKind::BadInput,
      fmt::format("{}: calibrations cannot be kept there: {}; set XDG_DATA_HOME to a folder "
                  "that you may write",
                  folder.string(), error ? error.message() : std::strerror(errno)));
}

KeptPlace keep_calibration(const Predictor& predictor) {
  const auto& places = predictor.info().measured_on;
  if (places.empty())
    throw Error(ErrorKind::BadInput, "a predictor that names no machine is no calibration");
  prepare_calibrations();
  KeptPlace kept{calibration_file(places.front().place), {}};
  const std::size_t models = predictor.info().models.size();
  const std::size_t older = models_in(kept.file);
  if (older > 2 * models) {
    kept.stays = fmt::format(
        "the calibration there learned from {}, this one from {}: it stays; "
        "remove it to have this one used",
        number_of(older, "model"), models);
    return kept;
  }
  replace_file(kept.file, predictor.text());
  return kept;
}

std::vector<KeptCalibration> kept_calibrations(const fs::path& folder, const store::Warn& warn) {
  std::vector<fs::path> files;
  std::error_code error;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end;
       entry.increment(error)) {
    if (entry->path().extension() == ".json" && !entry->path().filename().string().starts_with('.'))
      files.push_back(entry->path());
  }
  std::sort(files.begin(), files.end());
  std::vector<KeptCalibration> all;
  for (const fs::path& file : files) {
    try {
      all.push_back({file, Predictor::read(file)});
    } catch (const Error& problem) {
      warn(fmt::format("this calibration is left out: {}", problem.what()));
    }
  }
  std::stable_sort(all.begin(), all.end(), [](const auto& one, const auto& other) {
    return newest_date(one.predictor) > newest_date(other.predictor);
  });
  return all;
}

const KeptCalibration* calibration_for(const std::vector<KeptCalibration>& all,
                                       const MeasuredOn& here) {
  const auto found = std::find_if(all.begin(), all.end(), [&](const KeptCalibration& one) {
    return is_for(one.predictor, here);
  });
  return found == all.end() ? nullptr : &*found;
}

std::string no_calibration_text(const std::vector<KeptCalibration>& all, const MeasuredOn& here) {
  std::string text = fmt::format(
      "there is no calibration of this machine ({}): '{}' makes one in a quarter of an hour, or "
      "name a predictor",
      tree::place_text(here), calibrate_command(here));
  std::vector<std::string> others;
  for (const KeptCalibration& one : all)
    if (!one.predictor.info().measured_on.empty()) others.push_back(way_to(one, here));
  if (!others.empty()) text += fmt::format("; there are: {}", fmt::join(others, "; "));
  return text;
}

}  // namespace jouletree::report
