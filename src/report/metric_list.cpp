#include "report/metric_list.hpp"

#include <algorithm>
#include <ostream>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "base/text_table.hpp"

namespace jouletree::report {
namespace {

using Json = nlohmann::ordered_json;

/// Of what a metric is known: of the model file, and of a profile.
std::vector<std::string> known_of(const tree::MetricEntry& entry) {
  std::vector<std::string> what;
  if (entry.from_tree) what.emplace_back("model");
  if (entry.from_profile || (entry.from_tree && !entry.metric.of_file))
    what.emplace_back("profile");
  return what;
}

std::string known_of_text(const tree::MetricEntry& entry) {
  return fmt::format("{}", fmt::join(known_of(entry), ", "));
}

/// A text in a cell of a Markdown table.
std::string cell(std::string_view text) {
  std::string escaped;
  for (const char c : text) {
    if (c == '|') escaped += '\\';
    escaped += c;
  }
  return printable(escaped);
}

void print_markdown_table(const char* title, const std::vector<tree::MetricEntry>& entries,
                          std::ostream& out) {
  if (entries.empty()) return;
  out << fmt::format("\n## {}\n\n", title);
  out << "| name | shown as | unit | how | known of | better | compared as | meaning |\n"
         "|---|---|---|---|---|---|---|---|\n";
  for (const tree::MetricEntry& entry : entries) {
    const Metric& metric = entry.metric;
    out << fmt::format("| `{}` | {} | {} | {} | {} | {} | {} | {} |\n", cell(metric.name),
                       cell(metric.friendly_name), cell(metric.unit), name_of(metric.provenance),
                       known_of_text(entry), name_of(metric.better), name_of(metric.comparison),
                       cell(metric.description));
  }
}

constexpr const char* kMarkdownHead =
    "# Metrics\n"
    "\n"
    "Everything that JouleTree says about a whole model. `name` is the key in JSON. `jouletree "
    "metrics` prints this list in the\n"
    "terminal, and `jouletree metrics --format markdown` made this page from the metric catalogue; "
    "[adding-a-metric.md](adding-a-metric.md)\n"
    "shows how to add one.\n"
    "\n"
    "- **how**: `counted` from the graph; `measured` by a clock or a sensor. An energy that no "
    "sensor "
    "told is marked `estimated` where it\n"
    "  is shown, and so is what follows from it.\n"
    "- **known of**: `model` is a model file, which never runs; `profile` is what `jouletree "
    "profile` "
    "measured. Counts of a profile are\n"
    "  those of the model as it was given.\n"
    "- **better**: which of two values people want. `compare` calls neither better where intervals "
    "overlap, where a measured or\n"
    "  estimated value has no interval (a score needs none: it is the same every time on the same "
    "data), or where one of two values is 0.\n"
    "- **compared as**: `ratio` is other ÷ first, `reciprocal` first ÷ other, `difference` other − "
    "first.\n";

}  // namespace

void print_metric_table(const std::vector<tree::MetricEntry>& entries, std::ostream& out) {
  using Align = TextTable::Align;
  using Fit = TextTable::Fit;
  TextTable table({{"name", Align::Left, Fit::Whole},
                   {"shown as", Align::Left, Fit::Whole, 5},
                   {"unit", Align::Left, Fit::Whole, 1},
                   {"how", Align::Left, Fit::Whole, 3},
                   {"known of", Align::Left, Fit::Whole, 4},
                   {"better", Align::Left, Fit::Whole, 2},
                   {"compared as", Align::Left, Fit::Whole, 6},
                   {"meaning", Align::Left}});
  for (const tree::MetricEntry& entry : entries) {
    const Metric& metric = entry.metric;
    table.add_row({std::string(metric.name), std::string(metric.friendly_name),
                   std::string(metric.unit), std::string(name_of(metric.provenance)),
                   known_of_text(entry), std::string(name_of(metric.better)),
                   std::string(name_of(metric.comparison)), std::string(metric.description)});
  }
  table.print(out);
}

void print_metric_json(const std::vector<tree::MetricEntry>& entries, std::ostream& out) {
  Json list = Json::array();
  for (const tree::MetricEntry& entry : entries) {
    const Metric& metric = entry.metric;
    Json row = {{"name", metric.name},
                {"friendly_name", metric.friendly_name},
                {"unit", metric.unit},
                {"provenance", name_of(metric.provenance)},
                {"known_of", known_of(entry)},
                {"better", name_of(metric.better)},
                {"comparison", name_of(metric.comparison)},
                {"description", metric.description}};
    if (!entry.plugin.empty()) row["source"] = entry.plugin;
    list.push_back(std::move(row));
  }
  const Json json = {{"metrics", std::move(list)}};
  out << json.dump(2, ' ', false, Json::error_handler_t::replace) << '\n';
}

void print_metric_markdown(const std::vector<tree::MetricEntry>& entries, std::ostream& out) {
  std::vector<tree::MetricEntry> counted;
  std::vector<tree::MetricEntry> measured;
  std::vector<tree::MetricEntry> scored;
  std::vector<tree::MetricEntry> of_plugins;
  for (const tree::MetricEntry& entry : entries) {
    if (!entry.plugin.empty()) {
      of_plugins.push_back(entry);
    } else if (entry.metric.of_score) {
      scored.push_back(entry);
    } else {
      (tree::is_only_measured(entry) ? measured : counted).push_back(entry);
    }
  }
  out << kMarkdownHead;
  print_markdown_table("Counted from the model", counted, out);
  print_markdown_table("Measured in a profile", measured, out);
  print_markdown_table("Scored on data", scored, out);
  print_markdown_table("From plug-ins", of_plugins, out);
}

}  // namespace jouletree::report
