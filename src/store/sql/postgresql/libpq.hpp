#pragma once

#include <libpq-fe.h>

namespace jouletree::store::sql {

/// The functions of libpq that are used, by their names without "PQ".
struct Libpq {
  decltype(&::PQconnectdbParams) connect;
  decltype(&::PQconnectStartParams) start_connect;
  decltype(&::PQconninfo) settings_of;
  decltype(&::PQpingParams) ping;
  decltype(&::PQconninfoParse) parse_url;
  decltype(&::PQconninfoFree) free_settings;
  decltype(&::PQfreemem) free_memory;
  decltype(&::PQfinish) finish;
  decltype(&::PQstatus) status;
  decltype(&::PQsocket) socket;
  decltype(&::PQerrorMessage) error_message;
  decltype(&::PQsetNoticeProcessor) set_notice_processor;
  decltype(&::PQconsumeInput) consume_input;
  decltype(&::PQgetCancel) get_cancel;
  decltype(&::PQcancel) cancel;
  decltype(&::PQfreeCancel) free_cancel;
  decltype(&::PQexec) exec;
  decltype(&::PQprepare) prepare;
  decltype(&::PQsendQueryPrepared) send_prepared;
  decltype(&::PQsetSingleRowMode) set_single_row_mode;
  decltype(&::PQgetResult) get_result;
  decltype(&::PQenterPipelineMode) enter_pipeline;
  decltype(&::PQexitPipelineMode) exit_pipeline;
  decltype(&::PQpipelineSync) pipeline_sync;
  decltype(&::PQresultStatus) result_status;
  decltype(&::PQresultErrorField) error_field;
  decltype(&::PQcmdTuples) changed_rows;
  decltype(&::PQntuples) row_count;
  decltype(&::PQnfields) column_count;
  decltype(&::PQfname) column_name;
  decltype(&::PQftype) column_type;
  decltype(&::PQgetisnull) is_null;
  decltype(&::PQgetvalue) value;
  decltype(&::PQgetlength) length;
  decltype(&::PQclear) clear;
};

/// Opens the library, once, so that only those need it who use such a database. Throws
/// Error(Missing) where it is not there.
[[nodiscard]] const Libpq& libpq();

}  // namespace jouletree::store::sql
