#include "report/gate_subjects.hpp"

#include <filesystem>

#include <fmt/format.h>

#include "jouletree/error.hpp"
#include "store/database/database_entry.hpp"
#include "store/measured_data.hpp"
#include "store/profile_folder.hpp"
#include "zoo/named_model.hpp"

namespace jouletree::report {

std::string folder_of_gated(const std::string& given, const char* what) {
  if (!store::is_folder(given)) return given;
  const std::vector<std::string> found = store::profiles_below(given);
  if (found.size() > 1) {
    throw Error(ErrorKind::BadInput,
                fmt::format("{}: holds {} profiles; name one of them as the {}", given,
                            found.size(), what));
  }
  return found.empty() ? given : found.front();
}

ComparedProfile gated_profile(const std::string& given, const char* what) {
  if (const auto kept = store::kept_models_of(given)) {
    if (kept->size() == 1) return compared_profile(kept->front(), kept->front().label);
    throw Error(
        ErrorKind::BadInput,
        fmt::format("{}: holds several models; name one of them as {}#MODEL", given, given));
  }
  if (!store::is_folder(given) && (zoo::is_zoo_name(given) || std::filesystem::exists(given))) {
    throw Error(ErrorKind::BadInput,
                fmt::format("{}: is no profile; measure it first ('jouletree profile {} -o "
                            "FOLDER'), or name the other model with --against",
                            given, given));
  }
  const std::string folder = folder_of_gated(given, what);
  return compared_profile(std::filesystem::path(folder), folder);
}

bool is_missing_baseline(const std::string& baseline) {
  if (store::parse_entry(baseline)) return false;
  return !std::filesystem::exists(baseline) ||
         (store::is_folder(baseline) && !store::holds_profile(baseline));
}

void refuse_update_of(const std::string& given) {
  if (!store::parse_entry(given)) return;
  throw Error(ErrorKind::BadInput,
              fmt::format("--update copies a folder into a folder, but {} is a database; "
                          "'jouletree db import FOLDER --db DATABASE' adds a profile to it",
                          given));
}

GateResult gate_without_baseline(const std::string& baseline, const std::string& now) {
  GateResult gate;
  gate.baseline = baseline;
  gate.now = now;
  gate.how = "there was no baseline";
  gate.is_first = true;
  return gate;
}

}  // namespace jouletree::report
