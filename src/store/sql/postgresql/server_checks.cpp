#include "store/sql/postgresql/server_checks.hpp"

#include <utility>

#include <fmt/format.h>

#include "jouletree/error.hpp"

namespace jouletree::store::sql {
namespace {

constexpr const char* kHere = "n.nspname = ANY (current_schemas(false))";

using TextRows = std::vector<std::vector<std::string>>;

TextRows texts(Connection& connection, const std::string& sql) {
  TextRows cells;
  const std::unique_ptr<Rows> rows = connection.query(sql, {});
  while (rows->next()) {
    std::vector<std::string>& row = cells.emplace_back();
    for (std::size_t i = 0; i < rows->columns().size(); ++i) {
      const Value value = rows->value(i);
      const auto* text = std::get_if<std::string>(&value);
      row.push_back(text == nullptr ? std::string() : *text);
    }
  }
  return cells;
}

/// Adds what one check of amcheck says. It fails where it finds something.
void add_findings(Connection& connection, const std::string& checked, const std::string& sql,
                  std::vector<std::string>& problems) {
  try {
    for (const std::vector<std::string>& row : texts(connection, sql))
      problems.push_back(fmt::format("{}: {}", checked, row.front()));
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::BadInput) throw;
    problems.push_back(fmt::format("{}: {}", checked, error.what()));
  }
}

void add_amcheck(Connection& connection, std::vector<std::string>& problems) {
  const TextRows functions = texts(
      connection,
      "SELECT quote_ident(n.nspname), p.proname::text FROM pg_extension e JOIN pg_namespace n ON "
      "n.oid = e.extnamespace JOIN pg_proc p ON p.pronamespace = n.oid WHERE e.extname = 'amcheck' "
      "AND has_function_privilege(p.oid, 'EXECUTE') AND (p.proname = 'verify_heapam' OR (p.proname "
      "= 'bt_index_check' AND p.pronargs = 2))");
  for (const std::vector<std::string>& function : functions) {
    const bool is_index = function[1] == "bt_index_check";
    const TextRows checked = texts(
        connection,
        fmt::format("SELECT c.oid::text, c.oid::regclass::text FROM pg_class c JOIN pg_namespace n "
                    "ON n.oid = c.relnamespace JOIN pg_am a ON a.oid = c.relam WHERE {} AND "
                    "c.relkind = '{}' AND a.amname = '{}' AND c.relpersistence <> 't' ORDER BY 2",
                    kHere, is_index ? 'i' : 'r', is_index ? "btree" : "heap"));
    for (const std::vector<std::string>& row : checked) {
      add_findings(connection, row[1],
                   is_index
                       ? fmt::format("SELECT 'ok' FROM {}.bt_index_check({}, true) AS x WHERE "
                                     "x IS NULL",
                                     function[0], row[0])
                       : fmt::format("SELECT msg FROM {}.verify_heapam({})", function[0], row[0]),
                   problems);
    }
  }
}

}  // namespace

std::vector<std::string> server_problems(Connection& connection, bool in_transaction) {
  std::vector<std::string> problems;
  for (const std::vector<std::string>& row :
       texts(connection,
             fmt::format("SELECT c.oid::regclass::text, i.indrelid::regclass::text FROM pg_index i "
                         "JOIN pg_class c ON c.oid = i.indexrelid JOIN pg_namespace n ON n.oid = "
                         "c.relnamespace WHERE NOT (i.indisvalid AND i.indisready) AND {} ORDER BY "
                         "1",
                         kHere))) {
    problems.push_back(fmt::format(
        "the index {} of {} is not valid: make it anew with REINDEX INDEX", row[0], row[1]));
  }
  for (const std::vector<std::string>& row :
       texts(connection,
             fmt::format("SELECT k.conname::text, k.conrelid::regclass::text FROM pg_constraint k "
                         "JOIN pg_namespace n ON n.oid = k.connamespace WHERE NOT k.convalidated "
                         "AND {} ORDER BY 1",
                         kHere))) {
    problems.push_back(fmt::format(
        "the rule {} of {} was never checked: check it with ALTER TABLE … VALIDATE CONSTRAINT",
        row[0], row[1]));
  }
  if (!in_transaction) add_amcheck(connection, problems);
  return problems;
}

}  // namespace jouletree::store::sql
