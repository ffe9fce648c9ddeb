#include <map>
#include <set>

#include <fmt/format.h>

#include "jouletree/error.hpp"
#include "report/page/page_columns.hpp"
#include "report/page/page_items.hpp"
#include "report/page/page_tree.hpp"
#include "store/json_member.hpp"

namespace jouletree::report {
namespace {

using Json = nlohmann::ordered_json;
using store::member;

std::optional<double> number_of_json(const Json& json) {
  return json.is_number() ? std::optional(json.get<double>()) : std::nullopt;
}

std::string text_of_json(const Json& json) {
  return json.is_string() ? json.get<std::string>() : "";
}

PageColumn::Cell cell_of(const Json& node, const char* metric) {
  const Json& json = member(member(node, "metrics"), metric);
  return {number_of_json(member(json, "value")), text_of_json(member(json, "provenance")),
          number_of_json(member(json, "low")), number_of_json(member(json, "high"))};
}

/// Files of older programs do not tell the parents of nodes, but their ids are paths.
class Parents {
 public:
  int of(const Json& node, int row) {
    const std::string id = text_of_json(member(node, "id"));
    rows_[id] = row;
    if (row == 0) return PageTree::kRoot;
    if (const auto parent = number_of_json(member(node, "parent")))
      return *parent >= 0 && *parent < row ? static_cast<int>(*parent) : 0;
    for (std::size_t dot = id.rfind('.'); dot != std::string::npos && dot > 0;
         dot = id.rfind('.', dot - 1)) {
      if (const auto found = rows_.find(id.substr(0, dot)); found != rows_.end())
        return found->second;
    }
    return 0;
  }

 private:
  std::map<std::string, int> rows_;
};

std::string scope_of_node(const Json& node) {
  if (std::string scope = text_of_json(member(node, "scope")); !scope.empty()) return scope;
  const std::string id = text_of_json(member(node, "id"));
  return id.substr(id.rfind('|') + 1);
}

Json tree_of(const Json& nodes, const std::string& model) {
  PageTree tree;
  Parents parents;
  PageColumn time(kPredictedTimeColumn);
  PageColumn energy(kPredictedEnergyColumn);
  std::vector<std::string> scopes;
  for (const Json& node : nodes) {
    const int parent = parents.of(node, static_cast<int>(scopes.size()));
    scopes.push_back(scope_of_node(node));
    tree.add_node(parent, page_kind_of(text_of_json(member(node, "level"))),
                  parent == PageTree::kRoot
                      ? model
                      : name_below(scopes.back(), scopes[static_cast<std::size_t>(parent)]),
                  text_of_json(member(node, "type")));
    time.add(cell_of(node, "time_s"));
    energy.add(cell_of(node, "energy_j"));
  }
  tree.add_column(time);
  tree.add_column(energy);
  return tree.json();
}

Json predicted_metric(const char* name, const char* title, const Json& node, const char* unit) {
  Json json = {{"name", name}, {"title", title}};
  json.update(page_quantity(cell_of(node, name), unit));
  return json;
}

/// By path below the root: the row of a tree of the page.
std::map<std::string, std::size_t> rows_by_path(const Json& tree) {
  std::map<std::string, std::size_t> rows;
  std::vector<std::string> paths;
  for (std::size_t i = 0; i < tree["parent"].size(); ++i) {
    const int parent = tree["parent"][i].get<int>();
    if (parent < 0) {
      paths.emplace_back();
    } else {
      std::string path = paths[static_cast<std::size_t>(parent)];
      if (!path.empty()) path += '.';
      path += tree["texts"][tree["name"][i].get<std::size_t>()].get<std::string>();
      paths.push_back(std::move(path));
    }
    rows.emplace(paths.back(), i);
  }
  return rows;
}

/// Of kinds of operators: that of their first.
std::vector<std::optional<std::size_t>> rows_of_kinds(
    const Json& operators, const std::map<std::string, std::size_t>& predicted_rows) {
  std::vector<std::optional<std::size_t>> from;
  for (const Json& first : operators["first"]) {
    const std::string path = operators["texts"][first.get<std::size_t>()];
    const auto found = predicted_rows.find(path);
    from.push_back(found == predicted_rows.end() ? std::nullopt : std::optional(found->second));
  }
  return from;
}

/// A list with a place for each row, from a list of another tree.
Json moved(const Json& values, const std::vector<std::optional<std::size_t>>& from) {
  Json list = Json::array();
  for (const auto& row : from) list.push_back(row ? values[*row] : Json(nullptr));
  return list;
}

/// Columns that are not there yet.
void add_columns(const Json& predicted, const std::vector<std::optional<std::size_t>>& from,
                 Json& columns) {
  std::set<std::string> there;
  for (const Json& column : columns) there.insert(column["key"].get<std::string>());
  for (Json column : predicted) {
    if (!there.insert(column["key"].get<std::string>()).second) continue;
    for (const char* key : {"values", "low", "high"})
      if (column.contains(key)) column[key] = moved(column[key], from);
    if (column.contains("how_of")) {
      column["how_of"] = moved(column["how_of"], from);
      for (Json& way : column["how_of"])
        if (way.is_null()) way = 0;
    }
    column.erase("lower_bound");
    columns.push_back(std::move(column));
  }
}

}  // namespace

Json prediction_item(const Json& run, const std::string& label, const std::string& source) {
  const Json& nodes = member(run, "nodes");
  if (!nodes.is_array() || nodes.empty()) {
    throw Error(ErrorKind::BadInput,
                fmt::format("{}: holds a prediction without nodes; print it again with 'jouletree "
                            "predict --format json'",
                            source));
  }
  Json item = empty_item("predicted", label, source);
  const auto add_fact = [&](const char* name, const Json& value) {
    if (!value.is_null())
      item["facts"].push_back({name, value.is_string() ? value.get<std::string>() : value.dump()});
  };
  add_fact("model", member(run, "model"));
  add_fact("batch", member(run, "batch_size"));
  add_fact("sequence", member(run, "seq_len"));
  add_fact("looks at", member(run, "features"));
  add_fact("intervals hold", member(run, "interval_level"));
  item["metrics"].push_back(predicted_metric("time_s", "Time", run, "s"));
  item["metrics"].push_back(predicted_metric("energy_j", "Energy", run, "J"));
  item["metrics"].push_back(predicted_metric("power_w", "Power", run, "W"));
  for (const Json& note : {member(run, "interval_note"), member(member(run, "operators"), "note"),
                           member(member(run, "operators"), "unseen_note")})
    if (note.is_string()) item["notes"].push_back(note);
  if (const Json& notes = member(run, "notes"); notes.is_array()) {
    for (const Json& note : notes)
      if (note.is_string()) item["notes"].push_back(note);
  }
  item["tree"] = tree_of(nodes, text_of_json(member(run, "model")));
  return item;
}

void add_predicted_columns(const Json& prediction, Json& measured) {
  const std::map<std::string, std::size_t> predicted_rows = rows_by_path(prediction["tree"]);
  Json& tree = measured["tree"];
  std::vector<std::optional<std::size_t>> from(tree["parent"].size());
  for (const auto& [path, row] : rows_by_path(tree)) {
    const auto found = predicted_rows.find(path);
    if (found != predicted_rows.end()) from[row] = found->second;
  }
  add_columns(prediction["tree"]["columns"], from, tree["columns"]);
  if (measured.contains("operators")) {
    Json& operators = measured["operators"];
    add_columns(prediction["tree"]["columns"], rows_of_kinds(operators, predicted_rows),
                operators["columns"]);
  }
}

}  // namespace jouletree::report
