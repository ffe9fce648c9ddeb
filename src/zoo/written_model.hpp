#pragma once

#include <string>

#include "zoo/architecture.hpp"

namespace jouletree::zoo {

/// An architecture with settings of the user.
struct WrittenModel {
  const Architecture* architecture = nullptr;
  Settings settings;
};

/// Reads a name with settings behind it: "resnet-18 width=32 size=64". Throws Error(BadInput) for
/// an unknown name, with the nearest ones, and for settings that it does not have.
[[nodiscard]] WrittenModel written_model(const std::string& text);

/// The name alone: "resnet-18". Nothing where what follows it are no settings.
[[nodiscard]] std::string written_name(const std::string& text);

}  // namespace jouletree::zoo
