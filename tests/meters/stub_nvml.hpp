#pragma once

namespace jouletree::test {

/// One card of the stub. Tests set it through stub_nvml_cards().
struct StubCard {
  const char* name = "Stub GPU";
  bool has_counter = true;
  bool has_power = true;
  bool mig = false;
  int error = 0;  ///< Returned by every call about this card.
  unsigned long long energy_mj = 0;
  unsigned power_mw = 0;
};

struct StubNvml {
  int init_error = 0;
  int card_count = 0;
  int users = 0;  ///< Calls of init less calls of shutdown.
  StubCard cards[8];
};

using StubNvmlState = StubNvml*();

}  // namespace jouletree::test
