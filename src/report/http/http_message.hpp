#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace jouletree::report {

/// What of an HTTP request matters to whoever answers it.
struct HttpRequest {
  std::string method;
  std::string target;  ///< As it came, still encoded.
  std::optional<std::string> host{};
  std::optional<std::string> authorization{};
  std::optional<std::string> cookie{};
};

struct HttpAnswer {
  int status = 0;
  std::string type;  ///< Of the content.
  std::shared_ptr<const std::string> body;
  std::vector<std::pair<std::string, std::string>> headers;
};

/// Called by many threads at once; must not throw.
using AnswerRequest = std::function<HttpAnswer(const HttpRequest&)>;

}  // namespace jouletree::report
