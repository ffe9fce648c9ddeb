#include "store/database/records.hpp"

#include <bit>
#include <cstring>

#include <nlohmann/json.hpp>

#include "jouletree/error.hpp"

namespace jouletree::store {
namespace {

/// FNV-1a with a last mix, so that short texts that differ in one letter are far apart, too.
class Digest {
 public:
  void add(std::string_view text) {
    for (const char letter : text) step(static_cast<unsigned char>(letter));
    // Tells {"ab", "c"} from {"a", "bc"}.
    for (std::size_t size = text.size(), i = 0; i < 8; ++i, size >>= 8U)
      step(static_cast<unsigned char>(size));
  }

  /// Texts have a size behind them, so that no text is taken for a number.
  void add(char kind, std::uint64_t bits) {
    step(static_cast<unsigned char>(kind));
    for (std::size_t i = 0; i < 8; ++i, bits >>= 8U) step(static_cast<unsigned char>(bits));
  }

  /// Not negative: keys are read by people as well.
  [[nodiscard]] Id id() const {
    std::uint64_t mixed = state_;
    mixed = (mixed ^ (mixed >> 33U)) * 0xff51afd7ed558ccdU;
    mixed = (mixed ^ (mixed >> 33U)) * 0xc4ceb9fe1a85ec53U;
    mixed ^= mixed >> 33U;
    return static_cast<Id>(mixed & 0x7fffffffffffffffU);
  }

 private:
  void step(unsigned char byte) { state_ = (state_ ^ byte) * 0x100000001b3U; }

  std::uint64_t state_ = 0xcbf29ce484222325U;
};

/// Texts of all kinds of values, each so that different values have different texts.
class DigestOf {
 public:
  explicit DigestOf(std::string_view kind) { digest_.add(kind); }

  DigestOf& operator<<(std::string_view text) {
    digest_.add(text);
    return *this;
  }
  DigestOf& operator<<(std::int64_t number) {
    return add_number('i', static_cast<std::uint64_t>(number));
  }
  /// By its bits; there is one zero, as in databases.
  DigestOf& operator<<(double number) {
    return add_number('d', std::bit_cast<std::uint64_t>(number + 0.0));
  }
  template <class T>
  DigestOf& operator<<(const std::optional<T>& value) {
    return value ? *this << *value : *this << std::string_view("-");
  }
  DigestOf& operator<<(const std::optional<bool>& value) {
    return *this << std::string_view(value ? (*value ? "yes" : "no") : "-");
  }
  DigestOf& operator<<(const std::vector<std::string>& texts) {
    *this << static_cast<std::int64_t>(texts.size());
    for (const std::string& text : texts) *this << std::string_view(text);
    return *this;
  }
  DigestOf& operator<<(const std::map<std::string, std::string>& texts) {
    *this << static_cast<std::int64_t>(texts.size());
    for (const auto& [key, value] : texts)
      *this << std::string_view(key) << std::string_view(value);
    return *this;
  }
  DigestOf& operator<<(const Figure& figure) {
    return *this << figure.value << figure.low << figure.high;
  }

  [[nodiscard]] Id id() const { return digest_.id(); }

 private:
  DigestOf& add_number(char kind, std::uint64_t bits) {
    digest_.add(kind, bits);
    return *this;
  }

  Digest digest_;
};

}  // namespace

Id content_id(const std::vector<std::string_view>& texts) {
  Digest digest;
  for (const std::string_view text : texts) digest.add(text);
  return digest.id();
}

Id SourceRecord::id() const {
  // The same content under another name is the same source.
  if (kind == Kind::Imported) return (DigestOf("import") << std::string_view(content_key)).id();
  return (DigestOf("source") << std::string_view(format) << std::string_view(name)
                             << std::string_view(content_key))
      .id();
}

Id MachineRecord::id() const {
  // Who knows nothing but a name is known by it.
  const std::string_view known_by = cpu.empty() && gpus.empty() ? std::string_view(name) : "";
  return (DigestOf("machine") << known_by << std::string_view(cpu) << cpus << machine_cpus
                              << core_cache_bytes << last_cache_bytes << memory_bytes << gpus
                              << std::string_view(system) << std::string_view(kernel)
                              << std::string_view(governor) << turbo << std::string_view(hypervisor)
                              << sensors)
      .id();
}

Id EngineRecord::id() const {
  return (DigestOf("engine") << std::string_view(name) << std::string_view(version)
                             << std::string_view(provider) << std::string_view(device) << threads
                             << options)
      .id();
}

Id OperatorRecord::id() const { return (DigestOf("operator") << std::string_view(key)).id(); }

Id ModuleRecord::id() const { return (DigestOf("module") << std::string_view(key)).id(); }

Id ModelRecord::id() const {
  return (DigestOf("model") << std::string_view(name) << std::string_view(mode) << inputs << batch
                            << sequence << params << macs)
      .id();
}

Id MeasurementRecord::id() const {
  return (DigestOf("measurement") << static_cast<std::int64_t>(of) << subject << machine << engine
                                  << source << source_row << std::string_view(conditions)
                                  << std::string_view(measured_at) << time_s << energy_j
                                  << std::string_view(trials))
      .id();
}

std::string packed_seconds(const std::vector<double>& seconds) {
  std::string bytes;
  bytes.reserve(seconds.size() * sizeof(double));
  for (const double value : seconds) {
    auto bits = std::bit_cast<std::uint64_t>(value);
    for (std::size_t i = 0; i < sizeof(double); ++i, bits >>= 8U)
      bytes.push_back(static_cast<char>(bits & 0xffU));
  }
  return bytes;
}

std::vector<double> unpacked_seconds(std::string_view bytes) {
  if (bytes.size() % sizeof(double) != 0)
    throw Error(ErrorKind::BadInput, "a series of trials in the database is damaged");
  std::vector<double> seconds;
  for (std::size_t at = 0; at < bytes.size(); at += sizeof(double)) {
    std::uint64_t bits = 0;
    for (std::size_t i = sizeof(double); i-- > 0;)
      bits = (bits << 8U) | static_cast<unsigned char>(bytes[at + i]);
    seconds.push_back(std::bit_cast<double>(bits));
  }
  return seconds;
}

}  // namespace jouletree::store
