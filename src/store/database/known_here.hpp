#pragma once

#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "measure/environment.hpp"
#include "store/database/database.hpp"
#include "store/database/measured_place.hpp"

namespace jouletree::store {

/// An engine as somebody asks for it, before it is started: its version is not known yet.
struct AskedEngine {
  std::string name;  ///< For flags: "onnxruntime", "torch".
  std::string device;
  int threads = 1;
  std::string level;
  std::string execution{};  ///< "sequential"; empty: any.
  auto operator<=>(const AskedEngine&) const = default;
};

/// What a database knows of this machine, and so what a profile here would reuse. What shows only
/// in a run is not looked at: the engine's version (the newest one counts), the meters, and where
/// operators find their data.
class KnownHere {
 public:
  /// `here` is what read_environment() tells. The database must outlive the object.
  KnownHere(Database& database, const measure::Environment& here);

  /// Keys of this machine: several where it was measured with different meters. Newest first.
  [[nodiscard]] const std::vector<Id>& machines() const { return machines_; }
  /// Where what this engine measured here stands. Nothing where it never was used here.
  [[nodiscard]] std::optional<MeasuredPlace> place(const AskedEngine& engine);
  /// "ONNX Runtime 1.30.0", as it was used here last. Nothing where it never was.
  [[nodiscard]] std::optional<std::string> engine_name(const AskedEngine& engine);
  /// Whether an operator of this signature was measured here as precisely as asked, with this cache
  /// mode ("model").
  [[nodiscard]] bool has_operator(Id signature, const AskedEngine& engine, const std::string& cache,
                                  double precision);

 private:
  struct Place {
    Id machine = 0;
    Id engine = 0;
    std::string engine_name;
  };
  struct EngineHere {
    Place place;
    std::string name;
    std::string device;
    std::optional<std::int64_t> threads;
    std::string options;
  };
  [[nodiscard]] const std::optional<Place>& place_of(const AskedEngine& engine);

  Database& database_;
  std::vector<Id> machines_;
  std::vector<EngineHere> engines_;  ///< Newest first.
  std::map<AskedEngine, std::optional<Place>> places_;
};

}  // namespace jouletree::store
