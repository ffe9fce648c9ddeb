#include "store/sql/postgresql/server_rows.hpp"

#include <array>
#include <charconv>

#include <fmt/format.h>

#include "jouletree/error.hpp"

namespace jouletree::store::sql {
namespace {

/// Numbers of types, which are the same on every server.
enum ServerType : Oid {
  kBool = 16,
  kBytes = 17,
  kInt8 = 20,
  kInt2 = 21,
  kInt4 = 23,
  kOid = 26,
  kFloat4 = 700,
  kFloat8 = 701,
  kNumeric = 1700
};

template <class Number>
Number number_of_cell(std::string_view text) {
  Number number{};
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

unsigned digit_value(char digit) {
  return static_cast<unsigned>(digit <= '9' ? digit - '0' : (digit | 0x20) - 'a' + 10);
}

/// "\x0aff…".
Blob bytes_of_cell(std::string_view text) {
  Blob blob;
  blob.bytes.reserve(text.size() / 2);
  for (std::size_t i = 2; i + 1 < text.size(); i += 2) {
    blob.bytes += static_cast<char>(digit_value(text[i]) * 16 + digit_value(text[i + 1]));
  }
  return blob;
}

}  // namespace

ReadTransaction::ReadTransaction(std::shared_ptr<ServerSession> session)
    : session_(std::move(session)) {
  // Once it has read something, nothing can make it write.
  session_->run("BEGIN READ ONLY; SELECT 1");
}

ReadTransaction::~ReadTransaction() {
  session_->end_results();
  libpq().clear(libpq().exec(session_->link(), "ROLLBACK"));
}

ServerRows::ServerRows(std::shared_ptr<ServerSession> session, std::string sql, ServerResult first,
                       std::unique_ptr<ReadTransaction> around)
    : session_(std::move(session)),
      sql_(std::move(sql)),
      around_(std::move(around)),
      current_(std::move(first)) {
  const int count = libpq().column_count(current_.get());
  for (int i = 0; i < count; ++i) {
    columns_.emplace_back(libpq().column_name(current_.get(), i));
    types_.push_back(libpq().column_type(current_.get(), i));
  }
  session_->set_reader(this);
}

ServerRows::~ServerRows() {
  if (!is_running_) return;
  // A few are read sooner than the server is told to stop. Only what cannot have changed anything
  // is stopped.
  constexpr int kFew = 1000;
  bool has_more = true;
  for (int i = 0; has_more && i < kFew; ++i)
    has_more = ServerResult(libpq().get_result(session_->link())) != nullptr;
  if (has_more && around_ != nullptr) {
    PGcancel* const cancel = libpq().get_cancel(session_->link());
    std::array<char, 256> problem{};
    libpq().cancel(cancel, problem.data(), static_cast<int>(problem.size()));
    libpq().free_cancel(cancel);
  }
  end();
}

void ServerRows::end() noexcept {
  is_running_ = false;
  session_->set_reader(nullptr);
  session_->end_results();
  around_.reset();
}

void ServerRows::take_rest() noexcept {
  if (!is_running_) return;
  while (ServerResult result{libpq().get_result(session_->link())}) {
    const bool was_error = libpq().result_status(result.get()) == PGRES_FATAL_ERROR;
    kept_.push_back(std::move(result));
    if (was_error) break;
  }
  end();
}

ServerResult ServerRows::next_result() {
  if (!kept_.empty()) {
    ServerResult result = std::move(kept_.front());
    kept_.pop_front();
    return result;
  }
  return is_running_ ? ServerResult(libpq().get_result(session_->link())) : nullptr;
}

bool ServerRows::next() {
  while (current_ != nullptr) {
    if (++row_ < libpq().row_count(current_.get())) return true;
    current_ = next_result();
    row_ = -1;
    if (current_ == nullptr) break;
    const ExecStatusType status = libpq().result_status(current_.get());
    if (status != PGRES_SINGLE_TUPLE && status != PGRES_TUPLES_OK && status != PGRES_COMMAND_OK) {
      const ServerResult failed = std::move(current_);
      if (is_running_) end();
      session_->fail(failed.get(), sql_);
    }
  }
  if (is_running_) end();
  return false;
}

Value ServerRows::value(std::size_t column) const {
  if (current_ == nullptr || row_ < 0 || column >= columns_.size())
    throw Error(ErrorKind::BadInput, fmt::format("there is no row with a column {} here", column));
  const int index = static_cast<int>(column);
  if (libpq().is_null(current_.get(), row_, index) != 0) return std::monostate();
  const std::string_view text(
      libpq().value(current_.get(), row_, index),
      static_cast<std::size_t>(libpq().length(current_.get(), row_, index)));
  switch (types_[column]) {
    case kBool: return std::int64_t{text == "t" ? 1 : 0};
    case kInt2:
    case kInt4:
    case kInt8:
    case kOid: return number_of_cell<std::int64_t>(text);
    case kFloat4:
    case kFloat8:
    case kNumeric: return number_of_cell<double>(text);
    case kBytes: return bytes_of_cell(text);
    default: return std::string(text);
  }
}

}  // namespace jouletree::store::sql
