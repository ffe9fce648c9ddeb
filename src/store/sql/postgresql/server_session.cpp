#include "store/sql/postgresql/server_session.hpp"

#include <poll.h>

#include <utility>

#include <fmt/format.h>

#include "jouletree/error.hpp"
#include "store/sql/checked_parameters.hpp"
#include "store/sql/location.hpp"
#include "store/sql/postgresql/placeholders.hpp"

namespace jouletree::store::sql {
namespace {

/// More than the program ever says; queries of users come and go.
constexpr std::size_t kMostStatements = 128;

std::string field(const PGresult* result, int code) {
  const char* const text = result == nullptr ? nullptr : libpq().error_field(result, code);
  return text == nullptr ? std::string() : in_one_line(text);
}

/// The server ends the connection with these.
bool says_goodbye(const std::string& state) {
  return state.starts_with("08") || state == "57P01" || state == "57P02" || state == "57P03";
}

}  // namespace

ServerSession::ServerSession(std::string url, Access access, Backoff backoff)
    : url_(std::move(url)),
      place_(without_password(url_)),
      access_(access),
      backoff_(std::move(backoff)),
      link_(open_link(url_, access_, backoff_, LinkTime::First)) {}

void ServerSession::get_ready() {
  free_link();
  if (!is_lost()) return;
  if (in_transaction_) fail_lost({}, in_one_line(libpq().error_message(link_.get())));
  statements_.clear();
  link_ = open_link(url_, access_, backoff_, LinkTime::Again);
}

void ServerSession::free_link() noexcept {
  if (reader_ != nullptr) reader_->take_rest();
  end_results();
}

/// Nobody has asked anything, so what has come is the end of the connection, or talk without
/// consequence.
bool ServerSession::is_lost() const {
  if (libpq().status(link_.get()) != CONNECTION_OK) return true;
  pollfd socket = {libpq().socket(link_.get()), POLLIN, 0};
  while (::poll(&socket, 1, 0) > 0)
    if (libpq().consume_input(link_.get()) == 0) return true;
  return libpq().status(link_.get()) != CONNECTION_OK;
}

ServerResult ServerSession::run(const std::string& sql) {
  get_ready();
  ServerResult result(libpq().exec(link_.get(), sql.c_str()));
  check(result.get(), sql);
  return result;
}

const std::string& ServerSession::prepared(std::string_view sql,
                                           std::span<const Parameter> parameters) {
  auto known = statements_.find(std::string(sql));
  if (known == statements_.end()) {
    if (!holds_one_statement(sql)) {
      throw Error(ErrorKind::BadInput,
                  fmt::format("'{}' is not one statement: give one at a time", shortened(sql)));
    }
    const NumberedSql translated = numbered(sql);
    check_parameters(sql, translated.count, parameters);
    if (statements_.size() >= kMostStatements) forget_statements();
    const std::string name = fmt::format("jouletree_{}", ++statement_count_);
    const ServerResult result(
        libpq().prepare(link_.get(), name.c_str(), translated.text.c_str(), 0, nullptr));
    check(result.get(), sql);
    known = statements_.emplace(sql, Statement{name, translated.count}).first;
  } else {
    check_parameters(sql, known->second.parameters, parameters);
  }
  return known->second.name;
}

ServerResult ServerSession::send(std::string_view sql, std::span<const Parameter> parameters,
                                 bool streamed) {
  const std::string& name = prepared(sql, parameters);
  sent_.fill(parameters);
  if (libpq().send_prepared(link_.get(), name.c_str(), sent_.count(), sent_.values(),
                            sent_.lengths(), sent_.formats(), 0) == 0)
    fail(nullptr, sql);
  if (streamed) libpq().set_single_row_mode(link_.get());
  return ServerResult(libpq().get_result(link_.get()));
}

bool ServerSession::is_outdated(const PGresult* result, std::string_view sql) const {
  const std::string state = field(result, PG_DIAG_SQLSTATE);
  return (state == "26000" || state == "0A000") && statements_.contains(std::string(sql));
}

void ServerSession::end_results() noexcept {
  // Of a connection that was lost, there may be no last one.
  while (libpq().status(link_.get()) == CONNECTION_OK)
    if (!ServerResult(libpq().get_result(link_.get()))) break;
}

void ServerSession::forget_statements() noexcept {
  if (statements_.empty()) return;
  statements_.clear();
  libpq().clear(libpq().exec(link_.get(), "DEALLOCATE ALL"));
}

void ServerSession::check(const PGresult* result, std::string_view sql) {
  switch (libpq().result_status(result)) {
    case PGRES_COMMAND_OK:
    case PGRES_TUPLES_OK:
    case PGRES_SINGLE_TUPLE: return;
    case PGRES_EMPTY_QUERY:
      throw Error(ErrorKind::BadInput, "there is no statement in the SQL text");
    case PGRES_COPY_IN:
    case PGRES_COPY_OUT:
    case PGRES_COPY_BOTH:
      // The server now speaks of nothing else. Not opened anew here: a transaction must know that
      // it is lost.
      link_.reset();
      throw Error(
          ErrorKind::BadInput,
          fmt::format("COPY cannot be used here, in '{}': ask with SELECT", shortened(sql)));
    default: fail(result, sql);
  }
}

void ServerSession::fail(const PGresult* result, std::string_view sql) const {
  const std::string state = field(result, PG_DIAG_SQLSTATE);
  if (libpq().status(link_.get()) != CONNECTION_OK || says_goodbye(state))
    fail_lost(sql, in_one_line(libpq().error_message(link_.get())));
  std::string said = field(result, PG_DIAG_MESSAGE_PRIMARY);
  if (said.empty()) said = in_one_line(libpq().error_message(link_.get()));
  if (const std::string detail = field(result, PG_DIAG_MESSAGE_DETAIL); !detail.empty())
    said += fmt::format(" ({})", detail);
  const std::string text = shortened(sql);
  if (access_ == Access::Read && state == "25006") {
    throw Error(ErrorKind::BadInput,
                fmt::format("{} was opened to be read only, but '{}' would change something ({})",
                            place_, text, said));
  }
  if (state == "53100") {
    throw Error(ErrorKind::Failed,
                fmt::format("the disk of {} is full ({}): nothing of this change was stored; free "
                            "some space there, then repeat",
                            place_, said));
  }
  if (state.starts_with("XX00"))
    throw Error(ErrorKind::BadInput, fmt::format("{} is damaged: {}, in '{}'", place_, said, text));
  // What may go well the next time: memory, locks that wait for each other, a time limit.
  const bool may_pass = state.starts_with("53") || state.starts_with("40") ||
                        state.starts_with("55") || state == "57014";
  throw Error(may_pass ? ErrorKind::Failed : ErrorKind::BadInput,
              fmt::format("{}: {}, in '{}'{}", place_, said, text, may_pass ? "; repeat it" : ""));
}

void ServerSession::fail_lost(std::string_view sql, const std::string& reason) const {
  if (sql == "COMMIT") {
    throw Error(ErrorKind::Failed,
                fmt::format("the connection to {} was lost while a transaction was committed ({}): "
                            "look whether it was stored before you repeat it",
                            place_, reason));
  }
  if (in_transaction_) {
    throw Error(ErrorKind::Failed,
                fmt::format("the connection to {} was lost within a transaction ({}): nothing of "
                            "it was stored; repeat it",
                            place_, reason));
  }
  throw Error(ErrorKind::Failed,
              fmt::format("the connection to {} was lost during '{}' ({}): {}", place_,
                          shortened(sql), reason,
                          access_ == Access::Read
                              ? "repeat it"
                              : "look whether it was carried out before you repeat it"));
}

}  // namespace jouletree::store::sql
