#include "store/sql/postgresql/server_link.hpp"

#include <charconv>
#include <cstdlib>
#include <optional>
#include <thread>

#include <fmt/format.h>

#include "jouletree/error.hpp"
#include "store/sql/location.hpp"

namespace jouletree::store::sql {
namespace {

/// In seconds. Without one, the kernel waits for two minutes.
constexpr const char* kTimeout = "10";

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
LinkSettings settings_for(const std::string& url, const char* timeout) {
  LinkSettings settings;
  if (timeout != nullptr) settings.add("connect_timeout", timeout);
  settings.add("dbname", url.c_str());
  settings.add("client_encoding", "UTF8");
  settings.add("fallback_application_name", "jouletree");
  settings.add(nullptr, nullptr);
  return settings;
}

/// Settings as libpq joins them: of the URL, and where it names a service, of that, too.
PQconninfoOption* joined_settings(const std::string& url) {
  const bool has_service =
      url.find("service=") != std::string::npos || std::getenv("PGSERVICE") != nullptr;
  if (!has_service) return libpq().parse_url(url.c_str(), nullptr);
  // Begins to connect and waits for nothing: no other function reads service files.
  const LinkSettings settings = settings_for(url, nullptr);
  const ServerLink link(libpq().start_connect(settings.names.data(), settings.values.data(), 1));
  return link ? libpq().settings_of(link.get()) : nullptr;
}

/// Of the URL, its service or the environment, in this order. Nothing where nobody says it.
std::optional<std::string> wished_timeout(const std::string& url) {
  PQconninfoOption* const options = joined_settings(url);
  const char* const usual = std::getenv("PGCONNECT_TIMEOUT");
  std::optional<std::string> wish =
      usual == nullptr ? std::nullopt : std::optional<std::string>(usual);
  for (const PQconninfoOption* one = options; one != nullptr && one->keyword != nullptr; ++one)
    if (std::string_view(one->keyword) == "connect_timeout" && one->val != nullptr) wish = one->val;
  libpq().free_settings(options);
  return wish;
}

/// Whether nothing came back until the time was over.
bool was_silent(std::chrono::steady_clock::time_point begin, const std::string& timeout) {
  // libpq waits for whole seconds, and may round.
  constexpr std::chrono::milliseconds kRounding(1100);
  int seconds = 0;
  std::from_chars(timeout.data(), timeout.data() + timeout.size(), seconds);
  return seconds > 0 &&
         std::chrono::steady_clock::now() - begin >= std::chrono::seconds(seconds) - kRounding;
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

/// A server that is not there is something that lacks here; one that went away ends the job.
ErrorKind kind_of_absence(LinkTime time) {
  return time == LinkTime::First ? ErrorKind::Missing : ErrorKind::Failed;
}

[[noreturn]] void fail_silent(const std::string& place, const std::string& timeout,
                              std::size_t attempts, ErrorKind kind) {
  throw Error(
      kind,
      fmt::format("{} did not answer within {} s{}; check address and port, that the server runs, "
                  "and that no firewall drops packets; connect_timeout=SECONDS in the URL waits "
                  "longer",
                  place, timeout, attempts > 1 ? fmt::format(", {} times", attempts) : ""));
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

ServerLink open_link(const std::string& url, Access access, const Backoff& backoff, LinkTime time) {
  check_url(url);
  const std::string place = without_password(url);
  const std::string timeout = wished_timeout(url).value_or(kTimeout);
  const LinkSettings settings = settings_for(url, timeout.c_str());
  for (std::size_t attempt = 0;; ++attempt) {
    const auto begin = std::chrono::steady_clock::now();
    ServerLink link(libpq().connect(settings.names.data(), settings.values.data(), 1));
    if (link == nullptr) throw Error(ErrorKind::Failed, "there is not enough memory for libpq");
    if (libpq().status(link.get()) == CONNECTION_OK) {
      libpq().set_notice_processor(
          link.get(), [](void*, const char*) {}, nullptr);
      set_up(link, place, access);
      return link;
    }
    const std::string reason = in_one_line(libpq().error_message(link.get()));
    if (was_silent(begin, timeout)) {
      if (time == LinkTime::Again && attempt < backoff.size()) continue;
      fail_silent(place, timeout, attempt + 1, kind_of_absence(time));
    }
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
      throw Error(kind_of_absence(time),
                  fmt::format("{} cannot be reached: {}; check the address, and that the server "
                              "runs",
                              place, reason));
    }
    std::this_thread::sleep_for(backoff[attempt]);
  }
}

}  // namespace jouletree::store::sql
