#pragma once

#include <functional>
#include <string>

#include "report/http/http_message.hpp"

namespace jouletree::report {

/// What a server of metrics answers: the text under /metrics, to GET and HEAD. One that only this
/// machine reaches does not answer to a domain name, because a web page of somebody else can lead
/// its browser here under one (DNS rebinding).
[[nodiscard]] HttpAnswer metric_answer(const HttpRequest& request, bool is_loopback,
                                       const std::function<std::string()>& collect_text);

}  // namespace jouletree::report
