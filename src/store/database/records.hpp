#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "jouletree/figure.hpp"

namespace jouletree::store {

/// The key of a row. It follows from what the row says, so that equal rows have equal keys in all
/// databases, and two databases can be merged.
using Id = std::int64_t;

/// Of texts in order; the same on every machine and in every release.
[[nodiscard]] Id content_id(const std::vector<std::string_view>& texts);

/// Where numbers come from.
struct SourceRecord {
  enum class Kind : std::uint8_t { Measured, Imported };
  Kind kind = Kind::Imported;
  std::string format;    ///< One of the formats of import; "profile" where it was measured.
  std::string name;      ///< Of the file or folder, or of the model that was profiled.
  std::string origin{};  ///< From whom, as the user says; empty: nobody said.
  std::string header{};  ///< Of a table: its first line. Of a folder: names of its files, as JSON.
  std::string content_key;  ///< Tells sources apart: a digest of the whole content.
  [[nodiscard]] Id id() const;
};

/// What a machine is, as far as its measurements depend on it.
struct MachineRecord {
  std::string name{};  ///< For people; not part of its identity where there is more to tell.
  std::string cpu{};
  std::optional<std::int64_t> cpus{};
  std::optional<std::int64_t> machine_cpus{};
  std::optional<std::int64_t> core_cache_bytes{};
  std::optional<std::int64_t> last_cache_bytes{};
  std::optional<std::int64_t> memory_bytes{};
  std::vector<std::string> gpus{};
  std::string system{};
  std::string kernel{};
  std::string governor{};
  std::optional<bool> turbo{};
  std::string hypervisor{};
  std::vector<std::string> sensors{};
  [[nodiscard]] Id id() const;
};

struct EngineRecord {
  std::string name;
  std::string version{};
  std::string provider{};
  std::string device{};
  std::optional<std::int64_t> threads{};
  std::map<std::string, std::string> options{};
  [[nodiscard]] Id id() const;
};

/// Texts of tensors are "float32[1,3,224,224]", of weights with "w:" before.
struct OperatorRecord {
  /// engines::Part::key, or what a table calls it. Tells all that the cost depends on, and so which
  /// operator it is.
  std::string key;
  std::string op;
  /// "forward", "loss", "backward", "optimizer", "zero_grad", "forward+backward": of whoever was
  /// seen first, where the same call is made in several.
  std::string direction = "forward";
  std::map<std::string, std::string> attributes{};
  std::vector<std::string> inputs{};
  std::vector<std::string> outputs{};
  std::optional<double> macs{};
  std::optional<double> flops{};
  std::optional<double> bytes{};
  std::optional<double> params{};
  /// tree::operator_signature(); empty where only a table tells of the operator.
  std::string signature{};
  [[nodiscard]] Id id() const;
};

struct ModuleRecord {
  std::string key;     ///< Keys of its operators in order; only its digest is stored.
  std::string type{};  ///< Class of the module, where it is known.
  std::int64_t operators = 0;
  [[nodiscard]] Id id() const;
};

/// A model at one size of its inputs.
struct ModelRecord {
  std::string name;
  std::string family{};
  std::string mode = "inference";  ///< Or "training".
  std::vector<std::string> inputs{};
  std::optional<double> batch{};
  std::optional<double> sequence{};
  std::optional<double> params{};
  std::optional<double> macs{};
  std::optional<double> flops{};
  std::optional<double> bytes{};
  std::optional<std::int64_t> file_bytes{};
  [[nodiscard]] Id id() const;
};

/// What a meter told.
struct DomainRecord {
  std::string domain;
  Figure energy_j{};
  std::optional<double> above_idle_j{};
  std::string provenance;
};

/// One operator, module or model as it was measured once; per run.
struct MeasurementRecord {
  enum class Of : std::uint8_t { Operator, Module, Model };
  Of of = Of::Operator;
  Id subject = 0;
  Id machine = 0;
  Id engine = 0;
  Id source = 0;
  std::optional<std::int64_t> source_row{};
  std::string conditions{};   ///< Beside machine and engine: PartIdentity::conditions.
  std::string measured_at{};  ///< UTC; empty: unknown.

  Figure time_s{};  ///< Median, or the mean where a table has no other; with its 95 % interval.
  std::optional<double> time_mean_s{};
  std::optional<double> time_trimmed_mean_s{};
  std::optional<double> time_deviation_s{};
  std::optional<double> time_min_s{};
  std::optional<double> time_max_s{};
  std::string time_provenance = "measured";
  std::optional<std::int64_t> windows{};
  std::optional<std::int64_t> runs{};
  std::optional<bool> precise{};
  std::optional<double> asked_precision{};
  std::optional<std::int64_t> copies{};

  Figure energy_j{};
  Figure above_idle_j{};
  std::string energy_provenance{};  ///< Empty where there is no energy.
  std::optional<double> power_w{};
  std::string meters{};   ///< Which were summed, separated by ", ".
  std::string details{};  ///< JSON: what has no column.
  std::string trials{};   ///< Seconds per run of each window, as packed by packed_seconds().

  std::vector<DomainRecord> domains{};
  [[nodiscard]] Id id() const;
};

/// Bytes of doubles, least significant byte first.
[[nodiscard]] std::string packed_seconds(const std::vector<double>& seconds);
/// Throws Error(BadInput) for bytes that are no whole number of doubles.
[[nodiscard]] std::vector<double> unpacked_seconds(std::string_view bytes);

}  // namespace jouletree::store
