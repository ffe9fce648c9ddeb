#include "report/page/served_page.hpp"

#include <fmt/format.h>

#include "report/page/page_parts.hpp"
#include "report/xml_text.hpp"

namespace jouletree::report {
namespace {

constexpr std::string_view kPolicyBegin = "Content-Security-Policy\" content=\"";
constexpr std::string_view kNothing = "default-src 'none'";
constexpr std::string_view kOwnServer = "; connect-src 'self'";
/// Framing can be forbidden by the header alone.
constexpr std::string_view kNoFrames = "; frame-ancestors 'none'";

}  // namespace

std::optional<std::string_view> data_of_page(std::string_view html) {
  const PageParts parts = page_parts();
  if (!html.starts_with(parts.before_data) || !html.ends_with(parts.after_data) ||
      html.size() < parts.before_data.size() + parts.after_data.size())
    return std::nullopt;
  html.remove_prefix(parts.before_data.size());
  html.remove_suffix(parts.after_data.size());
  return html;
}

ServedPage served_page(std::string_view data, const LiveAddresses& addresses,
                       std::string_view state) {
  const PageParts parts = page_parts();
  const std::string_view head = parts.before_data;
  const std::size_t policy = head.find(kPolicyBegin) + kPolicyBegin.size();
  const std::size_t policy_end = head.find('"', policy);
  const std::size_t title = head.find("<title>");
  ServedPage page;
  page.policy =
      fmt::format("{}{}{}", kNothing, kOwnServer,
                  head.substr(policy + kNothing.size(), policy_end - policy - kNothing.size()));
  page.html = fmt::format(
      "{}{}{}<meta name=\"jouletree-live\" content=\"{}\" data-data=\"{}\" data-index=\"{}\" "
      "data-state=\"{}\">\n{}{}{}",
      head.substr(0, policy), page.policy, head.substr(policy_end, title - policy_end),
      xml_text(addresses.state), xml_text(addresses.data), xml_text(addresses.index), state,
      head.substr(title), data, parts.after_data);
  page.policy += kNoFrames;
  return page;
}

}  // namespace jouletree::report
