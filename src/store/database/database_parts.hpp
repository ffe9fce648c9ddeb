#pragma once

#include <string>

#include "measure/known_parts.hpp"
#include "store/database/database.hpp"

namespace jouletree::store {

/// Operators and modules that the database knows of this machine and engine. What is new is written
/// as soon as it is final, so that nobody who is interrupted loses it.
class DatabaseParts final : public measure::KnownParts {
 public:
  enum class Reuse : std::uint8_t { Known, Nothing };

  /// The database must outlive the object.
  DatabaseParts(Database& database, Reuse reuse) : database_(database), reuse_(reuse) {}

  void begin(const measure::Environment& environment, const ModelTree& tree) override;
  [[nodiscard]] std::optional<measure::Measured> find(const measure::PartIdentity& identity,
                                                      const measure::WantedPart& wanted) override;
  [[nodiscard]] std::size_t insufficient_operators() const override { return insufficient_; }
  void keep(std::span<const measure::PartToKeep> parts) override;

 private:
  Database& database_;
  Reuse reuse_;
  const ModelTree* tree_ = nullptr;
  MachineRecord machine_;
  EngineRecord engine_;
  SourceRecord source_;
  std::string date_;
  double asked_precision_ = 0;
  std::size_t insufficient_ = 0;
};

/// Where what is measured in a profile comes from: this machine at that date.
[[nodiscard]] SourceRecord source_of(const measure::Environment& environment);

}  // namespace jouletree::store
