#pragma once

#include <optional>

namespace jouletree {

/// A number and the bounds that the true one lies in, as far as they are known.
struct Figure {
  std::optional<double> value;
  std::optional<double> low;
  std::optional<double> high;
};

}  // namespace jouletree
