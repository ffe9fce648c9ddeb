#include "report/gate_limits.hpp"

#include <array>
#include <charconv>
#include <cmath>

namespace jouletree::report {
namespace {

constexpr std::array kLimitKinds = {
    GateLimitKind{"energy", "energy_j", "By how much energy may grow at most, e.g. +5%"},
    GateLimitKind{"time", "time_s", "By how much time may grow at most"},
    GateLimitKind{"macs", "macs", "The same of MACs; +0% allows none more"},
    GateLimitKind{"flops", "flops", "The same of FLOPs"},
    GateLimitKind{"params", "params", "The same of parameters"},
    GateLimitKind{"bytes", "bytes_moved", "The same of bytes moved"},
    GateLimitKind{"memory", "memory_bytes", "The same of the memory footprint"},
    GateLimitKind{"size", "size_bytes", "The same of the size of the model's file"}};

}  // namespace

std::span<const GateLimitKind> gate_limit_kinds() { return kLimitKinds; }

std::optional<double> share_of_limit(const std::string& text) {
  constexpr double kPerCent = 100;
  std::string number = text.starts_with('+') ? text.substr(1) : text;
  if (number.ends_with('%')) number.pop_back();
  double percent = 0;
  const char* const end_of_text = number.data() + number.size();
  const auto [end, error] = std::from_chars(number.data(), end_of_text, percent);
  if (error == std::errc() && end == end_of_text && percent >= 0 && std::isfinite(percent))
    return percent / kPerCent;
  return std::nullopt;
}

}  // namespace jouletree::report
