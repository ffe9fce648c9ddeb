#include "tree/other_json.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/bounded_json.hpp"

namespace jouletree::tree {
namespace {

using Json = nlohmann::ordered_json;

/// One row: keys that give a file away, what it is, and what people mean who name it.
struct JsonKind {
  std::array<std::string_view, 2> keys;
  std::string_view what;
  std::string_view advice;
};

constexpr std::string_view kNameTheProfile =
    "name the profile's folder, or the tree.jsonl in it, instead";
constexpr std::string_view kProfileFirst =
    "name the folder that 'jouletree profile MODEL -o FOLDER' wrote, or a tree file";

constexpr JsonKind kKinds[] = {
    {{"source_row", "energy_provenance"},
     "what 'jouletree db export --format jsonl' writes: measurements, for other programs to read",
     kAdviceForExports},
    {{"parent", "energy_provenance"},
     "what 'jouletree db export --what nodes --format jsonl' writes, for other programs to read",
     kAdviceForExports},
    {{"ledger", "operator_types"}, "the profile.json of a profile", kNameTheProfile},
    {{"seconds_per_run", "time_provenance"}, "the trials.jsonl of a profile", kNameTheProfile},
    {{"traceEvents", "traceEvents"}, "a trace, for viewers such as Perfetto", kNameTheProfile},
    {{"host_system", "governor"}, "the environment.json of a profile", kNameTheProfile},
    {{"modules", "operators_without_rule"},
     "what 'jouletree inspect --format json' prints: counts of a model, and nothing measured",
     "to learn from a model, profile it and name the folder of 'jouletree profile MODEL -o "
     "FOLDER'; to predict it, name the model itself"},
    {{"metrics", "runs"},
     "the summary of a recording, which has energy of whole runs and not of operators",
     kProfileFirst},
    {{"date", "metrics"},
     "the power_metrics.json of a recording, which has power over time and not of operators",
     kProfileFirst},
    {{"models", "models"}, "what compare or evaluate print with --format json", kProfileFirst},
    {{"folds", "overall"}, "what 'jouletree crossvalidate --format json' prints", kProfileFirst},
    {{"runs", "runs"},
     "what 'jouletree predict --format json' prints",
     "'jouletree predict -o FILE' writes predictions as a tree file"},
    {{"terms", "trained_ranges"}, "what 'jouletree explain --format json' prints", kProfileFirst},
    {{"verdict", "meters"}, "what 'jouletree doctor --format json' prints", kProfileFirst},
};

/// The whole text or, of a file of lines, the first one.
Json parse(std::string_view text) {
  constexpr std::size_t kLongest = std::size_t{256} << 20U;
  if (text.size() > kLongest) return {};
  Json whole = parse_json_if_any<Json>(text);
  if (!whole.is_discarded()) return whole;
  return parse_json_if_any<Json>(text.substr(0, text.find('\n')));
}

}  // namespace

std::string other_json(std::string_view text) {
  const Json json = parse(text);
  if (!json.is_object() || json.contains("frontend_tree")) return "";
  for (const JsonKind& kind : kKinds) {
    const bool fits = std::all_of(kind.keys.begin(), kind.keys.end(),
                                  [&](std::string_view key) { return json.contains(key); });
    if (fits) return fmt::format("this is {}; {}", kind.what, kind.advice);
  }
  return "";
}

}  // namespace jouletree::tree
