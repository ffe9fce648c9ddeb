#include "store/sql/postgresql/placeholders.hpp"

#include <algorithm>
#include <cctype>

namespace jouletree::store::sql {
namespace {

/// Bytes beyond ASCII are letters for PostgreSQL.
bool is_name_letter(char letter) {
  const auto byte = static_cast<unsigned char>(letter);
  return std::isalnum(byte) != 0 || byte == '_' || byte >= 0x80;
}

/// Steps over what means nothing inside. Every function gets the place where something begins, and
/// returns the one behind its end; what nobody closes ends with the text.
class SqlScanner {
 public:
  explicit SqlScanner(std::string_view sql) : sql_(sql) {}

  [[nodiscard]] std::size_t past_piece(std::size_t at) const {
    const std::string_view rest = sql_.substr(at);
    if (rest.starts_with('\'')) return past_quoted(at, '\'', is_escaped_text(at));
    if (rest.starts_with('"')) return past_quoted(at, '"', false);
    if (rest.starts_with('$')) return past_dollar_quote(at);
    return past_comment(at);
  }

  /// `at` itself where no comment begins.
  [[nodiscard]] std::size_t past_comment(std::size_t at) const {
    const std::string_view rest = sql_.substr(at);
    if (rest.starts_with("--")) return std::min(sql_.find('\n', at), sql_.size());
    return rest.starts_with("/*") ? past_block(at) : at;
  }

 private:
  /// E'…', in which a backslash hides the next letter.
  [[nodiscard]] bool is_escaped_text(std::size_t at) const {
    if (at == 0 || (sql_[at - 1] != 'E' && sql_[at - 1] != 'e')) return false;
    return at == 1 || !is_name_letter(sql_[at - 2]);
  }

  /// A doubled quote ends one text and begins the next, which comes to the same.
  [[nodiscard]] std::size_t past_quoted(std::size_t at, char quote, bool escapes) const {
    for (std::size_t i = at + 1; i < sql_.size(); ++i) {
      if (escapes && sql_[i] == '\\') {
        ++i;
      } else if (sql_[i] == quote) {
        if (i + 1 >= sql_.size() || sql_[i + 1] != quote) return i + 1;
        ++i;
      }
    }
    return sql_.size();
  }

  /// $$…$$ or $name$…$name$; not $1, nor a dollar within a name.
  [[nodiscard]] std::size_t past_dollar_quote(std::size_t at) const {
    if (at > 0 && (is_name_letter(sql_[at - 1]) || sql_[at - 1] == '$')) return at;
    std::size_t end = at + 1;
    if (end < sql_.size() && std::isdigit(static_cast<unsigned char>(sql_[end])) != 0) return at;
    while (end < sql_.size() && is_name_letter(sql_[end])) ++end;
    if (end >= sql_.size() || sql_[end] != '$') return at;
    const std::string_view mark = sql_.substr(at, end + 1 - at);
    const std::size_t close = sql_.find(mark, end + 1);
    return close == std::string_view::npos ? sql_.size() : close + mark.size();
  }

  /// They nest.
  [[nodiscard]] std::size_t past_block(std::size_t at) const {
    std::size_t depth = 0;
    for (std::size_t i = at; i + 1 < sql_.size(); ++i) {
      const std::string_view two = sql_.substr(i, 2);
      if (two == "/*") {
        ++depth;
        ++i;
      } else if (two == "*/") {
        ++i;
        if (--depth == 0) return i + 1;
      }
    }
    return sql_.size();
  }

  std::string_view sql_;
};

}  // namespace

NumberedSql numbered(std::string_view sql) {
  const SqlScanner scanner(sql);
  NumberedSql result;
  for (std::size_t at = 0; at < sql.size();) {
    if (const std::size_t end = scanner.past_piece(at); end > at) {
      result.text.append(sql.substr(at, end - at));
      at = end;
    } else if (sql[at] == '?') {
      result.text.append("$").append(std::to_string(++result.count));
      ++at;
    } else {
      result.text += sql[at++];
    }
  }
  return result;
}

bool holds_one_statement(std::string_view sql) {
  const SqlScanner scanner(sql);
  bool has_ended = false;
  for (std::size_t at = 0; at < sql.size();) {
    if (const std::size_t end = scanner.past_comment(at); end > at) {
      at = end;
      continue;
    }
    if (sql[at] == ';') {
      has_ended = true;
    } else if (has_ended && std::isspace(static_cast<unsigned char>(sql[at])) == 0) {
      return false;
    }
    at = std::max(scanner.past_piece(at), at + 1);
  }
  return true;
}

std::string first_word(std::string_view sql) {
  const SqlScanner scanner(sql);
  std::size_t at = 0;
  while (at < sql.size()) {
    if (const std::size_t end = scanner.past_comment(at); end > at) {
      at = end;
    } else if (std::isspace(static_cast<unsigned char>(sql[at])) != 0 || sql[at] == '(') {
      ++at;
    } else {
      break;
    }
  }
  std::string word;
  for (; at < sql.size() && is_name_letter(sql[at]); ++at)
    word += static_cast<char>(std::tolower(static_cast<unsigned char>(sql[at])));
  return word;
}

}  // namespace jouletree::store::sql
