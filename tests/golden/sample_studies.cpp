#include "golden/sample_studies.hpp"

#include <fstream>
#include <string>

#include <fmt/format.h>

namespace jouletree::test {
namespace {

namespace fs = std::filesystem;

void write_file(const fs::path& file, const std::string& text) {
  fs::create_directories(file.parent_path());
  std::ofstream(file) << text;
}

/// Noise that is the same everywhere: within ± 1 per cent.
double noisy(double value, int a, int b) {
  return value * (1 + 0.01 * (((a * 37 + b * 101) % 21) - 10) / 10.0);
}

void write_run(const fs::path& folder, double watts, double latency_s, int noise) {
  std::string lines;
  for (int second = 10; second < 40; second += 2) {
    lines += fmt::format(
        R"({{"date": "2024-03-01 12:00:{}.000000", "metrics": {{"cpu": {{"intel_power": {:.3f}, )"
        R"("total_cpu_power": {:.3f}, "per_process_mem_use_abs": {{"71": 1000000}}}}}}}})"
        "\n",
        second, noisy(watts, second, noise), noisy(watts / 2, second, noise));
  }
  write_file(folder / "power_metrics.json", lines);
  std::string latencies;
  for (int i = 0; i < 40; ++i) latencies += fmt::format("{:.8f}\n", noisy(latency_s, i, noise));
  write_file(folder / "latency.csv", latencies);
}

}  // namespace

void write_sample_studies(const fs::path& folder) {
  const fs::path studies = folder / "studies";
  fs::remove_all(studies);
  for (int tokens = 50; tokens <= 500; tokens += 50) {
    for (int run = 0; run < 3; ++run) {
      const double jump = tokens > 325 ? 1.35 : 1;
      const double latency_s = noisy((0.002 + 5e-5 * tokens) * jump, tokens / 50, run);
      write_run(studies / fmt::format("bert/input_{}/run_{}", tokens, run), 50, latency_s,
                tokens / 50 + run);
    }
  }
  for (const int side : {32, 64}) {
    const fs::path format = studies / fmt::format("torn/input_1x3x{}x{}", side, side);
    write_run(format / "run_0", 40, 1e-5 * side * side, 1);
    write_file(format / "run_1/power_metrics.json", "{\"date\": \"2024-03");
    write_file(format / "run_2/latency.csv", "0.001\n");
  }
  write_file(studies / "newer/study.json", "{\"format\": \"jouletree-study\", \"version\": 2}\n");
  fs::create_directories(studies / "empty");
}

}  // namespace jouletree::test
