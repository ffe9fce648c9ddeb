// Power of the CPUs from their utilisation, where there is no sensor. Never called a measurement.
#include <algorithm>
#include <cmath>
#include <fstream>
#include <iterator>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/bounded_json.hpp"
#include "base/json_problem.hpp"
#include "base/number_of.hpp"
#include "jouletree/error.hpp"
#include "meters/cpu_times.hpp"
#include "meters/machine_facts.hpp"
#include "meters/open_functions.hpp"
#include "meters/time_stamp.hpp"

namespace jouletree {
namespace {

/// Means over the servers of a large cloud with all that is in them, per virtual CPU, as published
/// by Cloud Carbon Footprint (methodology, compute, AWS).
constexpr Watts kIdlePerCpu{0.74};
constexpr Watts kFullPerCpu{3.5};

/// In which the kernel counts what CPUs do.
constexpr std::chrono::milliseconds kTick{10};

struct ChosenWatts {
  CpuWatts watts;
  std::string origin;
};

void check(const CpuWatts& watts, const std::string& where) {
  const bool sound = watts.idle.value >= 0 && watts.full.value >= watts.idle.value &&
                     watts.full.value > 0 && std::isfinite(watts.full.value);
  if (!sound) {
    throw Error(ErrorKind::BadInput,
                fmt::format("{}: watts of the CPUs must be 0 ≤ idle ≤ full, such as 20:95", where));
  }
}

CpuWatts from_machine_file(const std::filesystem::path& path) {
  std::error_code unknown;
  // A pipe would be waited for.
  std::ifstream file;
  if (std::filesystem::is_regular_file(path, unknown)) file.open(path);
  if (!file.is_open()) {
    throw Error(ErrorKind::BadInput,
                fmt::format("the machine file '{}' cannot be read; check its path", path.string()));
  }
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  try {
    const nlohmann::json machine = parse_json<nlohmann::json>(text);
    const nlohmann::json& watts = machine.at("cpu_watts");
    const CpuWatts found{{watts.at("idle").get<double>()}, {watts.at("full").get<double>()}};
    check(found, path.string());
    return found;
  } catch (const nlohmann::json::exception& error) {
    throw Error(ErrorKind::BadInput,
                fmt::format("{}: {}; write {{\"cpu_watts\": {{\"idle\": 20, \"full\": 95}}}}",
                            path.string(), json_problem(error, text)));
  }
}

ChosenWatts choose_watts(const ProbeOptions& options, int cpus) {
  if (options.cpu_watts) {
    check(*options.cpu_watts, "--cpu-watts");
    return {*options.cpu_watts, "given by the user"};
  }
  if (!options.machine_file.empty()) {
    return {from_machine_file(options.machine_file),
            fmt::format("from {}", options.machine_file.filename().string())};
  }
  return {{{kIdlePerCpu.value * cpus}, {kFullPerCpu.value * cpus}},
          fmt::format("{} to {} W for each of {}, a mean over cloud servers", kIdlePerCpu.value,
                      kFullPerCpu.value, number_of(cpus, "CPU"))};
}

class EstimateMeter final : public Meter {
 public:
  EstimateMeter(MeterInfo info, const CpuWatts& watts, const ProbeOptions& options)
      : info_(std::move(info)),
        watts_(watts),
        stat_(options.root),
        clock_(*options.clock),
        utilisation_(meters::recent_utilisation(options.root).value_or(0)) {}

  [[nodiscard]] const MeterInfo& info() const override { return info_; }

  [[nodiscard]] Reading read() override {
    Reading reading;
    reading.at = clock_.now();
    if (started_ && forgotten_ == GapReason::None && reading.at - counted_at_ < kTick) {
      // The kernel counts in ticks: it would say the same as before.
      add_power(reading.at - last_at_);
      last_at_ = reading.at;
      reading.total = Joules::from(total_j_);
      return reading;
    }
    const auto times = stat_.read();
    reading.at = clock_.now();
    if (!times) {
      forget(GapReason::Vanished);
      reading.status = Reading::Status::Lost;
      reading.gap = GapReason::Vanished;
      return reading;
    }
    if (started_ && forgotten_ != GapReason::None) {
      reading.status = Reading::Status::Gap;
      reading.gap = forgotten_;
    } else if (started_) {
      add(*times, reading.at - last_at_);
    }
    forgotten_ = GapReason::None;
    started_ = true;
    last_ = *times;
    last_at_ = counted_at_ = reading.at;
    reading.total = Joules::from(total_j_);
    return reading;
  }

  void forget(GapReason why) override {
    if (started_) forgotten_ = why;
  }

 private:
  void add(const meters::CpuTimes& times, Seconds time) {
    // CPUs that go offline take their ticks with them; then the last share goes on.
    if (times.all > last_.all && times.busy >= last_.busy) {
      utilisation_ =
          static_cast<double>(times.busy - last_.busy) / static_cast<double>(times.all - last_.all);
      utilisation_ = std::min(utilisation_, 1.0);
    }
    add_power(time);
  }

  void add_power(Seconds time) {
    const double power_w = std::lerp(watts_.idle.value, watts_.full.value, utilisation_);
    total_j_ += power_w * time.count();
  }

  MeterInfo info_;
  CpuWatts watts_;
  meters::CpuTimesFile stat_;
  const Clock& clock_;
  bool started_ = false;
  GapReason forgotten_ = GapReason::None;
  meters::CpuTimes last_;
  Time last_at_{};
  Time counted_at_{};   ///< When the kernel was last asked.
  double utilisation_;  ///< Of the last minute, until the kernel has counted a tick.
  double total_j_ = 0;
};

}  // namespace

CpuWatts parse_cpu_watts(std::string_view text) {
  const auto colon = text.find(':');
  const auto idle = meters::parse_decimal(text.substr(0, colon));
  const auto full = colon == std::string_view::npos ? std::nullopt
                                                    : meters::parse_decimal(text.substr(colon + 1));
  if (!idle || !full) {
    throw Error(
        ErrorKind::BadInput,
        fmt::format("'{}' does not give the power of CPUs; write idle:full in watts, such as 20:95",
                    text));
  }
  const CpuWatts watts{{*idle}, {*full}};
  check(watts, fmt::format("'{}'", text));
  return watts;
}

namespace meters {

Probe open_estimate(const ProbeOptions& options) {
  Probe probe;
  const int cpus = meters::cpu_count(options.root);
  if (cpus == 0) {
    probe.missing.push_back({"estimate",
                             fmt::format("{} lists no CPUs", (options.root / "proc/stat").string()),
                             "mount /proc"});
    return probe;
  }
  const ChosenWatts chosen = choose_watts(options, cpus);
  MeterInfo info;
  info.name = "estimate:cpu";
  info.source = "estimate";
  info.device = "cpu";
  info.model = meters::cpu_model(options.root);
  info.method = fmt::format("{:.4g} W idle to {:.4g} W busy by utilisation, {}",
                            chosen.watts.idle.value, chosen.watts.full.value, chosen.origin);
  info.level = Level::Package;
  info.kind = MeterKind::Model;
  info.provenance = Provenance::Estimated;
  info.update_period = std::chrono::milliseconds(100);
  probe.meters.push_back(std::make_unique<EstimateMeter>(std::move(info), chosen.watts, options));
  return probe;
}

}  // namespace meters

}  // namespace jouletree
