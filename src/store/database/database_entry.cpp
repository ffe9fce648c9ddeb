#include "store/database/database_entry.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <filesystem>

#include "store/sql/file_header.hpp"
#include "store/sql/location.hpp"

namespace jouletree::store {
namespace {

/// "postgresql://me:se": the '#' behind it belongs to a password that nobody encoded.
bool ends_in_password(std::string_view url) {
  std::string_view rest = url.substr(url.find("://") + 3);
  const std::size_t colon = rest.find(':');
  if (rest.starts_with('[') || rest.find('@') != std::string_view::npos ||
      colon == std::string_view::npos)
    return false;
  rest.remove_prefix(colon + 1);
  const std::string_view port = rest.substr(0, rest.find_first_of("/?"));
  return !std::all_of(port.begin(), port.end(),
                      [](unsigned char letter) { return std::isdigit(letter) != 0; });
}

DatabaseEntry split_at(const std::string& given, std::size_t mark) {
  if (mark == std::string::npos) return {given};
  return {given.substr(0, mark), given.substr(mark + 1)};
}

DatabaseEntry server_entry(const std::string& url) {
  std::size_t mark = url.find('#');
  while (mark != std::string::npos && ends_in_password(std::string_view(url).substr(0, mark)))
    mark = url.find('#', mark + 1);
  return split_at(url, mark);
}

bool is_named_as_database(const std::filesystem::path& path) {
  constexpr std::array<std::string_view, 3> kEndings = {".sqlite", ".sqlite3", ".db"};
  return std::find(kEndings.begin(), kEndings.end(), path.extension().string()) != kEndings.end();
}

}  // namespace

std::optional<DatabaseEntry> parse_entry(const std::string& given) {
  if (sql::names_server(given)) return server_entry(given);
  const bool is_said = given.starts_with(sql::kSqlitePrefix);
  const std::size_t begin = is_said ? sql::kSqlitePrefix.size() : 0;
  std::error_code unreadable;
  if (std::filesystem::exists(given.substr(begin), unreadable))
    return sql::names_database(given) ? std::optional(DatabaseEntry{given}) : std::nullopt;
  const std::size_t first = given.find('#', begin);
  for (std::size_t mark = first; mark != std::string::npos; mark = given.find('#', mark + 1)) {
    if (sql::header_of(given.substr(begin, mark - begin)) == sql::FileHeader::Sqlite)
      return split_at(given, mark);
  }
  // What is not there is told by whoever opens it.
  if (is_said) return split_at(given, first);
  if (first == std::string::npos || !is_named_as_database(given.substr(0, first)))
    return std::nullopt;
  return split_at(given, first);
}

}  // namespace jouletree::store
