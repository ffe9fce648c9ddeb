#include "store/database/known_rows.hpp"

#include <array>

#include <fmt/format.h>

namespace jouletree::store {
namespace {

constexpr std::array kFreeOfSources = {FreeColumn{"name", true}, FreeColumn{"origin", true},
                                       FreeColumn{"added_at", true}};
constexpr std::array kFreeOfMachines = {FreeColumn{"name", true}};
constexpr std::array kFreeOfOperators = {
    FreeColumn{"op", true},        FreeColumn{"attributes", true}, FreeColumn{"inputs", true},
    FreeColumn{"outputs", true},   FreeColumn{"macs", false},      FreeColumn{"flops", false},
    FreeColumn{"bytes", false},    FreeColumn{"params", false},    FreeColumn{"direction", true},
    FreeColumn{"signature", false}};
constexpr std::array kFreeOfModules = {FreeColumn{"type", true}};
constexpr std::array kFreeOfModels = {FreeColumn{"family", true}, FreeColumn{"flops", false},
                                      FreeColumn{"bytes", false}, FreeColumn{"file_bytes", false}};

/// SQLite's min() knows nothing as soon as one of both does; texts are compared by their bytes.
std::string smaller(sql::Dialect dialect, const std::string& known, const std::string& other,
                    bool is_text) {
  if (dialect == sql::Dialect::Sqlite)
    return fmt::format("coalesce(min({0}, {1}), {0}, {1})", known, other);
  const char* const order = is_text ? " COLLATE \"C\"" : "";
  return fmt::format("least({}{}, {}{})", known, order, other, order);
}

}  // namespace

std::string settle_clause(sql::Dialect dialect, const std::string& table, const std::string& key,
                          std::span<const FreeColumn> columns) {
  if (columns.empty()) return fmt::format(" ON CONFLICT ({}) DO NOTHING", key);
  // Old versions of SQLite have a word of their own.
  const char* const differs = dialect == sql::Dialect::Sqlite ? "IS NOT" : "IS DISTINCT FROM";
  std::string settings;
  std::string changes;
  for (const FreeColumn& column : columns) {
    const std::string known = fmt::format("{}.{}", table, column.name);
    const std::string settled =
        smaller(dialect, known, fmt::format("excluded.{}", column.name), column.is_text);
    settings += fmt::format("{}{} = {}", settings.empty() ? "" : ", ", column.name, settled);
    // What stays as it is is not written again.
    changes += fmt::format("{}{} {} {}", changes.empty() ? "" : " OR ", known, differs, settled);
  }
  return fmt::format(" ON CONFLICT ({}) DO UPDATE SET {} WHERE {}", key, settings, changes);
}

std::span<const FreeColumn> free_columns(const std::string& table) {
  if (table == "sources") return kFreeOfSources;
  if (table == "machines") return kFreeOfMachines;
  if (table == "operators") return kFreeOfOperators;
  if (table == "modules") return kFreeOfModules;
  if (table == "models") return kFreeOfModels;
  return {};
}

}  // namespace jouletree::store
