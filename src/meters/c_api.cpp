#include <cmath>
#include <functional>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "jouletree/error.hpp"
#include "jouletree/meter.h"
#include "jouletree/probe.hpp"
#include "jouletree/session.hpp"
#include "meters/time_stamp.hpp"

struct jt_session {
  jouletree::Session session;
};

struct jt_result {
  jouletree::WindowResult result;
  std::string summed;
};

namespace jouletree::meters {
namespace {

thread_local std::string last_error;

/// Runs something that may throw; foreign languages cannot catch.
template <class Result>
Result guarded(Result on_failure, const std::function<Result()>& run) {
  try {
    last_error.clear();
    return run();
  } catch (const std::exception& error) {
    last_error = error.what();
  } catch (...) {
    last_error = "an unknown error";
  }
  return on_failure;
}

struct Settings {
  ProbeOptions probe;
  SessionOptions session;
};

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  while (!text.empty()) {
    const auto end = std::min(text.find(separator), text.size());
    if (end > 0) parts.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return parts;
}

void apply(std::string_view key, std::string_view value, Settings& settings) {
  if (key == "interval_ms") {
    const auto milliseconds = parse_decimal(value);
    if (!milliseconds)
      throw Error(ErrorKind::BadInput, fmt::format("interval_ms: '{}' is not a number", value));
    settings.session.interval = std::chrono::nanoseconds(std::llround(*milliseconds * 1e6));
  } else if (key == "sources") {
    for (const std::string_view name : split(value, ',')) settings.probe.sources.emplace_back(name);
  } else if (key == "cpu_watts") {
    settings.probe.cpu_watts = parse_cpu_watts(value);
  } else if (key == "nvml_library") {
    settings.probe.nvml_library = value;
  } else {
    throw Error(ErrorKind::BadInput,
                fmt::format("there is no setting '{}'; known are interval_ms, sources, cpu_watts, "
                            "nvml_library",
                            key));
  }
}

Settings parse_settings(const char* root, const char* text) {
  Settings settings;
  if (root != nullptr) settings.probe.root = root;
  for (const std::string_view pair : split(text == nullptr ? "" : text, ';')) {
    const auto equals = pair.find('=');
    if (equals == std::string_view::npos)
      throw Error(ErrorKind::BadInput, fmt::format("'{}' is not a setting; write key=value", pair));
    apply(pair.substr(0, equals), pair.substr(equals + 1), settings);
  }
  return settings;
}

double or_nan(const std::optional<Joules>& energy) { return energy ? energy->value() : NAN; }
double or_nan(const std::optional<Watts>& power) { return power ? power->value : NAN; }

jt_energy energy_of(const std::optional<EnergyRange>& range) {
  if (!range) return {NAN, NAN, NAN};
  return {range->value.value(), or_nan(range->low), or_nan(range->high)};
}

jt_provenance provenance_of(Provenance provenance) {
  switch (provenance) {
    case Provenance::Counted: return JT_COUNTED;
    case Provenance::Measured: return JT_MEASURED;
    case Provenance::Estimated: return JT_ESTIMATED;
    case Provenance::Predicted: return JT_PREDICTED;
  }
  return JT_ESTIMATED;
}

template <class Energy>
jt_domain domain_of(const char* name, const char* level, const Energy& energy) {
  return {name,
          level,
          provenance_of(energy.provenance),
          energy_of(energy.gross),
          energy_of(energy.above_idle),
          or_nan(energy.average),
          or_nan(energy.peak)};
}

}  // namespace
}  // namespace jouletree::meters

using jouletree::meters::guarded;

extern "C" {

jt_session* jt_open(const char* root, const char* settings) {
  return guarded<jt_session*>(nullptr, [&] {
    const auto parsed = jouletree::meters::parse_settings(root, settings);
    jouletree::Probe probe = jouletree::open_probe(parsed.probe);
    return new jt_session{jouletree::Session(std::move(probe.meters), parsed.session)};
  });
}

void jt_close(jt_session* session) { delete session; }

uint64_t jt_begin(jt_session* session, const char* name) {
  return guarded<uint64_t>(0, [&] { return session->session.begin(name == nullptr ? "" : name); });
}

jt_result* jt_end(jt_session* session, uint64_t window) {
  return guarded<jt_result*>(nullptr, [&] {
    auto* result = new jt_result{session->session.finish(window), ""};
    result->summed = fmt::format("{}", fmt::join(result->result.total.summed, "+"));
    return result;
  });
}

void jt_free_result(jt_result* result) { delete result; }

int jt_measure_baseline(jt_session* session, double seconds) {
  return guarded<int>(-1, [&] {
    if (!(seconds > 0)) {
      throw jouletree::Error(jouletree::ErrorKind::BadInput,
                             "a baseline takes more than 0 seconds");
    }
    session->session.measure_baseline(std::chrono::nanoseconds(std::llround(seconds * 1e9)));
    return 0;
  });
}

double jt_duration_s(const jt_result* result) {
  return jouletree::Seconds(result->result.duration()).count();
}

size_t jt_domain_count(const jt_result* result) { return result->result.domains.size(); }

int jt_domain_at(const jt_result* result, size_t index, jt_domain* out) {
  return guarded<int>(-1, [&] {
    const auto& domain = result->result.domains.at(index);
    *out = jouletree::meters::domain_of(domain.name.c_str(), name_of(domain.level).data(), domain);
    return 0;
  });
}

int jt_total(const jt_result* result, jt_domain* out) {
  *out = jouletree::meters::domain_of(result->summed.c_str(), "total", result->result.total);
  return 0;
}

size_t jt_gap_count(const jt_result* result) { return result->result.gaps.size(); }

const char* jt_last_error(void) { return jouletree::meters::last_error.c_str(); }
}
