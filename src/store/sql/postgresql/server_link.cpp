#include "store/sql/postgresql/server_link.hpp"

#include <array>
#include <cstdlib>
#include <thread>

#include <fmt/format.h>

#include "jouletree/error.hpp"
#include "store/sql/location.hpp"

namespace jouletree::store::sql {
namespace {

/// Names and values as libpq takes them, each ending with a null pointer.
struct LinkSettings {
  std::vector<const char*> names;
  std::vector<const char*> values;

  void add(const char* name, const char* value) {
    names.push_back(name);
    values.push_back(value);
  }
};

/// Later ones win: the URL may say how long to wait, but not which encoding is used.
LinkSettings settings_for(const std::string& url) {
  LinkSettings settings;
  if (std::getenv("PGCONNECT_TIMEOUT") == nullptr) settings.add("connect_timeout", "10");
  settings.add("dbname", url.c_str());
  settings.add("client_encoding", "UTF8");
  settings.add("fallback_application_name", "jouletree");
  settings.add(nullptr, nullptr);
  return settings;
}

void check_url(const std::string& url) {
  char* said = nullptr;
  PQconninfoOption* const settings = libpq().parse_url(url.c_str(), &said);
  const std::string reason = said == nullptr ? "" : in_one_line(said);
  libpq().free_memory(said);
  const bool is_read = settings != nullptr && !has_raw_password(url);
  libpq().free_settings(settings);
  if (is_read) return;
  const std::string shown = without_password(url);
  // The library repeats what it cannot read, which may be a part of the password.
  if (shown == url)
    throw Error(ErrorKind::BadInput, fmt::format("'{}' cannot be used: {}", url, reason));
  throw Error(ErrorKind::BadInput,
              fmt::format("'{}' cannot be used: write special letters of the password as %XX, for "
                          "example @ as %40, / as %2F, ? as %3F",
                          shown));
}

void set_up(const ServerLink& link, const std::string& place, Access access) {
  std::string sql =
      "SET extra_float_digits = 3; SET standard_conforming_strings = on; SET bytea_output = hex; "
      "SET client_min_messages = warning";
  if (access == Access::Read) sql += "; SET default_transaction_read_only = on";
  PGresult* const result = libpq().exec(link.get(), sql.c_str());
  const bool is_done = libpq().result_status(result) == PGRES_COMMAND_OK;
  libpq().clear(result);
  if (!is_done) {
    throw Error(ErrorKind::Failed, fmt::format("{} cannot be used: {}", place,
                                               in_one_line(libpq().error_message(link.get()))));
  }
}

}  // namespace

std::string in_one_line(std::string_view said) {
  std::string line;
  for (const char letter : said) {
    const bool is_space = letter == '\n' || letter == '\t' || letter == ' ';
    if (!is_space) {
      line += letter;
    } else if (!line.empty() && line.back() != ' ') {
      line += ' ';
    }
  }
  while (!line.empty() && line.back() == ' ') line.pop_back();
  return line;
}

ServerLink open_link(const std::string& url, Access access, const Backoff& backoff) {
  check_url(url);
  const std::string place = without_password(url);
  const LinkSettings settings = settings_for(url);
  for (std::size_t attempt = 0;; ++attempt) {
    ServerLink link(libpq().connect(settings.names.data(), settings.values.data(), 1));
    if (link == nullptr) throw Error(ErrorKind::Failed, "there is not enough memory for libpq");
    if (libpq().status(link.get()) == CONNECTION_OK) {
      libpq().set_notice_processor(
          link.get(), [](void*, const char*) {}, nullptr);
      set_up(link, place, access);
      return link;
    }
    const std::string reason = in_one_line(libpq().error_message(link.get()));
    // It answers, so it is this user, password or database that it does not like.
    const PGPing ping = libpq().ping(settings.names.data(), settings.values.data(), 1);
    if (ping == PQPING_OK || ping == PQPING_NO_ATTEMPT) {
      throw Error(
          ErrorKind::BadInput,
          fmt::format("{} cannot be opened: {}; check user, password and name (the password "
                      "may stand in ~/.pgpass)",
                      place, reason));
    }
    if (attempt == backoff.size()) {
      throw Error(ErrorKind::Failed,
                  fmt::format("{} cannot be reached: {}; check the address, and that the server "
                              "runs",
                              place, reason));
    }
    std::this_thread::sleep_for(backoff[attempt]);
  }
}

}  // namespace jouletree::store::sql
