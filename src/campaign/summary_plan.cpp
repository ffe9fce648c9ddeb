#include "campaign/summary_plan.hpp"

#include <algorithm>
#include <array>
#include <cctype>

#include <fmt/format.h>

#include "base/mapped_file.hpp"
#include "jouletree/error.hpp"
#include "jouletree/inference.hpp"
#include "zoo/catalogue.hpp"
#include "zoo/weightless_graph.hpp"

namespace jouletree::campaign {
namespace {

constexpr std::array<std::string_view, 4> kSummaryKeys = {"model_name", "weights_name",
                                                          "input_size", "done"};

/// torchvision writes resnet18 and mobilenet_v2, the zoo resnet-18 and mobilenet-v2.
std::string letters_of(std::string_view name) {
  std::string letters;
  for (const unsigned char letter : name)
    if (std::isalnum(letter) != 0) letters += static_cast<char>(std::tolower(letter));
  return letters;
}

const zoo::Architecture* counterpart(const std::string& name) {
  for (const zoo::Architecture& row : zoo::catalogue())
    if (letters_of(row.name) == letters_of(name)) return &row;
  return nullptr;
}

PlannedModel model_of(const Field& entry, const zoo::Architecture& architecture,
                      const std::vector<std::int64_t>& size) {
  PlannedModel model;
  model.target = architecture.name;
  model.place = entry.place();
  const auto graph = zoo::weightless_graph(architecture.name);
  // Images have as many rows as columns, and the zoo builds a model for their size.
  const auto& known = architecture.settings.all();
  const bool has_size = std::any_of(known.begin(), known.end(),
                                    [](const zoo::Setting& one) { return one.key == "size"; });
  if (has_size && size.size() == 4)
    model.settings.emplace_back("size", std::vector<zoo::SettingValue>{size[2]});
  model.settings_place = model.place;
  PlannedShape shape;
  for (const std::int64_t one : size) shape.sizes.push_back(std::to_string(one));
  const std::string input(graph->values[graph->main.inputs.at(0)].name);
  model.inputs.emplace_back(input, std::vector{shape});
  return model;
}

/// [1, 3, 32, 32], or the text of a tuple of Python: (1, 3, 32, 32).
std::vector<std::int64_t> size_of(const Field& field) {
  std::string text = field.node().text;
  if (field.node().kind != YamlNode::Kind::Scalar || !text.starts_with('(')) return field.numbers();
  if (!text.ends_with(')')) field.fail("give a size like [1, 3, 224, 224]");
  text = text.substr(1, text.size() - 2);
  YamlNode list{YamlNode::Kind::List, field.node().line};
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    YamlNode& size = list.items.emplace_back(YamlNode{YamlNode::Kind::Scalar, field.line()});
    size.text = text.substr(begin, end - begin);
    std::erase(size.text, ' ');
    begin = end + 1;
  }
  return Field(field.file(), list, field.key()).numbers();
}

void add_entry(const Field& entry, Plan& plan) {
  std::string name;
  bool done = false;
  std::vector<std::int64_t> size;
  for (const Field& member : entry.members(kSummaryKeys)) {
    if (member.name() == "model_name") name = member.text();
    if (member.name() == "done") done = member.truth();
    if (member.name() == "input_size") size = size_of(member);
  }
  if (name.empty()) entry.fail("model_name: is missing");
  if (size.empty()) entry.fail("input_size: is missing");
  const zoo::Architecture* const found = counterpart(name);
  if (done) {
    plan.done.push_back(fmt::format("left out: {}: {} says that it is done", name, entry.file()));
  } else if (found == nullptr) {
    plan.not_available.push_back(fmt::format("{}: the zoo has no such model", name));
  } else {
    plan.models.push_back(model_of(entry, *found, size));
  }
}

}  // namespace

bool is_summary(const YamlNode& document) {
  const YamlNode& entry = document.kind == YamlNode::Kind::List && !document.items.empty()
                              ? document.items.front()
                              : document;
  return std::any_of(entry.members.begin(), entry.members.end(),
                     [](const auto& member) { return member.first.text == "model_name"; });
}

void add_summary(const Field& document, Plan& plan) {
  if (document.node().kind == YamlNode::Kind::Null) return;
  for (const Field& entry : document.each()) add_entry(entry, plan);
}

Plan read_summaries(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    if (std::filesystem::exists(entry.path() / "summary.yml"))
      files.push_back(entry.path() / "summary.yml");
  if (std::filesystem::exists(folder / "summary.yml")) files.push_back(folder / "summary.yml");
  std::sort(files.begin(), files.end());
  if (files.empty()) {
    throw Error(
        ErrorKind::BadInput,
        fmt::format("{}: is a folder without summary.yml in it; name a plan", folder.string()));
  }
  Plan plan;
  plan.file = folder;
  plan.folder = std::filesystem::absolute(folder);
  plan.name = plan.folder.filename().string();
  for (const std::filesystem::path& file : files) {
    const Plan one = parse_plan(std::string(MappedFile(file).bytes()), file);
    plan.text += one.text + "---\n";
    plan.models.insert(plan.models.end(), one.models.begin(), one.models.end());
    plan.done.insert(plan.done.end(), one.done.begin(), one.done.end());
    plan.not_available.insert(plan.not_available.end(), one.not_available.begin(),
                              one.not_available.end());
  }
  return plan;
}

}  // namespace jouletree::campaign
