#include "runtime/onnxruntime/kernel_times.hpp"

#include <algorithm>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

namespace jouletree::runtime::onnxruntime {
namespace {

using Json = nlohmann::json;

constexpr std::string_view kKernelSuffix = "_kernel_time";

/// The profile counts microseconds.
double nanoseconds(const Json& event, const char* field) { return event.value(field, 0.0) * 1000; }

/// A kernel inside a loop comes several times in one run, so that only the session itself can tell
/// where a run begins. Its event follows those of its kernels.
double begin_of_last_run(const Json& events) {
  double begin = 0;
  for (const Json& event : events) {
    if (event.value("cat", "") == "Session" && event.value("name", "") == "model_run")
      begin = std::max(begin, nanoseconds(event, "ts"));
  }
  return begin;
}

double median(std::vector<double>& values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

}  // namespace

Json kernel_times(const Json& events) {
  if (!events.is_array())
    throw std::runtime_error("ONNX Runtime's own profile cannot be read, so kernels have no times");
  const double last_run = begin_of_last_run(events);
  std::map<std::string, std::vector<double>> durations;
  Json timeline = Json::array();
  double run_began = 0;
  for (const Json& event : events) {
    const auto name = event.value("name", std::string());
    if (event.value("cat", "") != "Node" || !name.ends_with(kKernelSuffix)) continue;
    const std::string node = name.substr(0, name.size() - kKernelSuffix.size());
    const double lasted = nanoseconds(event, "dur");
    durations[node].push_back(lasted);
    const double began = nanoseconds(event, "ts");
    if (began < last_run) continue;
    run_began = timeline.empty() ? began : std::min(run_began, began);
    const std::string op = event.value("args", Json::object()).value("op_name", std::string());
    timeline.push_back({node, began, lasted, op});
  }
  for (Json& kernel : timeline) kernel[1] = kernel[1].get<double>() - run_began;
  Json kernels = Json::object();
  for (auto& [name, each] : durations) kernels[name] = median(each);
  return {{"kernels", std::move(kernels)}, {"timeline", std::move(timeline)}};
}

}  // namespace jouletree::runtime::onnxruntime
