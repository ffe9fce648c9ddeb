#pragma once

namespace jouletree::report::http_status {

inline constexpr int kOk = 200;
inline constexpr int kNoContent = 204;
inline constexpr int kSeeOther = 303;
inline constexpr int kBadRequest = 400;
inline constexpr int kUnauthorized = 401;
inline constexpr int kNotFound = 404;
inline constexpr int kNotAllowed = 405;
inline constexpr int kMisdirected = 421;
inline constexpr int kUnreadable = 422;
inline constexpr int kInternalError = 500;

}  // namespace jouletree::report::http_status
