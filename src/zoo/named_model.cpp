#include "zoo/named_model.hpp"

#include <algorithm>
#include <cctype>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/name_distance.hpp"
#include "jouletree/error.hpp"
#include "zoo/catalogue.hpp"
#include "zoo/weightless_graph.hpp"
#include "zoo/written_model.hpp"

namespace jouletree::zoo {
namespace {

constexpr std::size_t kMostNear = 3;

bool exists(const std::string& path) {
  std::error_code ignored;
  return std::filesystem::exists(path, ignored);
}

/// Letters and digits alone: people write resnet50, ResNet_50 and resnet-50.
std::string plain(std::string_view name) {
  std::string letters;
  for (const unsigned char letter : name)
    if (std::isalnum(letter) != 0) letters += static_cast<char>(std::tolower(letter));
  return letters;
}

/// Of a file what its name says, without the ending.
std::string wanted_name(const std::string& given) {
  const std::filesystem::path file(given);
  const std::string ending = file.extension().string();
  const bool is_model_file = ending == ".onnx" || ending == ".pt" || ending == ".pth";
  return (is_model_file ? file.stem() : file.filename()).string();
}

/// Those that somebody may have meant, best first.
std::vector<std::string_view> near_names(const std::string& wanted) {
  const std::string key = plain(wanted);
  std::vector<std::pair<std::int64_t, std::string_view>> near;
  for (const Architecture& row : catalogue()) {
    const std::string other = plain(row.name);
    if (other == key) return {row.name};
    const bool begins = key.size() > 2 && other.starts_with(key);
    const std::int64_t distance = name_distance(key, other);
    if (begins || wrong_letters(key, other) <= std::max<std::size_t>(1, key.size() / 4))
      near.emplace_back(distance, row.name);
  }
  std::stable_sort(near.begin(), near.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<std::string_view> names;
  for (std::size_t i = 0; i < std::min(kMostNear, near.size()); ++i)
    names.push_back(near[i].second);
  return names;
}

}  // namespace

bool is_zoo_name(const std::string& given) {
  const auto& rows = catalogue();
  const std::string name = written_name(given);
  return !exists(given) && std::any_of(rows.begin(), rows.end(),
                                       [&](const Architecture& row) { return row.name == name; });
}

void refuse_unknown_name(const std::string& given) {
  if (given.empty()) {
    throw Error(ErrorKind::BadInput,
                "the path of the model is empty: give a file, or a name of the zoo ('jouletree zoo "
                "list' shows them)");
  }
  if (exists(given) || is_zoo_name(given)) return;
  const std::vector<std::string_view> near = near_names(wanted_name(given));
  if (near.empty()) {
    throw Error(ErrorKind::BadInput,
                fmt::format("{}: there is no such file; check the path, or give a name of the zoo "
                            "('jouletree zoo list' shows them)",
                            given));
  }
  throw Error(ErrorKind::BadInput,
              fmt::format("{}: there is no such file; check the path, or give a name of the zoo "
                          "instead, such as {}",
                          given, fmt::join(near, ", ")));
}

std::shared_ptr<const Graph> read_or_make(const std::string& given, const InputSettings& settings) {
  refuse_unknown_name(given);
  if (is_zoo_name(given)) return weightless_graph(given);
  return std::make_shared<const Graph>(read_model(given, settings));
}

}  // namespace jouletree::zoo
