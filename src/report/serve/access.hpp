#pragma once

#include <string>
#include <string_view>

#include "report/http/http_message.hpp"
#include "report/http/listen_address.hpp"
#include "report/serve/request_target.hpp"

namespace jouletree::report {

/// 128 bits of the randomness of the system in hexadecimal digits. Throws Error(Missing).
[[nodiscard]] std::string new_token();
/// Throws Error(BadInput), naming where it came from, for a token that is easily guessed or cannot
/// stand in an address.
void check_token(std::string_view token, std::string_view origin);

/// Takes as long whatever the texts are, as long as they are equally long.
[[nodiscard]] bool equal_in_constant_time(std::string_view one, std::string_view other);

/// Who may read the site.
class Access {
 public:
  enum class Verdict {
    Granted,
    GrantedByAddress,  ///< The token stands in the address: it belongs into a cookie.
    WrongHost,         ///< A page of another site may have sent the browser here.
    TokenNeeded,
  };

  /// An empty token lets everybody in who asks for this machine by a name of the loopback address.
  Access(const ListenAddress& address, std::string token);

  [[nodiscard]] Verdict judge(const HttpRequest& request, const RequestTarget& target) const;
  /// The header that hands the token over to a browser.
  [[nodiscard]] std::string cookie() const;

 private:
  [[nodiscard]] bool has_cookie(std::string_view header) const;

  std::string token_;
  std::string cookie_name_;
  bool is_loopback_;
};

/// Where a token may stand in an address.
inline constexpr const char* kTokenName = "token";

}  // namespace jouletree::report
