#include "store/sql/postgresql/server_pipeline.hpp"

#include <charconv>
#include <utility>

namespace jouletree::store::sql {
namespace {

/// A server that cannot get rid of its answers reads no more questions: there are never more of
/// both on their way than the buffers between them take.
constexpr std::size_t kMostSets = 500;
constexpr std::size_t kMostBytes = 256 * 1024;

class Pipeline {
 public:
  Pipeline(ServerSession& session, const std::string& statement)
      : session_(session), statement_(statement) {
    libpq().enter_pipeline(session_.link());
  }
  Pipeline(const Pipeline&) = delete;
  Pipeline& operator=(const Pipeline&) = delete;
  ~Pipeline() { libpq().exit_pipeline(session_.link()); }

  /// Returns how many of the sets were sent.
  std::size_t send_some(std::span<const std::vector<Parameter>> sets) {
    std::size_t sent = 0;
    std::size_t bytes = 0;
    while (sent < sets.size() && sent < kMostSets && bytes < kMostBytes && !is_lost()) {
      parameters_.fill(sets[sent]);
      libpq().send_prepared(session_.link(), statement_.c_str(), parameters_.count(),
                            parameters_.values(), parameters_.lengths(), parameters_.formats(), 0);
      bytes += parameters_.bytes();
      ++sent;
    }
    libpq().pipeline_sync(session_.link());
    ++pending_;
    return sent;
  }

  /// Reads what was said up to the end of the earliest part that was sent. The first failure is
  /// kept.
  void read_some() {
    --pending_;
    bool was_null = false;
    while (!is_lost()) {
      ServerResult result(libpq().get_result(session_.link()));
      // One behind every statement; a second one behind the last.
      if (result == nullptr && was_null) return;
      was_null = result == nullptr;
      if (result == nullptr) continue;
      switch (libpq().result_status(result.get())) {
        case PGRES_PIPELINE_SYNC: return;
        case PGRES_COMMAND_OK:
        case PGRES_TUPLES_OK: changed_ += rows_of(libpq().changed_rows(result.get())); break;
        default:
          if (failure_ == nullptr) failure_ = std::move(result);
      }
    }
  }

  [[nodiscard]] std::size_t pending() const { return pending_; }
  [[nodiscard]] bool is_lost() const { return libpq().status(session_.link()) != CONNECTION_OK; }
  [[nodiscard]] bool has_failed() const { return failure_ != nullptr || is_lost(); }
  [[nodiscard]] std::int64_t changed() const { return changed_; }
  [[nodiscard]] ServerResult take_failure() { return std::move(failure_); }

 private:
  static std::int64_t rows_of(std::string_view text) {
    std::int64_t rows = 0;
    std::from_chars(text.data(), text.data() + text.size(), rows);
    return rows;
  }

  ServerSession& session_;
  const std::string& statement_;
  SentParameters parameters_;
  std::size_t pending_ = 0;
  std::int64_t changed_ = 0;
  ServerResult failure_;
};

}  // namespace

std::int64_t run_pipeline(ServerSession& session, std::string_view sql,
                          std::span<const std::vector<Parameter>> sets) {
  session.get_ready();
  // All are checked before one is sent.
  for (const std::vector<Parameter>& set : sets) (void)session.prepared(sql, set);
  const std::string name = session.prepared(sql, sets.front());
  ServerResult failure;
  {
    Pipeline pipeline(session, name);
    while (!sets.empty() && !pipeline.has_failed()) {
      sets = sets.subspan(pipeline.send_some(sets));
      // The server works on one part while the next is written.
      if (pipeline.pending() > 1) pipeline.read_some();
    }
    while (pipeline.pending() > 0) pipeline.read_some();
    if (!pipeline.has_failed()) return pipeline.changed();
    failure = pipeline.take_failure();
  }
  session.fail(failure.get(), sql);
}

}  // namespace jouletree::store::sql
