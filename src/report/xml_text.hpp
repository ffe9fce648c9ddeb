#pragma once

#include <string>
#include <string_view>

namespace jouletree::report {

/// A text as it stands in XML, in attributes too. Control characters become spaces.
[[nodiscard]] std::string xml_text(std::string_view text);

}  // namespace jouletree::report
