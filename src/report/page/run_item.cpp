#include <fmt/format.h>

#include "jouletree/units.hpp"
#include "report/page/page_columns.hpp"
#include "report/page/page_items.hpp"
#include "report/page/page_tree.hpp"

namespace jouletree::report {
namespace {

using Json = nlohmann::ordered_json;

std::optional<double> scaled(const std::optional<double>& value, double unit) {
  return value ? std::optional(*value * unit) : std::nullopt;
}

/// What a tree file says of a node, column by column.
class RunColumns {
 public:
  void add(const RunNode& node) {
    const std::string measured(name_of(Provenance::Measured));
    const std::string counted(name_of(Provenance::Counted));
    const std::string energy(
        name_of(node.is_estimated ? Provenance::Estimated : Provenance::Measured));
    time_.add({node.time_s, measured});
    energy_.add({node.energy_j, energy});
    macs_.add({node.macs, counted});
    flops_.add({scaled(node.mflops, kFlopsInFiles), counted});
    bytes_.add({scaled(node.mebibytes, kMebibyte), counted});
    params_.add({node.params, counted});
    predicted_.add({node.predicted_energy_j, std::string(name_of(Provenance::Predicted))});
  }

  void add_to(PageTree& tree) const {
    for (const PageColumn* column :
         {&time_, &energy_, &macs_, &flops_, &bytes_, &params_, &predicted_})
      tree.add_column(*column);
  }

 private:
  PageColumn time_{kTimeColumn};
  PageColumn energy_{kEnergyColumn};
  PageColumn macs_{kMacsColumn};
  PageColumn flops_{kFlopsColumn};
  PageColumn bytes_{kBytesColumn};
  PageColumn params_{kParamsColumn};
  PageColumn predicted_{kPredictedEnergyColumn};
};

Json metric_json(const char* name, const char* title, const PageColumn::Cell& cell,
                 const char* unit) {
  Json json = {{"name", name}, {"title", title}};
  json.update(page_quantity(cell, unit));
  return json;
}

Json metrics_of(const RunNode& root) {
  const std::string measured(name_of(Provenance::Measured));
  Json metrics = Json::array();
  metrics.push_back(metric_json("time_s", "Time", {root.time_s, measured}, "s"));
  metrics.push_back(metric_json(
      "energy_j", "Energy",
      {root.energy_j,
       std::string(name_of(root.is_estimated ? Provenance::Estimated : Provenance::Measured))},
      "J"));
  metrics.push_back(metric_json("params", "Parameters",
                                {root.params, std::string(name_of(Provenance::Counted))}, "1"));
  return metrics;
}

}  // namespace

Json run_item(const TreeRun& run, const std::string& label, const std::string& source) {
  Json item = empty_item("profile", label, source);
  const auto add_fact = [&](const char* name, const std::string& value) {
    if (!value.empty()) item["facts"].push_back({name, value});
  };
  add_fact("model", run.model);
  add_fact("family", run.family);
  add_fact("device", run.device);
  if (run.batch) add_fact("batch", fmt::format("{:g}", *run.batch));
  if (run.sequence) add_fact("sequence", fmt::format("{:g}", *run.sequence));
  item["metrics"] = metrics_of(run.nodes.front());
  item["notes"] = run.notes;
  PageTree tree;
  RunColumns columns;
  for (const RunNode& node : run.nodes) {
    const bool is_root = node.parent == kNoParent;
    tree.add_node(is_root ? PageTree::kRoot : static_cast<int>(node.parent),
                  page_kind_of(name_of(node.level)),
                  is_root ? run.model : name_below(node.scope, run.nodes[node.parent].scope),
                  node.type);
    columns.add(node);
  }
  columns.add_to(tree);
  item["tree"] = tree.json();
  return item;
}

}  // namespace jouletree::report
