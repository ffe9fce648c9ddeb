#include "tree/plugin_library.hpp"

#include <dlfcn.h>

#include <algorithm>
#include <system_error>

#include <fmt/format.h>

#include "base/shared_library.hpp"
#include "base/text_table.hpp"

namespace jouletree::tree {
namespace {

constexpr const char* kEntryPoint = "jouletree_metric_plugin";
using EntryPoint = const MetricPlugin* (*)();

[[noreturn]] void refuse(const std::filesystem::path& path, const std::string& reason) {
  throw Error(ErrorKind::BadInput, printable(fmt::format("plug-in {}: {}", path.string(), reason)));
}

/// The linker's own words, without the path that it puts in front.
std::string last_dl_error(const std::string& path) {
  const char* words = dlerror();
  std::string text = words == nullptr ? "unknown error of the dynamic linker" : words;
  if (text.starts_with(path + ": ")) text.erase(0, path.size() + 2);
  return text;
}

std::shared_ptr<void> open_library(const std::filesystem::path& path) {
  std::error_code error;
  const auto status = std::filesystem::status(path, error);
  if (!std::filesystem::exists(status))
    refuse(path, error ? error.message() : std::string("No such file or directory"));
  if (std::filesystem::is_directory(status)) refuse(path, "is a folder, not a shared library");
  // A name without a slash would be looked for in the folders of system libraries.
  const std::string place = (path.has_parent_path() ? path : "." / path).string();
  if (const std::string problem = shared_library_problem(place); !problem.empty())
    refuse(path, problem);
  // All symbols now: one that is missing is an error here, not a crash in the middle of a report.
  void* handle = dlopen(place.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr)
    refuse(path, fmt::format("cannot be loaded as a shared library: {}", last_dl_error(place)));
  return {handle, [](void* open) { dlclose(open); }};
}

const MetricPlugin* call_entry_point(void* handle, const std::filesystem::path& path) {
  void* symbol = dlsym(handle, kEntryPoint);
  if (symbol == nullptr) {
    refuse(path, fmt::format("is not a metric plug-in: it has no function {}; see "
                             "jouletree/metric_plugin.hpp",
                             kEntryPoint));
  }
  try {
    return reinterpret_cast<EntryPoint>(symbol)();
  } catch (...) {
    refuse(path, fmt::format("{} threw an exception", kEntryPoint));
  }
}

/// Reads the version and, where it is another one, nothing else.
void check_interface(const MetricPlugin* plugin, const std::filesystem::path& path) {
  if (plugin == nullptr) refuse(path, fmt::format("{} gave nothing", kEntryPoint));
  if (plugin->interface_version != kMetricPluginVersion) {
    refuse(path, fmt::format("was built for version {} of the metric interface, this program has "
                             "version {}: rebuild it with this program's headers",
                             plugin->interface_version, kMetricPluginVersion));
  }
  if (plugin->layout != kMetricPluginLayout) {
    refuse(path,
           "was built with other headers or compiler settings than this program: rebuild it with "
           "this program's headers");
  }
}

bool says_something(std::string_view text) { return text.data() != nullptr && !text.empty(); }

bool is_key(std::string_view text) {
  return says_something(text) && std::all_of(text.begin(), text.end(), [](char c) {
           return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
         });
}

template <class Enumeration>
bool within(Enumeration value, Enumeration last) {
  return static_cast<int>(value) >= 0 && static_cast<int>(value) <= static_cast<int>(last);
}

}  // namespace

PluginLibrary::PluginLibrary(const std::filesystem::path& path)
    : handle_(open_library(path)), plugin_(call_entry_point(handle_.get(), path)) {
  check_interface(plugin_, path);
  if (!says_something(plugin_->name)) refuse(path, "does not say its name");
  label_ = printable(fmt::format("'{}' ({})", plugin_->name, path.string()));
  if (plugin_->metrics.data() == nullptr || plugin_->metrics.empty())
    refuse(path, fmt::format("'{}' gives no list of metrics", plugin_->name));
}

std::string problem_of(const Metric& metric) {
  if (!is_key(metric.name)) {
    return fmt::format("a metric has the name '{}'; a name consists of a-z, 0-9 and _",
                       says_something(metric.name) ? metric.name : "");
  }
  std::string lacks;
  if (!says_something(metric.friendly_name)) {
    lacks = "has no friendly name";
  } else if (!says_something(metric.unit)) {
    lacks = "has no unit; give 1 for plain numbers";
  } else if (!says_something(metric.description)) {
    lacks = "has no description";
  } else if (metric.short_unit.data() == nullptr && !metric.short_unit.empty()) {
    lacks = "has a short unit that points nowhere";
  } else if (!within(metric.scale, MetricScale::Si) ||
             !within(metric.comparison, MetricComparison::Reciprocal) ||
             !within(metric.better, Better::Higher) ||
             !within(metric.provenance, Provenance::Predicted)) {
    lacks = "has a scale, comparison, sense or provenance that does not exist";
  } else if (metric.from_tree == nullptr && metric.from_profile == nullptr) {
    lacks = "has no function that computes it";
  }
  return lacks.empty() ? "" : fmt::format("metric '{}' {}", metric.name, lacks);
}

}  // namespace jouletree::tree
