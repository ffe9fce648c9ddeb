#include "report/monitor/metric_answer.hpp"

#include <exception>

#include <fmt/format.h>

#include "report/http/http_status.hpp"
#include "report/http/listen_address.hpp"
#include "report/monitor/metrics_text.hpp"

namespace jouletree::report {
namespace {

HttpAnswer text_answer(int status, const char* type, std::string text) {
  return {status,
          type,
          std::make_shared<const std::string>(std::move(text)),
          {{"X-Content-Type-Options", "nosniff"}, {"Cache-Control", "no-store"}}};
}

HttpAnswer refusal(int status, const std::string& sentence) {
  return text_answer(status, "text/plain; charset=utf-8", sentence + "\n");
}

/// What has no dot is no domain that somebody else could own.
bool is_domain_of_others(const std::string& host) {
  return host.find('.') != std::string::npos && !names_loopback(host);
}

}  // namespace

HttpAnswer metric_answer(const HttpRequest& request, bool is_loopback,
                         const std::function<std::string()>& collect_text) {
  if (request.method != "GET" && request.method != "HEAD") {
    HttpAnswer refused =
        refusal(http_status::kNotAllowed, "This server only shows: it takes GET and HEAD.");
    refused.headers.emplace_back("Allow", "GET, HEAD");
    return refused;
  }
  if (is_loopback && is_domain_of_others(request.host.value_or(""))) {
    return refusal(http_status::kMisdirected,
                   "This server answers only to names of this machine: localhost, 127.0.0.1, "
                   "[::1]. 'jouletree monitor --listen' can let it answer others.");
  }
  if (request.target.substr(0, request.target.find('?')) != "/metrics")
    return refusal(http_status::kNotFound, "The metrics are under /metrics.");
  try {
    return text_answer(http_status::kOk, kMetricsType, collect_text());
  } catch (const std::exception& error) {
    return refusal(http_status::kInternalError,
                   fmt::format("The metrics cannot be told: {}.", error.what()));
  }
}

}  // namespace jouletree::report
