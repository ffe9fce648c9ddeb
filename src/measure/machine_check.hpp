#pragma once

#include <string>
#include <vector>

#include "jouletree/meter.hpp"
#include "jouletree/probe.hpp"

namespace jouletree::measure {

/// Something about a machine that people who measure on it should know.
struct Finding {
  enum class Weight : std::uint8_t {
    Fine,      ///< As it should be.
    Disturbs,  ///< Makes results vary or adds what others use.
    Hides,     ///< Keeps meters from being found.
  };
  std::string topic;  ///< "governor", "turbo", "load" …; never changes between releases.
  Weight weight = Weight::Fine;
  std::string what;  ///< One sentence.
  std::string fix;   ///< The exact command, or what to do; empty where nothing helps or is needed.
};
/// "fine", "disturbs", "hides".
[[nodiscard]] std::string_view name_of(Finding::Weight weight);

/// What is good and bad about measuring here.
struct MachineCheck {
  enum class Verdict : std::uint8_t {
    Measured,   ///< The CPUs or the whole machine have a meter.
    Partly,     ///< Only other parts have, such as graphics cards.
    Estimated,  ///< Nothing has; energy of the CPUs is estimated.
    Nothing,    ///< Not even that.
  };
  std::string cpu_model;  ///< Empty where the kernel does not say.
  int cpus = 0;
  std::vector<MeterInfo> meters;
  std::vector<std::string> summed;  ///< Names of the meters that make the total.
  std::string rule;                 ///< Why these.
  std::vector<Missing> missing;
  std::vector<std::string> notes;
  std::vector<Finding> findings;
  Verdict verdict = Verdict::Nothing;
  std::string verdict_text;  ///< One or two sentences, with the first thing to do.
};
/// "measured", "partly", "estimated", "nothing".
[[nodiscard]] std::string_view name_of(MachineCheck::Verdict verdict);

/// Looks at everything below `options.root`; changes nothing. Throws as open_probe() does.
[[nodiscard]] MachineCheck check_machine(const ProbeOptions& options);

/// What stands between the meters and this program, or shakes their results: virtual machine,
/// container, permissions, frequencies, other programs. Reads files below `root` only.
[[nodiscard]] std::vector<Finding> machine_findings(const std::filesystem::path& root);

}  // namespace jouletree::measure
