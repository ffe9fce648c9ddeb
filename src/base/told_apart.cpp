#include "base/told_apart.hpp"

#include <algorithm>
#include <set>
#include <string_view>

#include "base/display_width.hpp"

namespace jouletree {
namespace {

constexpr std::string_view kCut = "…";
constexpr std::size_t kFewestAtEnd = 8;  ///< Letters that are worth a cut of their own.

/// A name without the space before it.
struct Cut {
  std::string indent;
  std::string_view text;
  std::size_t room;  ///< For the text.
};

Cut cut_of(const std::string& name, std::size_t columns) {
  const std::size_t indent = std::min(name.find_first_not_of(' '), name.size());
  const std::size_t kept = std::min(indent, columns / 2);
  return {std::string(kept, ' '), std::string_view(name).substr(indent), columns - kept};
}

/// "encoder.layer.0…Mul": so many letters of the beginning.
std::string cut_once(const std::string& name, std::size_t columns, std::size_t begin) {
  const Cut cut = cut_of(name, columns);
  if (cut.text.size() <= cut.room || begin + 1 > cut.room) return shortened_name(name, columns);
  const std::size_t end = cut.room - 1 - begin;
  return cut.indent + std::string(cut.text.substr(0, begin)) + std::string(kCut) +
         std::string(cut.text.substr(cut.text.size() - end));
}

/// "enc…0…query.MatMul": the part of the path in which this place lies, and the end.
std::string cut_twice(const std::string& name, std::size_t columns, std::size_t place) {
  constexpr std::string_view kBetweenParts = "./";
  constexpr std::size_t kBegin = 3;
  const Cut cut = cut_of(name, columns);
  if (cut.text.size() <= cut.room || place >= cut.text.size()) return shortened_name(name, columns);
  const std::size_t before = cut.text.find_last_of(kBetweenParts, place);
  const std::size_t first = before == std::string_view::npos ? 0 : before + 1;
  const std::size_t last = std::min(cut.text.find_first_of(kBetweenParts, place), cut.text.size());
  const std::size_t used = kBegin + 2 + (last > first ? last - first : 0);
  if (first <= kBegin || last <= first || used + kFewestAtEnd > cut.room)
    return shortened_name(name, columns);
  const std::size_t end = cut.room - used;
  if (cut.text.size() - end <= last) return shortened_name(name, columns);
  return cut.indent + std::string(cut.text.substr(0, kBegin)) + std::string(kCut) +
         std::string(cut.text.substr(first, last - first)) + std::string(kCut) +
         std::string(cut.text.substr(cut.text.size() - end));
}

bool has_plain_letters(const std::string& name) {
  return std::all_of(name.begin(), name.end(), [](char c) { return c >= ' ' && c <= '~'; });
}

using Names = std::vector<std::string>;

template <class MakeCut>
Names cut_all(const Names& names, const MakeCut& make_cut) {
  Names result;
  result.reserve(names.size());
  for (const std::string& name : names) result.push_back(make_cut(name));
  return result;
}

/// Where neighbours begin to differ, behind their space.
std::set<std::size_t> places_of_difference(const Names& sorted, std::size_t columns) {
  std::set<std::size_t> places;
  for (std::size_t i = 1; i < sorted.size(); ++i) {
    const std::string_view a = cut_of(sorted[i - 1], columns).text;
    const std::string_view b = cut_of(sorted[i], columns).text;
    const auto end = std::mismatch(a.begin(), a.end(), b.begin(), b.end()).first;
    places.insert(static_cast<std::size_t>(end - a.begin()));
  }
  return places;
}

/// The best way to cut names that read alike otherwise; `taken` is what others read.
Names cut_apart(const Names& sorted, std::size_t columns, const std::set<std::string>& taken) {
  Names best;
  std::size_t most = 0;
  const auto consider = [&](Names tried) {
    std::set<std::string> different(tried.begin(), tried.end());
    std::erase_if(different, [&](const std::string& text) { return taken.contains(text); });
    if (different.size() <= most) return;
    most = different.size();
    best = std::move(tried);
  };
  consider(cut_all(sorted, [&](const auto& name) { return shortened_name(name, columns); }));
  for (const std::size_t place : places_of_difference(sorted, columns)) {
    consider(cut_all(sorted, [&](const auto& name) { return cut_twice(name, columns, place); }));
    consider(cut_all(sorted, [&](const auto& name) { return cut_once(name, columns, place + 1); }));
  }
  return best;
}

}  // namespace

std::map<std::string, std::string> told_apart(const std::vector<std::string>& names,
                                              std::size_t columns) {
  std::map<std::string, std::string> result;
  std::map<std::string, Names> alike;
  for (const std::string& name : std::set<std::string>(names.begin(), names.end())) {
    result[name] = shortened_name(name, columns);
    alike[result[name]].push_back(name);
  }
  std::set<std::string> taken;
  for (const auto& [text, group] : alike)
    if (group.size() == 1) taken.insert(text);
  for (const auto& [text, group] : alike) {
    if (group.size() == 1 || !std::all_of(group.begin(), group.end(), has_plain_letters)) continue;
    const Names cut = cut_apart(group, columns, taken);
    for (std::size_t i = 0; i < cut.size(); ++i) result[group[i]] = cut[i];
    taken.insert(cut.begin(), cut.end());
  }
  return result;
}

}  // namespace jouletree
