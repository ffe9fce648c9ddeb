#include "report/serve/access.hpp"

#include <sys/random.h>

#include <algorithm>
#include <array>
#include <cctype>

#include <fmt/format.h>

#include "jouletree/error.hpp"

namespace jouletree::report {
namespace {

constexpr std::size_t kLeastToken = 16;
constexpr std::size_t kMostToken = 256;

std::string_view trimmed_value(std::string_view text) {
  while (text.starts_with(' ')) text.remove_prefix(1);
  while (text.ends_with(' ')) text.remove_suffix(1);
  return text;
}

}  // namespace

std::string new_token() {
  std::array<unsigned char, 16> bytes{};
  if (::getrandom(bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size())) {
    throw Error(ErrorKind::Missing,
                "the system has no randomness for a token; give one with "
                "--token-file");
  }
  std::string token;
  for (const unsigned char byte : bytes) token += fmt::format("{:02x}", byte);
  return token;
}

void check_token(std::string_view token, std::string_view origin) {
  constexpr std::string_view kMarks = "-._~";
  const bool is_plain = std::all_of(token.begin(), token.end(), [&](char letter) {
    return std::isalnum(static_cast<unsigned char>(letter)) != 0 ||
           kMarks.find(letter) != std::string_view::npos;
  });
  if (is_plain && token.size() >= kLeastToken && token.size() <= kMostToken) return;
  throw Error(
      ErrorKind::BadInput,
      fmt::format("{}: a token has {} to {} letters, digits or marks of {}; leave it out to "
                  "get one",
                  origin, kLeastToken, kMostToken, kMarks));
}

bool equal_in_constant_time(std::string_view one, std::string_view other) {
  if (one.size() != other.size()) return false;
  unsigned char difference = 0;
  for (std::size_t i = 0; i < one.size(); ++i) {
    difference = static_cast<unsigned char>(
        difference | static_cast<unsigned char>(static_cast<unsigned char>(one[i]) ^
                                                static_cast<unsigned char>(other[i])));
  }
  // The compiler must not find out that one difference is enough.
  const volatile unsigned char result = difference;
  return result == 0;
}

Access::Access(const ListenAddress& address, std::string token)
    : token_(std::move(token)),
      // Browsers give cookies to all ports of a host.
      cookie_name_(fmt::format("jouletree-{}", address.port)),
      is_loopback_(address.is_loopback) {}

bool Access::has_cookie(std::string_view header) const {
  while (!header.empty()) {
    const std::string_view pair = header.substr(0, header.find(';'));
    const std::size_t equals = pair.find('=');
    if (equals != std::string_view::npos && trimmed_value(pair.substr(0, equals)) == cookie_name_ &&
        equal_in_constant_time(trimmed_value(pair.substr(equals + 1)), token_))
      return true;
    header.remove_prefix(std::min(header.size(), pair.size() + 1));
  }
  return false;
}

Access::Verdict Access::judge(const HttpRequest& request, const RequestTarget& target) const {
  constexpr std::string_view kBearer = "Bearer ";
  if (is_loopback_ && !names_loopback(request.host.value_or(""))) return Verdict::WrongHost;
  if (token_.empty()) return Verdict::Granted;
  const std::string_view header =
      request.authorization ? std::string_view(*request.authorization) : std::string_view{};
  if (header.starts_with(kBearer) &&
      equal_in_constant_time(trimmed_value(header.substr(kBearer.size())), token_))
    return Verdict::Granted;
  if (const auto given = target.query.find(kTokenName); given != target.query.end()) {
    return equal_in_constant_time(given->second, token_) ? Verdict::GrantedByAddress
                                                         : Verdict::TokenNeeded;
  }
  return has_cookie(request.cookie.value_or("")) ? Verdict::Granted : Verdict::TokenNeeded;
}

std::string Access::cookie() const {
  return fmt::format("{}={}; Path=/; HttpOnly; SameSite=Strict", cookie_name_, token_);
}

}  // namespace jouletree::report
