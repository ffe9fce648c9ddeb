#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace jouletree::report {

/// Where a page that is served asks whether it is still the newest. Addresses are encoded.
struct LiveAddresses {
  std::string state;
  std::string data;
  std::string index;
};

/// A page that may ask its own server for news, and nobody else for anything.
struct ServedPage {
  std::string html;
  std::string policy;  ///< What it may do, for the header of the answer.
};

/// The data between the two halves of a page that `jouletree report` wrote; nothing for what is no
/// page of this program.
[[nodiscard]] std::optional<std::string_view> data_of_page(std::string_view html);

/// The page with these data, told which state they show.
[[nodiscard]] ServedPage served_page(std::string_view data, const LiveAddresses& addresses,
                                     std::string_view state);

}  // namespace jouletree::report
