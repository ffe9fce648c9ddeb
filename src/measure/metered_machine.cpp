#include "measure/metered_machine.hpp"

#include <utility>

#include <fmt/format.h>

#include "jouletree/error.hpp"
#include "measure/gentle_sampling.hpp"

namespace jouletree::measure {
namespace {

std::string sentence_on(const Missing& missing) {
  return fmt::format("{}: {}{}{}", missing.source, missing.what, missing.fix.empty() ? "" : "; ",
                     missing.fix);
}

SessionOptions sampling_of(const Probe& probe, std::optional<std::chrono::nanoseconds> interval) {
  return interval ? SessionOptions{.interval = *interval} : gentle_sampling(probe);
}

}  // namespace

Probe open_meters(const ProbeOptions& options, const Tell& tell) {
  Probe probe = open_probe(options);
  if (tell)
    for (const std::string& note : probe.notes) tell(note);
  if (!probe.meters.empty()) return probe;
  std::string tried;
  for (const Missing& missing : probe.missing) {
    if (tell) tell(sentence_on(missing));
    tried += (tried.empty() ? "" : ". ") + sentence_on(missing);
  }
  throw Error(ErrorKind::Missing,
              tell ? "no meter of this machine can be read; the lines above say what would help"
                   : fmt::format("no meter of this machine can be read. {}", tried));
}

MeteredMachine::MeteredMachine(const ProbeOptions& options, const Tell& tell,
                               std::optional<std::chrono::nanoseconds> interval)
    : MeteredMachine(open_meters(options, tell), options, interval) {}

MeteredMachine::MeteredMachine(Probe probe, const ProbeOptions& options,
                               std::optional<std::chrono::nanoseconds> interval)
    : MeteredMachine(probe, options, sampling_of(probe, interval)) {}

MeteredMachine::MeteredMachine(Probe& probe, const ProbeOptions& options,
                               const SessionOptions& sampling)
    : notes_(std::move(probe.notes)),
      gpus_(open_gpu_watch(options)),
      session_(std::move(probe.meters), sampling) {}

}  // namespace jouletree::measure
