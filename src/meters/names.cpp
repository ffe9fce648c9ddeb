#include "jouletree/meter.hpp"

namespace jouletree {

std::string_view name_of(Level level) {
  switch (level) {
    case Level::Wall: return "wall";
    case Level::Battery: return "battery";
    case Level::Board: return "board";
    case Level::Psys: return "psys";
    case Level::Package: return "package";
    case Level::Core: return "core";
    case Level::Uncore: return "uncore";
    case Level::Dram: return "dram";
    case Level::Gpu: return "gpu";
    case Level::Rail: return "rail";
    case Level::Other: return "other";
  }
  return "";
}

std::string_view name_of(MeterKind kind) {
  switch (kind) {
    case MeterKind::Counter: return "counter";
    case MeterKind::Power: return "power";
    case MeterKind::Model: return "model";
  }
  return "";
}

std::string_view name_of(GapReason reason) {
  switch (reason) {
    case GapReason::None: return "none";
    case GapReason::Wraps: return "wraps";
    case GapReason::Reset: return "reset";
    case GapReason::Suspended: return "suspended";
    case GapReason::Vanished: return "vanished";
    case GapReason::Denied: return "denied";
    case GapReason::Failed: return "failed";
    case GapReason::Late: return "late";
  }
  return "";
}

std::string_view describe(GapReason reason) {
  switch (reason) {
    case GapReason::None: return "";
    case GapReason::Wraps:
      return "the counter may have wrapped around more than once between two readings";
    case GapReason::Reset: return "the counter was reset";
    case GapReason::Suspended: return "the machine was suspended";
    case GapReason::Vanished: return "the source disappeared";
    case GapReason::Denied: return "the source could no longer be read for lack of permission";
    case GapReason::Failed: return "the source reported an error";
    case GapReason::Late: return "the source told nothing in time";
  }
  return "";
}

}  // namespace jouletree
