#pragma once

#include <cstddef>

namespace jouletree::runtime {

/// Version of what stands below and of the requests. A plug-in of another version is refused.
inline constexpr int kEngineInterface = 2;

/// Called once with the answer; `context` is handed through.
using EngineReply = void (*)(void* context, const char* text, std::size_t size);

/// What an engine plug-in offers. Requests and answers are JSON texts, so that plug-in and program
/// share no type: an engine may be built with another standard library.
struct EnginePlugin {
  int interface;  ///< Stays first in every version.
  const char* name;
  const char* version;
  /// Never throws: an answer says {"error": {"kind": …, "text": …}} instead.
  void (*answer)(const char* request, std::size_t size, EngineReply reply, void* context);
};

/// What a plug-in says of a request that it does not understand.
inline constexpr const char* kForeignRequest =
    "the engine's plug-in does not understand the program; install or build both anew, so that "
    "they "
    "fit together";

inline constexpr const char* kEngineEntry = "jouletree_engine_plugin";
/// The type of the function that a plug-in exports under that name.
using EngineEntry = const EnginePlugin* (*)();

}  // namespace jouletree::runtime
