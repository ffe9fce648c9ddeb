#include <algorithm>
#include <cctype>
#include <charconv>

#include "store/sql/location.hpp"

namespace jouletree::store::sql {
namespace {

std::string decoded(std::string_view text) {
  std::string plain;
  for (std::size_t i = 0; i < text.size(); ++i) {
    unsigned letter = 0;
    const char* const begin = text.data() + i + 1;
    if (text[i] == '%' && i + 2 < text.size() &&
        std::from_chars(begin, begin + 2, letter, 16).ptr == begin + 2) {
      plain += static_cast<char>(letter);
      i += 2;
    } else {
      plain += text[i];
    }
  }
  return plain;
}

/// Where "?name=value" begins. A password that nobody encoded may hold a '?', too.
std::size_t query_of(std::string_view url) {
  for (std::size_t mark = url.find('?'); mark != std::string_view::npos;
       mark = url.find('?', mark + 1)) {
    std::size_t end = mark + 1;
    while (end < url.size() && (std::isalnum(static_cast<unsigned char>(url[end])) != 0 ||
                                url[end] == '_' || url[end] == '%'))
      ++end;
    if (end > mark + 1 && end < url.size() && url[end] == '=') return mark;
  }
  return url.size();
}

std::string query_without_password(std::string_view query) {
  std::string kept;
  while (!query.empty()) {
    const std::size_t end = std::min(query.find('&'), query.size());
    const std::string_view setting = query.substr(0, end);
    if (decoded(setting.substr(0, setting.find('='))).find("password") == std::string::npos)
      kept.append(kept.empty() ? "?" : "&").append(setting);
    query.remove_prefix(std::min(end + 1, query.size()));
  }
  return kept;
}

}  // namespace

std::string without_password(std::string_view url) {
  const std::size_t scheme = url.find("://");
  if (scheme == std::string_view::npos) return std::string(url);
  const std::size_t begin = scheme + 3;
  const std::size_t query = query_of(url);
  std::string text(url.substr(0, begin));
  std::string_view rest = url.substr(begin, query - begin);
  // The last '@': whoever forgot to encode one in a password must not see it in a message.
  if (const std::size_t at = rest.rfind('@'); at != std::string_view::npos) {
    text.append(rest.substr(0, std::min(at, rest.find(':')))).append("@");
    rest.remove_prefix(at + 1);
  }
  text.append(rest);
  if (query < url.size()) text.append(query_without_password(url.substr(query + 1)));
  return text;
}

bool has_raw_password(std::string_view url) {
  const std::size_t scheme = url.find("://");
  if (scheme == std::string_view::npos) return false;
  const std::string_view rest = url.substr(scheme + 3, query_of(url) - scheme - 3);
  const std::size_t at = rest.rfind('@');
  return at != std::string_view::npos && rest.find(':') < at && rest.find_first_of("@/?#") < at;
}

std::string text_of(const Location& location) {
  return location.dialect == Dialect::Sqlite ? location.target : without_password(location.target);
}

}  // namespace jouletree::store::sql
