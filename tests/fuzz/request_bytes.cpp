#include "request_bytes.hpp"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <optional>

#include "report/serve/access.hpp"
#include "report/serve/contained_path.hpp"
#include "report/serve/request_target.hpp"

namespace jouletree::test {
namespace {

using report::Access;

constexpr const char* kToken = "0123456789abcdef";

/// What must hold for any request.
void demand(bool holds) {
  if (!holds) std::abort();
}

std::optional<std::string> taken_line(std::string_view& bytes) {
  if (bytes.data() == nullptr) return std::nullopt;
  const std::size_t end = bytes.find('\n');
  std::string line(bytes.substr(0, end));
  bytes = end == std::string_view::npos ? std::string_view{} : bytes.substr(end + 1);
  return line;
}

void check_segments(const report::RequestTarget& target) {
  for (const std::string& segment : target.segments) {
    demand(!segment.empty() && segment != "." && segment != "..");
    demand(segment.find('/') == std::string::npos && segment.find('\0') == std::string::npos);
  }
}

/// An address in a header leads to the same place of this server.
void check_address(const report::RequestTarget& target) {
  const std::string address = report::address_of(target, report::kTokenName);
  demand(address.starts_with('/') && !address.starts_with("//"));
  demand(std::none_of(address.begin(), address.end(),
                      [](unsigned char letter) { return letter <= ' ' || letter >= 0x7F; }));
  const auto again = report::parse_target(address);
  demand(again && again->segments == target.segments);
  demand(!again->query.contains(report::kTokenName));
  auto query = target.query;
  query.erase(report::kTokenName);
  demand(again->query == query);
}

void check_path(const report::RequestTarget& target) {
  static const std::filesystem::path kRoot = std::filesystem::canonical("/proc/self/fdinfo");
  const auto path = report::contained_path(kRoot, target.segments);
  demand(!path || *path == kRoot || path->parent_path() == kRoot);
}

bool holds_token(const std::optional<std::string>& header) {
  return header && header->find(kToken) != std::string::npos;
}

void check_verdict(Access::Verdict verdict, const report::HttpRequest& request,
                   const report::RequestTarget& target, bool is_loopback, bool has_token) {
  if (is_loopback && !report::names_loopback(request.host.value_or("")))
    return demand(verdict == Access::Verdict::WrongHost);
  if (!has_token) return demand(verdict == Access::Verdict::Granted);
  const auto given = target.query.find(report::kTokenName);
  const bool is_in_query = given != target.query.end() && given->second == kToken;
  if (verdict == Access::Verdict::GrantedByAddress) demand(is_in_query);
  if (verdict == Access::Verdict::Granted)
    demand(holds_token(request.authorization) || holds_token(request.cookie));
}

}  // namespace

void answer_request_bytes(std::string_view bytes) {
  const std::string kind = taken_line(bytes).value_or("");
  const bool is_loopback = kind != "t";
  const bool has_token = kind != "l";
  report::HttpRequest request;
  request.method = "GET";
  request.target = taken_line(bytes).value_or("");
  request.host = taken_line(bytes);
  request.authorization = taken_line(bytes);
  request.cookie = taken_line(bytes);
  const auto target = report::parse_target(request.target);
  if (!target) return;
  check_segments(*target);
  check_address(*target);
  check_path(*target);
  const report::ListenAddress address{is_loopback ? "127.0.0.1" : "0.0.0.0", 8417, false,
                                      is_loopback};
  const Access access(address, has_token ? kToken : "");
  check_verdict(access.judge(request, *target), request, *target, is_loopback, has_token);
}

std::vector<std::string> seed_requests() {
  const std::string token = kToken;
  return {
      "l\n/\nlocalhost:8417",
      "l\n/page/models/a%20b?model=resnet-18\n127.0.0.1",
      "l\n/state/%C3%BC%231\n[::1]:8417",
      "l\n/page/..%2f%2e%2e/etc\nevil.example",
      "l\n//evil.example/?token=x#y\n127.0.0.1",
      "t\n/data/lab.sqlite?model=a&token=" + token + "\nlab.example:8417",
      "t\n/serve.css\nlab\nBearer " + token,
      "b\n/campaign/lab.sqlite?name=x%00y\nlocalhost\nBasic x\na=b; jouletree-8417=" + token,
      "b\n/page?=&a=%&b=%4\nlocalhost\n\n;=;jouletree-8417",
  };
}

}  // namespace jouletree::test
