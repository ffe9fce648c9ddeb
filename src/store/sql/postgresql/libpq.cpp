#include "store/sql/postgresql/libpq.hpp"

#include <dlfcn.h>

#include <fmt/format.h>

#include "jouletree/error.hpp"

namespace jouletree::store::sql {
namespace {

constexpr const char* kLibrary = "libpq.so.5";

template <class Function>
void find(void* library, const char* name, Function& function) {
  function = reinterpret_cast<Function>(::dlsym(library, name));  // NOLINT: dlsym
  if (function == nullptr) {
    throw Error(ErrorKind::Missing,
                fmt::format("{} has no {}: databases of PostgreSQL need libpq 14 or newer; install "
                            "a newer libpq5",
                            kLibrary, name));
  }
}

Libpq open_library() {
  void* const library = ::dlopen(kLibrary, RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    throw Error(
        ErrorKind::Missing,
        fmt::format("databases of PostgreSQL cannot be used: {}; install libpq5", ::dlerror()));
  }
  Libpq pq{};
  find(library, "PQconnectdbParams", pq.connect);
  find(library, "PQconnectStartParams", pq.start_connect);
  find(library, "PQconninfo", pq.settings_of);
  find(library, "PQpingParams", pq.ping);
  find(library, "PQconninfoParse", pq.parse_url);
  find(library, "PQconninfoFree", pq.free_settings);
  find(library, "PQfreemem", pq.free_memory);
  find(library, "PQfinish", pq.finish);
  find(library, "PQstatus", pq.status);
  find(library, "PQsocket", pq.socket);
  find(library, "PQerrorMessage", pq.error_message);
  find(library, "PQsetNoticeProcessor", pq.set_notice_processor);
  find(library, "PQconsumeInput", pq.consume_input);
  find(library, "PQgetCancel", pq.get_cancel);
  find(library, "PQcancel", pq.cancel);
  find(library, "PQfreeCancel", pq.free_cancel);
  find(library, "PQexec", pq.exec);
  find(library, "PQprepare", pq.prepare);
  find(library, "PQsendQueryPrepared", pq.send_prepared);
  find(library, "PQsetSingleRowMode", pq.set_single_row_mode);
  find(library, "PQgetResult", pq.get_result);
  find(library, "PQenterPipelineMode", pq.enter_pipeline);
  find(library, "PQexitPipelineMode", pq.exit_pipeline);
  find(library, "PQpipelineSync", pq.pipeline_sync);
  find(library, "PQresultStatus", pq.result_status);
  find(library, "PQresultErrorField", pq.error_field);
  find(library, "PQcmdTuples", pq.changed_rows);
  find(library, "PQntuples", pq.row_count);
  find(library, "PQnfields", pq.column_count);
  find(library, "PQfname", pq.column_name);
  find(library, "PQftype", pq.column_type);
  find(library, "PQgetisnull", pq.is_null);
  find(library, "PQgetvalue", pq.value);
  find(library, "PQgetlength", pq.length);
  find(library, "PQclear", pq.clear);
  return pq;
}

}  // namespace

const Libpq& libpq() {
  static const Libpq opened = open_library();
  return opened;
}

}  // namespace jouletree::store::sql
