#include "report/monitor/metrics_text.hpp"

#include <cmath>
#include <iterator>
#include <string_view>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/display_width.hpp"

namespace jouletree::report {
namespace {

/// JSON replaces bytes that are not UTF-8.
std::string as_utf8(const std::string& text) {
  const nlohmann::json value(text);
  return nlohmann::json::parse(value.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace))
      .get<std::string>();
}

std::string label_value(std::string_view text) {
  std::string result;
  for (const char letter : as_utf8(printable(text))) {
    if (letter == '"' || letter == '\\') result += '\\';
    result += letter;
  }
  return result;
}

std::string sample_value(double value) {
  if (std::isnan(value)) return "NaN";
  if (std::isinf(value)) return value > 0 ? "+Inf" : "-Inf";
  return fmt::format("{}", value);
}

void append_sample(std::string& text, const std::string& name, const MetricSample& sample) {
  text += name;
  char before = '{';
  for (const MetricLabel& label : sample.labels) {
    fmt::format_to(std::back_inserter(text), "{}{}=\"{}\"", before, label.name,
                   label_value(label.value));
    before = ',';
  }
  if (!sample.labels.empty()) text += '}';
  fmt::format_to(std::back_inserter(text), " {}\n", sample_value(sample.value));
}

}  // namespace

std::string metrics_text(const std::vector<MetricFamily>& families) {
  std::string text;
  for (const MetricFamily& family : families) {
    fmt::format_to(std::back_inserter(text), "# HELP {0} {1}\n# TYPE {0} {2}\n", family.name,
                   family.help, family.type == MetricFamily::Type::Counter ? "counter" : "gauge");
    for (const MetricSample& sample : family.samples) append_sample(text, family.name, sample);
  }
  return text;
}

}  // namespace jouletree::report
