#pragma once

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "jouletree/probe.hpp"
#include "support/sim_clock.hpp"
#include "support/temp_folder.hpp"

namespace jouletree::test {

/// A folder that looks like the root of a machine. Files are written in place, so that who holds
/// one open sees the new content, as with the files of the kernel.
class FakeRoot {
 public:
  [[nodiscard]] std::filesystem::path path() const { return folder_.path(); }
  [[nodiscard]] ProbeOptions options(const Clock& clock) const {
    ProbeOptions options;
    options.root = path();
    options.clock = &clock;
    return options;
  }
  void write(const std::string& file, const std::string& text) const {
    const std::filesystem::path target = path() / file;
    std::filesystem::create_directories(target.parent_path());
    std::ofstream(target) << text;
  }
  void append(const std::string& file, const std::string& text) const {
    std::ofstream(path() / file, std::ios::app) << text;
  }
  /// A file of the kernel that vanishes can no longer be read by who holds it open.
  void remove(const std::string& file) const {
    write(file, "");
    std::filesystem::remove(path() / file);
  }

 private:
  TempFolder folder_;
};

/// Joules since the beginning, by seconds.
using TrueEnergy = std::function<double(double)>;

/// 40 W, and 60 W for every second half of a period.
inline TrueEnergy square_wave(double period_s) {
  return [period_s](double time_s) {
    const double periods = std::floor(time_s / period_s);
    const double in_period_s = time_s - periods * period_s;
    const double high_s = periods * period_s / 2 + std::max(0.0, in_period_s - period_s / 2);
    return 40.0 * time_s + 20.0 * high_s;
  };
}

/// One powercap zone whose counter advances as the truth does, but in the steps of real ones.
struct FakeZone {
  std::string folder;  ///< "intel-rapl:0:1".
  std::string name;
  TrueEnergy energy;
  double range_j = 262143;
  double start_j = 0;       ///< What the counter shows at the beginning.
  double update_s = 0.001;  ///< How often it has something new.
  bool present = true;
  /// Updates in [from, to) seconds come only at the end of it.
  double stalled_from_s = 0;
  double stalled_to_s = 0;
  double reset_at_s = -1;  ///< From here on it counts from zero.
  std::int64_t written_uj = -1;

  [[nodiscard]] std::string file(const std::string& what) const {
    return "sys/class/powercap/" + folder + "/" + what;
  }

  [[nodiscard]] std::int64_t shown_uj(double time_s) const {
    if (time_s >= stalled_from_s && time_s < stalled_to_s) time_s = stalled_from_s;
    // Times are whole nanoseconds; without the half one, 0.003 would be in the second millisecond.
    const double updated_s = std::floor((time_s + 0.5e-9) / update_s) * update_s;
    constexpr double kUnit = 1.0 / (1 << 14);
    double joules = start_j + energy(updated_s);
    if (reset_at_s >= 0 && updated_s >= reset_at_s) joules = energy(updated_s) - energy(reset_at_s);
    const double counted_j = std::floor(joules / kUnit) * kUnit;
    return static_cast<std::int64_t>(std::fmod(counted_j, range_j) * 1e6);
  }
};

/// A machine with RAPL zones on simulated time.
class FakeMachine {
 public:
  void add(FakeZone zone) {
    root.write(zone.file("name"), zone.name + "\n");
    root.write(zone.file("max_energy_range_uj"),
               std::to_string(static_cast<std::int64_t>(zone.range_j * 1e6)) + "\n");
    zones.push_back(std::move(zone));
    show();
  }
  [[nodiscard]] double seconds(Time time) const {
    return std::chrono::duration<double>(time - SimClock::begin()).count();
  }
  void advance_to(Time time) {
    clock.advance_to(time);
    show();
  }
  /// Writes what the counters show now.
  void show() {
    const double now_s = seconds(clock.now());
    for (FakeZone& zone : zones) {
      const std::int64_t shown_uj = zone.shown_uj(now_s);
      if (!zone.present || shown_uj == zone.written_uj) continue;
      // Always as long, so that one write replaces all of it.
      char text[32];
      const int size =
          std::snprintf(text, sizeof text, "%015lld\n", static_cast<long long>(shown_uj));
      const std::filesystem::path path = root.path() / zone.file("energy_uj");
      std::FILE* file = std::fopen(path.c_str(), zone.written_uj < 0 ? "w" : "r+");
      if (file == nullptr) throw std::runtime_error("cannot write " + path.string());
      std::fwrite(text, 1, static_cast<std::size_t>(size), file);
      std::fclose(file);
      zone.written_uj = shown_uj;
    }
  }
  void remove(FakeZone& zone) {
    zone.present = false;
    zone.written_uj = -1;
    root.remove(zone.file("energy_uj"));
  }
  void restore(FakeZone& zone) {
    zone.present = true;
    show();
  }

  FakeRoot root;
  SimClock clock;
  std::vector<FakeZone> zones;
};

}  // namespace jouletree::test
