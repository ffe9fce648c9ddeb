#include "campaign/plan.hpp"

#include <algorithm>
#include <array>
#include <map>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/display_width.hpp"
#include "base/mapped_file.hpp"
#include "campaign/plan_fields.hpp"
#include "campaign/plan_parts.hpp"
#include "campaign/plan_training.hpp"
#include "campaign/summary_plan.hpp"
#include "engines/engine_list.hpp"
#include "jouletree/error.hpp"

namespace jouletree::campaign {
namespace {

using Words = std::vector<std::string>;

std::vector<std::string> words_of(const Field& field, const Words& known,
                                  const std::map<std::string, std::string>& other_words = {}) {
  std::vector<std::string> words;
  for (const Field& one : field.each()) {
    std::string word = one.text();
    if (const auto other = other_words.find(word); other != other_words.end()) word = other->second;
    if (std::find(known.begin(), known.end(), word) == known.end())
      one.fail(fmt::format("{} is none of {}", printable(word), fmt::join(known, ", ")));
    words.push_back(word);
  }
  return words;
}

Words engine_names() {
  Words names;
  for (const engines::EngineRow& row : engines::engine_list()) names.emplace_back(row.name);
  return names;
}

void read_operators(const Field& field, Plan& plan) {
  static constexpr std::array<std::string_view, 2> kFilters = {"include", "leave_out"};
  constexpr std::size_t kMostTypes = 1000;
  for (const Field& member : field.members(kFilters)) {
    if (member.each().size() > kMostTypes) member.fail("has more than 1000 types");
    for (const Field& type : member.each()) plan.type_places[type.text()] = type.place();
    if (member.name() == "include") plan.include = member.texts();
    if (member.name() == "leave_out") plan.leave_out = member.texts();
  }
  if (!plan.include.empty() && !plan.leave_out.empty())
    field.fail("give include or leave_out, not both: what is not included is left out anyway");
}

std::string name_of_plan(const Field& field) {
  const std::string name = field.text();
  constexpr std::size_t kLongest = 200;
  if (name.size() > kLongest) field.fail("is longer than 200 bytes");
  if (printable(name) != name) field.fail("has characters that steer terminals; leave them out");
  return name;
}

std::optional<double> target_of(const Field& field) {
  if (field.node().text == "none") return std::nullopt;
  return field.share();
}

void read_counts(const Field& field, Plan& plan) {
  constexpr int kMostThreads = 1024;
  plan.threads.clear();
  for (const std::int64_t threads : field.numbers()) {
    if (threads < 1 || threads > kMostThreads) field.fail("give numbers between 1 and 1024");
    plan.threads.push_back(static_cast<int>(threads));
  }
}

struct Key {
  std::string_view name;
  void (*read)(const Field& field, Plan& plan);
};

/// What a plan may say.
constexpr std::array kPlanKeys = {
    Key{"name", [](const Field& field, Plan& plan) { plan.name = name_of_plan(field); }},
    Key{"models", [](const Field& field, Plan& plan) { plan.models = models_of(field, plan); }},
    Key{"random_operators",
        [](const Field& field, Plan& plan) { plan.random = random_operators_of(field); }},
    Key{"dims",
        [](const Field& field, Plan& plan) {
          plan.dims = dims_of(field);
          for (const Field& dim : field.members()) plan.dim_places[dim.name()] = dim.place();
        }},
    Key{"inputs",
        [](const Field& field, Plan& plan) {
          plan.inputs = inputs_of(field);
          for (const Field& input : field.members())
            plan.input_places[input.name()] = input.place();
        }},
    Key{"engines",
        [](const Field& field, Plan& plan) { plan.engines = words_of(field, engine_names()); }},
    Key{"devices", [](const Field& field, Plan& plan) { plan.devices = field.texts(); }},
    Key{"threads", read_counts},
    Key{"modes",
        [](const Field& field, Plan& plan) {
          // Python says "train".
          plan.modes = words_of(field, {"inference", "training"}, {{"train", "training"}});
        }},
    Key{"levels",
        [](const Field& field, Plan& plan) {
          plan.levels = words_of(field, {"none", "basic", "extended", "all"});
        }},
    Key{"caches",
        [](const Field& field, Plan& plan) {
          plan.caches = words_of(field, {"hot", "model", "cold"});
        }},
    Key{"precision", [](const Field& field, Plan& plan) { plan.precision = field.share(); }},
    Key{"budget",
        [](const Field& field, Plan& plan) {
          plan.budget = field.duration();
          if (plan.budget->count() <= 0) field.fail("give a time above 0, like 60s");
        }},
    Key{"target", [](const Field& field, Plan& plan) { plan.target = target_of(field); }},
    Key{"baseline", [](const Field& field, Plan& plan) { plan.baseline = field.duration(); }},
    Key{"modules", [](const Field& field, Plan& plan) { plan.modules = field.truth(); }},
    Key{"operators", read_operators},
    Key{"training", [](const Field& field, Plan& plan) { plan.training = training_of(field); }},
    Key{"python", [](const Field& field, Plan& plan) { plan.python = field.text(); }},
};

void refuse_unused_training(const Plan& plan) {
  if (std::find(plan.modes.begin(), plan.modes.end(), "training") != plan.modes.end()) return;
  const auto refuse = [](const std::optional<PlannedTraining>& training) {
    if (training)
      throw Error(ErrorKind::BadInput,
                  training->place + "nothing is trained: add modes: [inference, training]");
  };
  refuse(plan.training);
  for (const PlannedModel& model : plan.models) refuse(model.training);
}

void read_keys(const Field& root, Plan& plan) {
  std::vector<std::string_view> names;
  for (const Key& key : kPlanKeys) names.push_back(key.name);
  for (const Field& field : root.members(names)) {
    const auto* const key = std::find_if(kPlanKeys.begin(), kPlanKeys.end(),
                                         [&](const Key& one) { return one.name == field.name(); });
    key->read(field, plan);
  }
  if (plan.models.empty() && plan.random.empty())
    root.fail("there is nothing to measure: add models, or random_operators");
  refuse_unused_training(plan);
}

Plan empty_plan(const std::filesystem::path& file, std::string text) {
  Plan plan;
  plan.file = file;
  plan.folder = std::filesystem::absolute(file).parent_path();
  plan.name = file.stem().string();
  plan.text = std::move(text);
  return plan;
}

}  // namespace

Plan parse_plan(const std::string& text, const std::filesystem::path& file) {
  const std::string name = file.string();
  const std::vector<YamlNode> documents = parse_yaml(text, name);
  Plan plan = empty_plan(file, text);
  if (documents.empty() || documents.front().kind == YamlNode::Kind::Null)
    throw Error(ErrorKind::BadInput, name + ": is empty: a plan names models, at least");
  if (is_summary(documents.front())) {
    for (const YamlNode& document : documents) add_summary(Field(name, document, ""), plan);
    return plan;
  }
  if (documents.size() > 1)
    Field(name, documents[1], "").fail("a plan is one document; remove the line ---");
  read_keys(Field(name, documents.front(), ""), plan);
  return plan;
}

Plan read_plan(const std::filesystem::path& file) {
  std::error_code unreadable;
  if (std::filesystem::is_directory(file, unreadable)) return read_summaries(file);
  return parse_plan(std::string(MappedFile(file).bytes()), file);
}

}  // namespace jouletree::campaign
