#include "runtime/onnxruntime/plain_error.hpp"

#include <algorithm>
#include <cctype>

namespace jouletree::runtime::onnxruntime {
namespace {

constexpr auto kNowhere = std::string_view::npos;

bool is_digit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }
bool is_blank(char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; }

/// Blanks and line ends become single blanks.
std::string one_line(std::string_view text) {
  std::string line;
  for (const char c : text) {
    if (!is_blank(c)) {
      line += c;
    } else if (!line.empty() && line.back() != ' ') {
      line += ' ';
    }
  }
  while (!line.empty() && line.back() == ' ') line.pop_back();
  return line;
}

/// "Load model from FILE failed:" in front.
void drop_file(std::string& line) {
  constexpr std::string_view kFront = "Load model from ";
  constexpr std::string_view kBehind = " failed:";
  const auto behind = line.find(kBehind);
  if (line.starts_with(kFront) && behind != kNowhere) line.erase(0, behind + kBehind.size());
}

/// "[ONNXRuntimeError] : 1 : FAIL : ", wherever it stands.
void drop_numbers(std::string& line) {
  constexpr std::string_view kTag = "[ONNXRuntimeError] : ";
  for (auto at = line.find(kTag); at != kNowhere; at = line.find(kTag, at)) {
    auto end = at + kTag.size();
    for (int field = 0; field < 2; ++field) {
      const auto next = line.find(" : ", end);
      if (next != kNowhere) end = next + 3;
    }
    line.erase(at, end - at);
  }
}

/// Where the arguments of a function end that begin at `open`; `kNowhere` if they do not.
std::size_t end_of_arguments(std::string_view line, std::size_t open) {
  int depth = 0;
  for (std::size_t i = open; i < line.size(); ++i) {
    if (line[i] == '(') ++depth;
    if (line[i] == ')' && --depth == 0) return i + 1;
  }
  return kNowhere;
}

/// Behind a place in the source stands the function: with its signature, or its name only.
std::size_t end_of_function(std::string_view line, std::size_t at) {
  const auto open = line.find('(', at);
  const auto scope = line.find("::", at);
  const bool has_signature = open != kNowhere && scope != kNowhere && scope < open;
  if (has_signature) {
    if (const auto end = end_of_arguments(line, open); end != kNowhere) return end;
  }
  auto end = at;
  while (end < line.size() && (std::isalnum(static_cast<unsigned char>(line[end])) != 0 ||
                               std::string_view("_:~").find(line[end]) != kNowhere))
    ++end;
  return end;
}

/// The position behind "FILE.cc:123", whose suffix begins at `dot`; `kNowhere` if that is none.
std::size_t end_of_place(std::string_view line, std::size_t dot) {
  for (const std::string_view suffix : {".cc:", ".cpp:", ".h:", ".hpp:", ".cu:", ".cuh:"}) {
    if (!line.substr(dot).starts_with(suffix)) continue;
    auto end = dot + suffix.size();
    if (end >= line.size() || !is_digit(line[end])) return kNowhere;
    while (end < line.size() && is_digit(line[end])) ++end;
    return end;
  }
  return kNowhere;
}

/// "/src/core/model.cc:202 void f(int) ", wherever it stands.
void drop_places(std::string& line) {
  for (auto dot = line.find('.'); dot != kNowhere; dot = line.find('.', dot + 1)) {
    auto end = end_of_place(line, dot);
    if (end == kNowhere) continue;
    auto begin = dot;
    while (begin > 0 && line[begin - 1] != ' ') --begin;
    if (end < line.size() && line[end] == ' ') end = end_of_function(line, end + 1);
    if (end < line.size() && line[end] == ' ') ++end;
    line.erase(begin, end - begin);
    dot = begin > 0 ? begin - 1 : 0;
    if (line.empty()) return;
  }
}

/// What CUDA adds about places.
void drop_cuda_details(std::string& line) {
  for (const std::string_view detail : {" ; GPU=", " ; hostname=", " ; file="})
    line.erase(std::min(line.find(detail), line.size()));
}

constexpr const char* kOtherBuild =
    "install an ONNX Runtime that is built for it (for NVIDIA cards onnxruntime-gpu), and let "
    "ONNXRUNTIME_ROOT name its folder";

}  // namespace

std::string plain_error(std::string_view what) {
  std::string line = one_line(what);
  drop_file(line);
  drop_numbers(line);
  drop_places(line);
  drop_cuda_details(line);
  constexpr std::string_view kInvalid = "This is an invalid model. ";
  if (line.starts_with(kInvalid)) line.erase(0, kInvalid.size());
  while (line.ends_with(' ')) line.pop_back();
  return line.empty() ? "it gave no reason" : line;
}

std::string device_problem(const std::string& device, std::string_view what) {
  const std::string reason = plain_error(what);
  const std::string front = "ONNX Runtime cannot use the device '" + device + "': ";
  constexpr std::string_view kLibrary = "Failed to load library ";
  if (const auto at = reason.find(kLibrary); at != kNowhere) {
    const std::string path = reason.substr(at + kLibrary.size());
    const std::string file = path.substr(0, path.find(' '));
    return front + "its library " + file.substr(file.rfind('/') + 1) + " cannot be loaded; " +
           kOtherBuild;
  }
  if (reason.find("Unknown provider name") != kNowhere ||
      reason.find("is not enabled in this build") != kNowhere)
    return front + "this build of it lacks the device; " + kOtherBuild;
  return front + reason + "; check that the device and its driver are there";
}

}  // namespace jouletree::runtime::onnxruntime
