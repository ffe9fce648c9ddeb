#include "store/database/size_choice.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <set>
#include <span>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/number_format.hpp"
#include "jouletree/error.hpp"

namespace jouletree::store {
namespace {

constexpr const char* kTraining = "training";
constexpr const char* kChoices =
    "batch=N, sequence=N, params=N, mode=inference or training, inputs=TEXT, machine=TEXT, "
    "engine=TEXT, conditions=TEXT, source=ID";

std::optional<double> number_from(std::string_view text) {
  double value = 0;
  const char* const end = text.data() + text.size();
  const auto read = std::from_chars(text.data(), end, value);
  return read.ec == std::errc() && read.ptr == end ? std::optional(value) : std::nullopt;
}

std::string joined_inputs(const FoundModel& one) {
  return fmt::format("{}", fmt::join(one.inputs, ", "));
}

std::string short_size(const FoundModel& one) {
  std::vector<std::string> words;
  if (one.batch) words.push_back(fmt::format("batch {}", *one.batch));
  if (one.sequence) words.push_back(fmt::format("sequence {}", *one.sequence));
  if (words.empty() && !one.inputs.empty()) words.push_back(joined_inputs(one));
  if (one.mode == kTraining) words.emplace_back(kTraining);
  return fmt::format("{}", fmt::join(words, ", "));
}

std::string params_text(const FoundModel& one) {
  return one.params ? with_separators(std::llround(*one.params)) + " params" : std::string();
}

/// "batch=8" and such; `fits` of one model.
struct Condition {
  std::string key;
  std::string value;
};

[[noreturn]] void refuse_choice(const std::string& choice) {
  throw Error(ErrorKind::BadInput,
              fmt::format("'@{}' chooses nothing: write {}, with commas between several", choice,
                          kChoices));
}

std::vector<Condition> conditions_in(const std::string& choice) {
  std::vector<Condition> conditions;
  std::string_view rest = choice;
  while (!rest.empty()) {
    const std::string_view part = rest.substr(0, rest.find(','));
    rest.remove_prefix(std::min(part.size() + 1, rest.size()));
    const std::size_t equal = part.find('=');
    if (equal != std::string_view::npos) {
      conditions.push_back(
          {std::string(part.substr(0, equal)), std::string(part.substr(equal + 1))});
    } else if (number_from(part)) {
      conditions.push_back({"source", std::string(part)});
    } else {
      refuse_choice(choice);
    }
  }
  if (conditions.empty()) refuse_choice(choice);
  return conditions;
}

bool fits(const FoundModel& one, const Condition& condition, const std::string& choice) {
  const auto& [key, value] = condition;
  if (key == "source") return std::to_string(one.source) == value;
  if (key == "mode") return one.mode == (value == "train" ? kTraining : value);
  if (key == "inputs") return holds_text(joined_inputs(one), value);
  if (key == "machine") return holds_text(one.machine, value);
  if (key == "engine") return holds_text(one.engine, value);
  if (key == "conditions") return holds_text(one.conditions, value);
  const auto number = number_from(value);
  if (!number) refuse_choice(choice);
  if (key == "batch") return one.batch == number;
  if (key == "sequence") return one.sequence == number;
  if (key == "params") return one.params == number;
  refuse_choice(choice);
}

/// What chooses this size and not that of `chosen`.
std::string choice_of(const FoundModel& one, const FoundModel& chosen) {
  std::vector<std::string> words;
  if (one.batch && one.batch != chosen.batch) words.push_back(fmt::format("batch={}", *one.batch));
  if (one.sequence && one.sequence != chosen.sequence)
    words.push_back(fmt::format("sequence={}", *one.sequence));
  if (one.params && one.params != chosen.params)
    words.push_back(fmt::format("params={}", *one.params));
  if (one.mode != chosen.mode) words.push_back("mode=" + one.mode);
  if (words.empty()) words.push_back(fmt::format("source={}", one.source));
  return fmt::format("{}", fmt::join(words, ","));
}

std::string place_text(const FoundModel& one) {
  std::string text = one.machine;
  text += one.engine.empty() ? ", unknown engine" : ", " + one.engine;
  return one.conditions.empty() ? text : fmt::format("{}, {}", text, one.conditions);
}

}  // namespace

std::optional<double> first_size(const std::vector<std::string>& inputs) {
  if (inputs.empty()) return std::nullopt;
  const std::string& text = inputs.front();
  const std::size_t bracket = text.find('[');
  if (bracket == std::string::npos) return std::nullopt;
  return number_from(
      std::string_view(text).substr(bracket + 1, text.find_first_of(",]", bracket) - bracket - 1));
}

bool holds_text(std::string_view text, std::string_view part) {
  const auto same = [](unsigned char a, unsigned char b) {
    return std::tolower(a) == std::tolower(b);
  };
  return std::search(text.begin(), text.end(), part.begin(), part.end(), same) != text.end() ||
         part.empty();
}

std::string some_of(const std::vector<std::string>& texts, const char* between) {
  constexpr std::size_t kMost = 8;
  const auto shown = std::span(texts).first(std::min(kMost, texts.size()));
  std::string text = fmt::format("{}", fmt::join(shown, between));
  if (texts.size() > shown.size()) text += fmt::format(" and {} more", texts.size() - shown.size());
  return text;
}

SizeTexts::SizeTexts(const std::vector<FoundModel>& all) {
  for (const FoundModel& one : all) texts_.emplace(one.model, short_size(one));
  tell_apart(all, joined_inputs);
  tell_apart(all, params_text);
}

void SizeTexts::tell_apart(const std::vector<FoundModel>& all,
                           std::string (*detail)(const FoundModel&)) {
  std::map<std::string, std::set<std::string>> details;
  for (const FoundModel& one : all) details[of(one)].insert(detail(one));
  std::map<Id, std::string> longer;
  for (const FoundModel& one : all) {
    std::string text = of(one);
    const std::string more = detail(one);
    if (details[text].size() > 1 && !more.empty() && text != more)
      text += fmt::format("{}{}", text.empty() ? "" : ", ", more);
    longer.emplace(one.model, std::move(text));
  }
  texts_ = std::move(longer);
}

std::vector<FoundModel> those_that_fit(const std::vector<FoundModel>& all,
                                       const std::optional<std::string>& choice,
                                       const std::string& place, const SizeTexts& sizes) {
  if (!choice) return all;
  std::vector<FoundModel> fitting = all;
  const std::vector<Condition> conditions = conditions_in(*choice);
  for (const Condition& condition : conditions)
    std::erase_if(fitting, [&](const FoundModel& one) { return !fits(one, condition, *choice); });
  if (!fitting.empty()) return fitting;
  std::vector<std::string> there;
  for (const FoundModel& one : all) {
    const std::string& size = sizes.of(one);
    std::string text = size.empty() ? fmt::format("source {}", one.source)
                                    : fmt::format("{} (source {})", size, one.source);
    if (std::find(there.begin(), there.end(), text) == there.end())
      there.push_back(std::move(text));
  }
  throw Error(ErrorKind::BadInput, fmt::format("{}: nothing of {} fits '@{}'; there is: {}", place,
                                               all.front().name, *choice, some_of(there, "; ")));
}

std::vector<std::string> notes_on_others(const FoundModel& chosen,
                                         const std::vector<FoundModel>& fitting,
                                         const SizeTexts& sizes) {
  std::vector<std::string> other_sizes;
  std::vector<std::string> other_places;
  const FoundModel* other = nullptr;
  std::size_t rows = 0;
  const auto add = [](const std::string& text, std::vector<std::string>& texts) {
    if (std::find(texts.begin(), texts.end(), text) == texts.end()) texts.push_back(text);
  };
  for (const FoundModel& one : fitting) {
    if (one.model != chosen.model) {
      if (other == nullptr) other = &one;
      add(sizes.of(one).empty() ? "another size" : sizes.of(one), other_sizes);
    } else if (place_text(one) != place_text(chosen)) {
      add(place_text(one), other_places);
    } else if (one.source == chosen.source) {
      ++rows;
    }
  }
  std::vector<std::string> notes;
  const std::string what =
      chosen.date.empty() ? "the one that was added last" : "the newest measurement";
  if (other != nullptr) {
    notes.push_back(
        fmt::format("{}; there is also {} ({} #{}@{})", what, some_of(other_sizes, "; "),
                    other_sizes.size() > 1 ? "choose with, for example," : "choose it with",
                    chosen.name, choice_of(*other, chosen)));
  }
  if (!other_places.empty()) {
    notes.push_back(
        fmt::format("measured with {}; there is also {} (choose with #{}@machine=TEXT, "
                    "@engine=TEXT or @conditions=TEXT)",
                    place_text(chosen), some_of(other_places, "; "), chosen.name));
  }
  if (rows > 1)
    notes.push_back(fmt::format("the last of {} rows of its source that are alike", rows));
  return notes;
}

}  // namespace jouletree::store
