#include "bindings/meters.hpp"

#include <fmt/format.h>

#include "jouletree/error.hpp"

namespace jouletree::python {

Probe open_meters(const ProbeOptions& options) {
  Probe probe = open_probe(options);
  if (!probe.meters.empty()) return probe;
  std::string tried;
  for (const Missing& missing : probe.missing) {
    tried += fmt::format("{}{}: {}{}{}", tried.empty() ? "" : ". ", missing.source, missing.what,
                         missing.fix.empty() ? "" : "; ", missing.fix);
  }
  throw Error(ErrorKind::Missing, fmt::format("no meter of this machine can be read. {}", tried));
}

}  // namespace jouletree::python
