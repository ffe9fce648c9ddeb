#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

namespace jouletree::report {

/// What of a folder `jouletree report` takes and the site shows.
enum class ResultKind : std::uint8_t {
  Profile,
  Study,
  Recording,
  CrossValidation,
  Prediction,
  TreeFile,
  Database,
  Unfinished,  ///< Perhaps one of these, still being written.
};
/// "profile", "study", "recording" …
[[nodiscard]] std::string_view name_of(ResultKind kind);

/// Nothing for what is none of these. Models are none: to read one may start an engine.
[[nodiscard]] std::optional<ResultKind> result_kind_of(const std::filesystem::path& path);

/// What changes whenever the files of a result do.
struct ResultState {
  std::uint64_t mark = 0;
  std::filesystem::file_time_type changed{};  ///< When one of them changed last.
};
[[nodiscard]] ResultState state_of(ResultKind kind, const std::filesystem::path& path);

/// How far a result is.
struct ResultProgress {
  bool is_going_on = false;
  std::string words{};  ///< "going on", "interrupted"; empty for what has ended as it should.
};
[[nodiscard]] ResultProgress progress_of(ResultKind kind, const std::filesystem::path& path,
                                         const ResultState& state);

/// One line on what a result tells: model, time and energy with their provenance. Empty where it
/// cannot be read.
[[nodiscard]] std::string summary_of(ResultKind kind, const std::filesystem::path& path);

}  // namespace jouletree::report
